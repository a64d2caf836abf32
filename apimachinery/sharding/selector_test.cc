#include "apimachinery/sharding/selector.h"

#include <climits>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::sharding {
namespace {

using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;
using testing::HasSubstr;

constexpr uint64_t kHalf = uint64_t{1} << 63;

// behaviour.md: COD-12
TEST(HashField, OfKnownValues_IsFnv1a) {
  EXPECT_EQ(HashField(""), "cbf29ce484222325");
  EXPECT_EQ(HashField("a"), "af63dc4c8601ec8c");
  EXPECT_EQ(HashField("foobar"), "85944171f73967e8");
  EXPECT_EQ(HashOf("a"), 0xaf63dc4c8601ec8cu);
}

TEST(ShardSelector, Matches_TheStartButNotTheEndOfARange) {
  const uint64_t hash = HashOf("u");
  const struct {
    const char* name;
    HashRange range;
    bool matches;
  } rows[] = {
      {"from the hash on", {.start = hash}, true},
      {"one hash", {.start = hash, .end = hash + 1}, true},
      {"ends at the hash", {.start = 0, .end = hash}, false},
      {"begins behind the hash", {.start = hash + 1}, false},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    const absl::StatusOr<Selector> selector = Selector::Make(ShardField::kUid, {row.range});
    ASSERT_THAT(selector, IsOk());
    EXPECT_EQ(selector->Matches("u", "n"), row.matches);
  }
}

TEST(ShardSelector, Matches_OfANamespaceSelector_HashesTheNamespace) {
  const uint64_t hash = HashOf("prod");
  const absl::StatusOr<Selector> selector =
      Selector::Make(ShardField::kNamespace, {{.start = hash, .end = hash + 1}});
  ASSERT_THAT(selector, IsOk());
  EXPECT_TRUE(selector->Matches("u", "prod"));
  EXPECT_FALSE(selector->Matches("prod", "u"));
}

TEST(ShardSelector, Default_SelectsEverything) {
  const Selector selector;
  EXPECT_TRUE(selector.empty());
  EXPECT_TRUE(selector.Matches("", ""));
  EXPECT_EQ(selector.ToString(), "");
}

TEST(ShardSelector, Make_OfAnEmptyRange_IsRefused) {
  EXPECT_THAT(Selector::Make(ShardField::kUid, {{.start = 16, .end = 16}}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "shard range start 0x0000000000000010 must be less than end "
                       "0x0000000000000010"));
}

TEST(ShardSelector, ToString_IsTheTextOfTheParameter) {
  const absl::StatusOr<Selector> selector =
      Selector::Make(ShardField::kUid, {{.start = 0, .end = kHalf}, {.start = kHalf + 255}});
  ASSERT_THAT(selector, IsOk());
  EXPECT_EQ(selector->ToString(),
            "shardRange(object.metadata.uid, '0x0000000000000000', '0x8000000000000000') || "
            "shardRange(object.metadata.uid, '0x80000000000000ff', '0x10000000000000000')");
}

// The example of the header.
absl::StatusOr<std::string> ParameterOf(int replica, int replicas) {
  KUBE_ASSIGN_OR_RETURN(const sharding::Selector mine, sharding::ShardOf(replica, replicas));
  return mine.ToString();  // for ListOptions::shard_selector
}

TEST(ShardOf, TheOnlyReplica_SelectsEverythingByARange) {
  EXPECT_THAT(
      ParameterOf(0, 1),
      IsOkAndHolds("shardRange(object.metadata.uid, '0x0000000000000000', '0x10000000000000000')"));
}

TEST(ShardOf, AllShares_SelectEachObjectOnce) {
  for (const int count : {1, 2, 3, 7, 16, 1000}) {
    SCOPED_TRACE(count);
    std::vector<Selector> shares;
    for (int i = 0; i < count; ++i) {
      const absl::StatusOr<Selector> share = ShardOf(i, count);
      ASSERT_THAT(share, IsOk());
      ASSERT_EQ(share->ranges().size(), 1u);
      shares.push_back(*share);
    }
    EXPECT_EQ(shares.front().ranges()[0].start, 0u);
    EXPECT_FALSE(shares.back().ranges()[0].end.has_value());
    for (int i = 0; i + 1 < count; ++i) {
      EXPECT_EQ(shares[i].ranges()[0].end, shares[i + 1].ranges()[0].start);
    }
    for (int i = 0; i < 100; ++i) {
      int selected = 0;
      for (const Selector& share : shares) selected += share.Matches(absl::StrCat(i), "") ? 1 : 0;
      EXPECT_EQ(selected, 1) << i;
    }
  }
}

TEST(ShardOf, StartOfAShare_IsItsPartOfAllHashes) {
  const struct {
    int index;
    int count;
    uint64_t start;
  } rows[] = {
      {1, 2, kHalf},
      {1, 4, uint64_t{1} << 62},
      {3, 4, kHalf + (uint64_t{1} << 62)},
      {1, 3, 0x5555555555555555u},
      {2, 3, 0xaaaaaaaaaaaaaaaau},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(absl::StrCat(row.index, " of ", row.count));
    const absl::StatusOr<Selector> share = ShardOf(row.index, row.count);
    ASSERT_THAT(share, IsOk());
    EXPECT_EQ(share->ranges()[0].start, row.start);
  }
}

TEST(ShardOf, AnIndexThatDoesNotExist_IsRefused) {
  for (const int index : {-1, 2, 3}) {
    EXPECT_THAT(ShardOf(index, 2),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         HasSubstr("the index must be at least 0 and less than 2")));
  }
  EXPECT_THAT(ShardOf(0, 0), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(ShardOf(0, INT_MIN), StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace kube::sharding

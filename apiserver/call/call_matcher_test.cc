#include "apiserver/call/call_matcher.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/all_kinds.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/errors/status_error.h"
#include "apimachinery/sharding/selector.h"
#include "apiserver/call/call.h"
#include "apiserver/call/core.h"
#include "apiserver/object.h"
#include "apiserver/printers/table_printer.h"
#include "apiserver/registry/selectors.h"
#include "apiserver/storage.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

using api::meta::v1::ListOptions;
using base::IsOk;
using testing::HasSubstr;

// A config map with the UID "u" and the label a=b.
ObjectPtr Stored() {
  absl::StatusOr<codec::AnyObject> object = codec::AnyObject::DecodeJson(
      *api::FindKind("v1", "ConfigMap"),
      absl::string_view(
          R"({"metadata":{"name":"o","namespace":"n","uid":"u","labels":{"a":"b"}}})"));
  KUBE_CHECK(object.ok()) << object.status();
  return std::make_shared<const StoredObject>(Object(*std::move(object)), int64_t{7});
}

class MatcherForTest : public testing::Test {
 protected:
  MatcherForTest() : core_(StorageOptions(), printers::PlainTables()) {
    core_.sharded_lists = true;
    call_.resources = core_.resources.Get();
    call_.resource = call_.resources->Find("", "v1", "configmaps");
  }

  // Returns whether the object is selected.
  bool Selects(const ListOptions& options) const {
    const absl::StatusOr<Matcher> matcher = MatcherFor(core_, call_, options);
    EXPECT_THAT(matcher, IsOk());
    return matcher.ok() && matcher->Matches(*Stored());
  }

  Core core_;
  Call call_;
};

TEST_F(MatcherForTest, TheShardSelector_NarrowsTheOthers) {
  const uint64_t hash = sharding::HashOf("u");
  const auto mine = sharding::Selector::Make(sharding::ShardField::kUid, {{.start = hash}});
  const auto other =
      sharding::Selector::Make(sharding::ShardField::kUid, {{.start = 0, .end = hash}});
  ASSERT_THAT(mine, IsOk());
  ASSERT_THAT(other, IsOk());
  ListOptions options;
  EXPECT_TRUE(Selects(options));
  options.shard_selector = mine->ToString();
  EXPECT_TRUE(Selects(options));
  options.label_selector = "a=c";
  EXPECT_FALSE(Selects(options)) << "not by the labels";
  options.label_selector = "a=b";
  EXPECT_TRUE(Selects(options));
  options.shard_selector = other->ToString();
  EXPECT_FALSE(Selects(options)) << "not by the shard";
}

TEST_F(MatcherForTest, AnInvalidShardSelector_IsA500AsUpstream) {
  ListOptions options;
  options.shard_selector = "x";
  const absl::Status refused = MatcherFor(core_, call_, options).status();
  const std::optional<api::meta::v1::Status> status = errors::StatusOf(refused);
  ASSERT_TRUE(status.has_value());
  EXPECT_EQ(status->code, 500);
  EXPECT_THAT(refused.message(), HasSubstr("invalid shard selector: unexpected expression kind 3"));
}

TEST_F(MatcherForTest, AServerThatDoesNotEvaluate_IgnoresTheShardSelector) {
  core_.sharded_lists = false;
  ListOptions options;
  options.shard_selector = "x";
  EXPECT_TRUE(Selects(options));
}

}  // namespace
}  // namespace kube::apiserver::internal

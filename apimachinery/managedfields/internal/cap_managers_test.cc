#include "apimachinery/managedfields/internal/cap_managers.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "apimachinery/managedfields/field_set.h"
#include "apimachinery/managedfields/managers.h"
#include "apimachinery/managedfields/path_element.h"
#include "apimachinery/types/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/dice.h"

namespace kube::managedfields::internal {
namespace {

using testing::Contains;
using testing::Not;
using testing::SizeIs;

struct Row {
  std::string name;
  std::optional<int64_t> seconds = std::nullopt;
  std::string api_version = "v1";
  Operation operation = Operation::kUpdate;
  std::string subresource = {};
};

// Each row owns one field, which has its name.
void Add(Managed& managed, const Row& row) {
  const bool is_apply = row.operation == Operation::kApply;
  const ManagerId id = {.name = row.name,
                        .operation = row.operation,
                        .api_version = is_apply ? "" : row.api_version,
                        .subresource = row.subresource};
  OwnedFields& owned = managed.managers[id];
  owned.fields.Insert({PathElement::Field(row.name)});
  owned.api_version = row.api_version;
  if (row.seconds.has_value()) managed.times[id] = Time::FromUnixSeconds(*row.seconds);
}

// Returns updaters u10, u11, ... with the times 10, 11, ...
Managed Updaters(size_t count) {
  Managed managed;
  for (size_t i = 10; i < 10 + count; ++i) {
    Add(managed, {.name = absl::StrCat("u", i), .seconds = static_cast<int64_t>(i)});
  }
  return managed;
}

// Returns the managers as "NAME VERSION SUBRESOURCE @SECONDS: FIELDS".
std::vector<std::string> Lines(const Managed& managed) {
  std::vector<std::string> lines;
  for (const auto& [id, owned] : managed.managers) {
    std::string line = absl::StrCat(id.name, " ", owned.api_version, " ", id.subresource, "@");
    const auto time = managed.times.find(id);
    if (time != managed.times.end()) absl::StrAppend(&line, time->second.ToUnixSeconds());
    line += ":";
    for (const Path& path : owned.fields.Paths()) absl::StrAppend(&line, " ", PathText(path));
    lines.push_back(line);
  }
  return lines;
}

TEST(CapManagers, UpToTenUpdatersAndManyAppliers_ChangeNothing) {
  Managed managed = Updaters(kMaxUpdaters);
  for (int i = 0; i < 5; ++i) {
    Add(managed, {.name = absl::StrCat("a", i), .operation = Operation::kApply});
  }
  EXPECT_EQ(CapManagers(managed), managed);
}

TEST(CapManagers, ElevenUpdaters_UnitesTheTwoOldest) {
  const std::vector<std::string> lines = Lines(CapManagers(Updaters(11)));
  EXPECT_THAT(lines, SizeIs(10));
  EXPECT_THAT(lines, Contains("ancient-changes v1 @11: .u10 .u11"));
  EXPECT_THAT(lines, Contains("u12 v1 @12: .u12"));
}

TEST(CapManagers, ThirteenUpdaters_LeavesNineAndTheBucket) {
  const std::vector<std::string> lines = Lines(CapManagers(Updaters(13)));
  EXPECT_THAT(lines, SizeIs(10));
  EXPECT_THAT(lines, Contains("ancient-changes v1 @13: .u10 .u11 .u12 .u13"));
}

TEST(CapManagers, BucketOfBefore_TakesTheNextOldest) {
  Managed managed = CapManagers(Updaters(11));
  Add(managed, {.name = "u21", .seconds = 21});
  const std::vector<std::string> lines = Lines(CapManagers(managed));
  EXPECT_THAT(lines, SizeIs(10));
  EXPECT_THAT(lines, Contains("ancient-changes v1 @12: .u10 .u11 .u12"));
}

TEST(CapManagers, NoTime_IsOldest) {
  Managed managed = Updaters(10);
  Add(managed, {.name = "z"});
  EXPECT_THAT(Lines(CapManagers(managed)), Contains("ancient-changes v1 @10: .u10 .z"));
}

TEST(CapManagers, EqualTimes_AreOrderedByIdentity) {
  Managed managed;
  for (size_t i = 10; i < 21; ++i) Add(managed, {.name = absl::StrCat("u", i), .seconds = 5});
  EXPECT_THAT(Lines(CapManagers(managed)), Contains("ancient-changes v1 @5: .u10 .u11"));
}

TEST(CapManagers, SeveralVersions_HaveBucketsOfTheirOwn) {
  Managed managed = Updaters(8);
  Add(managed, {.name = "b1", .seconds = 1, .api_version = "v1beta1"});
  Add(managed, {.name = "b2", .seconds = 2, .api_version = "v1beta1"});
  Add(managed, {.name = "b3", .seconds = 3, .api_version = "v1beta2"});
  Add(managed, {.name = "b4", .seconds = 4, .api_version = "v1beta2"});
  const std::vector<std::string> lines = Lines(CapManagers(managed));
  EXPECT_THAT(lines, SizeIs(10));
  EXPECT_THAT(lines, Contains("ancient-changes v1beta1 @2: .b1 .b2"));
  EXPECT_THAT(lines, Contains("ancient-changes v1beta2 @4: .b3 .b4"));
}

TEST(CapManagers, OneUpdaterOfEachVersion_StaysAboveTheLimit) {
  Managed managed;
  for (size_t i = 0; i < 12; ++i) {
    Add(managed, {.name = "m", .seconds = 1, .api_version = absl::StrCat("v", i)});
  }
  EXPECT_EQ(CapManagers(managed), managed);
}

TEST(CapManagers, UpdaterOfASubresource_GoesToTheBucketWithoutSubresource) {
  Managed managed = Updaters(9);
  Add(managed, {.name = "s1", .seconds = 1, .subresource = "status"});
  Add(managed, {.name = "s2", .seconds = 2, .subresource = "status"});
  EXPECT_THAT(Lines(CapManagers(managed)), Contains("ancient-changes v1 @2: .s1 .s2"));
}

TEST(CapManagers, BucketThatIsNotTheOldest_DisappearsAsUpstream) {
  Managed managed = Updaters(9);
  Add(managed, {.name = "a", .seconds = 5});
  Add(managed, {.name = "ancient-changes", .seconds = 5});
  const std::vector<std::string> lines = Lines(CapManagers(managed));
  EXPECT_THAT(lines, SizeIs(10));
  EXPECT_THAT(lines, Contains("a v1 @5: .a"));
  EXPECT_THAT(lines, Not(Contains("ancient-changes v1 @5: .ancient-changes")));
}

// ---- many updaters

// The rule as upstream has it: one updater after another is united with its bucket, which takes
// quadratic time.
Managed CapOneByOne(Managed managed) {
  std::vector<std::tuple<int64_t, std::string, ManagerId>> updaters;
  for (const auto& [id, owned] : managed.managers) {
    if (id.operation != Operation::kUpdate) continue;
    const auto time = managed.times.find(id);
    updaters.emplace_back(time == managed.times.end() ? 0 : time->second.ToUnixSeconds(),
                          id.ToString(), id);
  }
  std::sort(updaters.begin(), updaters.end());
  size_t count = updaters.size();
  std::map<std::string, ManagerId> first_of_version;
  for (const auto& [seconds, text, id] : updaters) {
    if (count <= kMaxUpdaters) break;
    const OwnedFields owned = managed.managers.at(id);
    const auto [first, is_first] = first_of_version.try_emplace(owned.api_version, id);
    if (is_first) continue;
    const ManagerId bucket = {.name = "ancient-changes", .api_version = owned.api_version};
    if (managed.managers.count(bucket) == 0) {
      managed.managers[bucket] = managed.managers.at(first->second);
      managed.managers.erase(first->second);
    }
    OwnedFields& united = managed.managers.at(bucket);
    united.fields = owned.fields.Union(united.fields);
    managed.managers.erase(id);
    const auto time = managed.times.find(id);
    if (time == managed.times.end()) {
      managed.times.erase(bucket);
    } else {
      managed.times[bucket] = time->second;
    }
    --count;
  }
  return managed;
}

// Returns up to 40 managers with equal and different times, versions and subresources, some of
// which own the same fields, and sometimes a bucket of before.
Managed RandomManagers(oracle::Dice& dice) {
  Managed managed;
  for (size_t i = dice.Below(40); i > 0; --i) {
    Row row = {.name = absl::StrCat("u", dice.Below(30)),
               .api_version = absl::StrCat("v", dice.Below(3)),
               .operation = dice.Below(5) == 0 ? Operation::kApply : Operation::kUpdate,
               .subresource = dice.Below(4) == 0 ? "status" : ""};
    if (dice.Below(6) != 0) row.seconds = static_cast<int64_t>(dice.Below(8));
    if (dice.Below(12) == 0) row.name = "ancient-changes";
    Add(managed, row);
  }
  for (auto& [id, owned] : managed.managers) {
    owned.fields.Insert({PathElement::Field("shared"), PathElement::Index(dice.Below(3))});
  }
  return managed;
}

TEST(CapManagers, RandomManagers_AreThoseOfUnitingOneByOne) {
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    oracle::Dice dice(seed);
    const Managed managed = RandomManagers(dice);
    EXPECT_EQ(Lines(CapManagers(managed)), Lines(CapOneByOne(managed))) << "seed " << seed;
  }
}

// As many as fit into a request. Uniting one by one would copy half a billion nodes.
TEST(CapManagers, ThirtyThousandUpdaters_LeaveTen) {
  const Managed capped = CapManagers(Updaters(30000));
  EXPECT_THAT(capped.managers, SizeIs(kMaxUpdaters));
  const ManagerId bucket = {.name = "ancient-changes", .api_version = "v1"};
  EXPECT_EQ(capped.managers.at(bucket).fields.size(), 30000 - kMaxUpdaters + 1);
  EXPECT_EQ(capped.times.at(bucket).ToUnixSeconds(), 30000);
}

}  // namespace
}  // namespace kube::managedfields::internal

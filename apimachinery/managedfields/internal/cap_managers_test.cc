#include "apimachinery/managedfields/internal/cap_managers.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "apimachinery/managedfields/managers.h"
#include "apimachinery/managedfields/path_element.h"
#include "apimachinery/types/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

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

}  // namespace
}  // namespace kube::managedfields::internal

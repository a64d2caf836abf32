#include "apimachinery/managedfields/internal/prior_managed.h"

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/managedfields/managers.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/raw.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::managedfields::internal {
namespace {

using api::meta::v1::ManagedFieldsEntry;
using Entries = List<ManagedFieldsEntry>;
using testing::ElementsAre;
using testing::IsEmpty;

ManagedFieldsEntry Entry(absl::string_view manager) {
  return {.manager = manager,
          .operation = "Update",
          .api_version = "apps/v1",
          .fields_type = "FieldsV1",
          .fields_v1 = FieldsV1(R"({"f:spec":{}})")};
}

Entries Undecodable() {
  ManagedFieldsEntry entry = Entry("broken");
  entry.operation = "Delete";
  return {entry};
}

std::vector<std::string> Names(const Managed& managed) {
  std::vector<std::string> names;
  for (const auto& [id, owned] : managed.managers) names.push_back(id.name);
  return names;
}

TEST(PriorManaged, EachRequest_ReadsTheRequestOrTheLiveObject) {
  const Entries live = {Entry("live")};
  const Entries request = {Entry("request")};
  EXPECT_THAT(Names(PriorManaged(live, request, false)), ElementsAre("request"));
  EXPECT_THAT(Names(PriorManaged({}, request, false)), ElementsAre("request"));
  EXPECT_THAT(Names(PriorManaged(live, {}, false)), ElementsAre("live"));
  EXPECT_THAT(Names(PriorManaged(live, Undecodable(), false)), ElementsAre("live"));
}

TEST(PriorManaged, Subresource_IgnoresTheRequest) {
  EXPECT_THAT(Names(PriorManaged({Entry("live")}, {Entry("request")}, true)), ElementsAre("live"));
  EXPECT_THAT(Names(PriorManaged({Entry("live")}, Entries::Empty(), true)), ElementsAre("live"));
}

TEST(PriorManaged, EmptyListOrOneEmptyEntry_Clears) {
  const Entries live = {Entry("live")};
  EXPECT_THAT(Names(PriorManaged(live, Entries::Empty(), false)), IsEmpty());
  EXPECT_THAT(Names(PriorManaged(live, {ManagedFieldsEntry()}, false)), IsEmpty());
  // Two empty entries are an error like others.
  EXPECT_THAT(Names(PriorManaged(live, {ManagedFieldsEntry(), ManagedFieldsEntry()}, false)),
              ElementsAre("live"));
  // One member makes the entry one that cannot be decoded.
  EXPECT_THAT(Names(PriorManaged(live, {ManagedFieldsEntry{.manager = "m"}}, false)),
              ElementsAre("live"));
}

TEST(PriorManaged, UndecodableLiveEntries_CountAsAbsent) {
  EXPECT_EQ(PriorManaged(Undecodable(), {}, false), Managed());
  EXPECT_EQ(PriorManaged(Undecodable(), {}, true), Managed());
}

}  // namespace
}  // namespace kube::managedfields::internal

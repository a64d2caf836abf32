#include "apimachinery/managedfields/testing/entry_lines.h"

#include <string>
#include <vector>

#include "api/meta/v1/types.kube.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/raw.h"
#include "apimachinery/types/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::managedfields {
namespace {

using api::meta::v1::ManagedFieldsEntry;
using testing::ElementsAreArray;
using testing::IsEmpty;

TEST(EntryLinesTest, Line_BecomesAnEntry) {
  const List<ManagedFieldsEntry> entries =
      ParseEntryLines({R"(ctl Apply apps/v1 - 100 {"f:spec":{"f:replicas":{}}})",
                       R"(kubelet Update v1 status - {"v:\"a b\"":{}})"});
  ASSERT_EQ(entries.size(), 2u);
  const ManagedFieldsEntry applied = {.manager = "ctl",
                                      .operation = "Apply",
                                      .api_version = "apps/v1",
                                      .time = Time::FromUnixSeconds(100),
                                      .fields_type = "FieldsV1",
                                      .fields_v1 = FieldsV1(R"({"f:spec":{"f:replicas":{}}})")};
  EXPECT_EQ(entries[0], applied);
  const ManagedFieldsEntry updated = {.manager = "kubelet",
                                      .operation = "Update",
                                      .api_version = "v1",
                                      .fields_type = "FieldsV1",
                                      .fields_v1 = FieldsV1(R"({"v:\"a b\"":{}})"),
                                      .subresource = "status"};
  EXPECT_EQ(entries[1], updated);
}

TEST(EntryLinesTest, Entries_BecomeTheLinesTheyCameFrom) {
  const std::vector<std::string> lines = {
      R"(ctl Apply apps/v1 - 100 {"f:spec":{"f:replicas":{}}})",
      R"(kubelet Update v1 status - {"v:\"a b\"":{}})",
      "nobody Update v1 - 0 {}",
  };
  EXPECT_THAT(EntryLines(ParseEntryLines(lines)), ElementsAreArray(lines));
}

TEST(EntryLinesTest, NoLines_BecomeANullList) {
  EXPECT_TRUE(ParseEntryLines(std::vector<std::string>()).is_null());
  EXPECT_THAT(EntryLines(List<ManagedFieldsEntry>()), IsEmpty());
}

}  // namespace
}  // namespace kube::managedfields

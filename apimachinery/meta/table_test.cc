#include "apimachinery/meta/table.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/raw.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::meta {
namespace {

namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;
using base::IsOkAndHolds;
using base::StatusIs;

TEST(TextCell, TextCell_IsAnEscapedJsonString) {
  EXPECT_EQ(TextCell("a \"b\"\n").view(), R"("a \"b\"\n")");
  EXPECT_EQ(TextCell("").view(), "\"\"");
}

TEST(FindColumn, FindColumn_UnknownName_IsMinusOne) {
  const metav1::Table table = {.column_definitions = {{.name = "Name"}, {.name = "Age"}}};
  EXPECT_EQ(FindColumn(table, "Name"), 0);
  EXPECT_EQ(FindColumn(table, "Age"), 1);
  EXPECT_EQ(FindColumn(table, "age"), -1);
}

TEST(TableRowsOf, TableRowsOf_List_HasARowForEachItem) {
  corev1::ConfigMapList list;
  list.items.resize(2);
  list.items[0].metadata.name = "a";
  list.items[1].metadata.name = "b";
  const auto cells = [](const corev1::ConfigMap& map) -> absl::StatusOr<List<RawJson>> {
    return List<RawJson>{TextCell(map.metadata.name.view()),
                         RawJson(absl::StrCat(map.data.size()))};
  };
  const absl::StatusOr<List<metav1::TableRow>> rows = TableRowsOf(list, cells);
  ASSERT_THAT(rows, base::IsOk());
  const metav1::Table table = {.rows = *rows};
  EXPECT_THAT(
      codec::EncodeJson(table),
      IsOkAndHolds(
          R"({"metadata":{},"columnDefinitions":null,"rows":[{"cells":["a",0],"object":{"metadata":{"name":"a"}}},{"cells":["b",0],"object":{"metadata":{"name":"b"}}}]})"));
  EXPECT_FALSE(TableRowsOf(corev1::ConfigMapList(), cells)->is_null());
}

TEST(TableRowsOf, TableRowsOf_Error_StopsAndReturnsIt) {
  corev1::ConfigMapList list;
  list.items.resize(2);
  int called = 0;
  EXPECT_THAT(TableRowsOf(list,
                          [&](const corev1::ConfigMap&) -> absl::StatusOr<List<RawJson>> {
                            ++called;
                            return absl::AbortedError("no");
                          }),
              StatusIs(absl::StatusCode::kAborted, "no"));
  EXPECT_EQ(called, 1);
}

}  // namespace
}  // namespace kube::meta

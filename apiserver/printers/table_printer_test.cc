#include "apiserver/printers/table_printer.h"

#include <utility>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kinds.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/raw.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::printers {
namespace {

namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;

using ::testing::ElementsAre;

constexpr absl::Time kNow = absl::FromUnixSeconds(1'800'000'000);

TEST(PlainTables, ShowNameAndDateOfAnyKind) {
  const absl::StatusOr<codec::AnyObject> object = codec::AnyObject::DecodeJson(
      corev1::Kinds()[0],
      R"({"metadata":{"name":"web-0","creationTimestamp":"1970-01-01T00:00:00Z"}})");
  ASSERT_TRUE(object.ok()) << object.status();
  const codec::AnyObject& pod = *object;
  const List<metav1::TableColumnDefinition> columns = PlainTables().Columns(pod.kind());
  ASSERT_EQ(columns.size(), 2);
  EXPECT_EQ(columns[0].name, "Name");
  EXPECT_EQ(columns[1].name, "Created At");
  EXPECT_EQ(columns[1].type, "date");

  const absl::StatusOr<metav1::TableRow> row = PlainTables().Row(pod, kNow);
  ASSERT_TRUE(row.ok()) << row.status();
  EXPECT_THAT(row->cells, ElementsAre(RawJson(R"("web-0")"), RawJson(R"("1970-01-01T00:00:00Z")")));
  EXPECT_FALSE(PlainTables().Before(pod, pod));
}

absl::StatusOr<metav1::Table> TableOf(const TablePrinter& printer, const codec::AnyObject& pod,
                                      absl::Time now) {
  metav1::Table table;
  table.column_definitions = printer.Columns(pod.kind());
  KUBE_ASSIGN_OR_RETURN(metav1::TableRow row, printer.Row(pod, now));
  table.rows.push_back(std::move(row));  // row.object is the caller's: see includeObject
  return table;
}

TEST(PlainTables, MakeATable_AsInTheHeader) {
  const codec::AnyObject pod(corev1::Kinds()[0]);
  const absl::StatusOr<metav1::Table> table = TableOf(PlainTables(), pod, kNow);
  ASSERT_TRUE(table.ok()) << table.status();
  ASSERT_EQ(table->rows.size(), 1);
  EXPECT_EQ(table->rows[0].cells.size(), table->column_definitions.size());
}

}  // namespace
}  // namespace kube::printers

#include "apiserver/printers/internal/printer.h"

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/meta/accessor.h"
#include "apimachinery/types/list.h"
#include "apiserver/printers/internal/row.h"

namespace kube::printers::internal {
namespace {

namespace metav1 = api::meta::v1;

// The second column is a date, which clients may format (kube-apiserver: `registry/rest/table.go`).
constexpr Column kPlainColumns[] = {
    kName,
    {"Created At", "date", "When the object was created."},
};

void PrintPlain(const codec::AnyObject& object, Row& row) {
  const metav1::ObjectMeta* metadata = meta::MetadataOf(object);
  if (metadata == nullptr) {
    row.Text("");
    row.Text("");
    return;
  }
  row.Text(metadata->name);
  row.Text(metadata->creation_timestamp.ToString());
}

}  // namespace

constexpr Printer kPlainPrinter = {nullptr, kPlainColumns, PrintPlain};

List<metav1::TableColumnDefinition> ColumnsOf(const Printer& printer) {
  List<metav1::TableColumnDefinition> columns;
  for (const Column& column : printer.columns) {
    columns.push_back({.name = column.name,
                       .type = column.type,
                       .format = column.format,
                       .description = column.description,
                       .priority = column.priority});
  }
  return columns;
}

absl::StatusOr<metav1::TableRow> RowOf(const Printer& printer, const codec::AnyObject& object,
                                       absl::Time now) {
  Row row(now);
  printer.print(object, row);
  return row.Take();
}

}  // namespace kube::printers::internal

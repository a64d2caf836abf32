#include "apiserver/custom_table.h"

#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/meta/table.h"
#include "apimachinery/types/list.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apiserver/custom_kind.h"
#include "apiserver/object.h"

namespace kube::apiserver {

namespace metav1 = api::meta::v1;

List<metav1::TableColumnDefinition> CustomColumns(const CustomKind& custom) {
  List<metav1::TableColumnDefinition> columns;
  metav1::TableColumnDefinition name{.name = "Name", .type = "string", .format = "name"};
  name.description = "The name of the object, unique for its kind within a namespace.";
  columns.push_back(std::move(name));
  for (const CustomKind::Column& each : custom.columns()) columns.push_back(each.definition);
  return columns;
}

metav1::TableRow CustomRow(const CustomKind& custom, const Object& object, absl::Time now) {
  metav1::TableRow row;
  row.cells.push_back(meta::TextCell(object.metadata().name.view()));
  const unstructured::Value whole(object.ToUnstructured().object);
  for (const CustomKind::Column& each : custom.columns()) {
    const absl::StatusOr<std::string> cell =
        unstructured::EncodeJson(each.printer.Cell(whole, now));
    row.cells.push_back(cell.ok() ? *cell : "null");
  }
  return row;
}

}  // namespace kube::apiserver

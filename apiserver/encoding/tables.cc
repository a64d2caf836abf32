#include "apiserver/encoding/tables.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/types/list.h"
#include "apiserver/custom_table.h"
#include "apiserver/encoding/output.h"
#include "apiserver/errors/plain_error.h"
#include "apiserver/object.h"
#include "apiserver/printers/table_printer.h"

namespace kube::apiserver::internal {
namespace {

namespace metav1 = api::meta::v1;

metav1::Table TableFor(const KindInfo& kind, const Output& output) {
  metav1::Table table;
  table.kind = "Table";
  table.api_version = "meta.k8s.io/v1";
  table.column_definitions =
      output.custom != nullptr ? CustomColumns(*output.custom) : output.tables->Columns(kind);
  table.rows = List<metav1::TableRow>::Empty();
  return table;
}

absl::StatusOr<metav1::TableRow> CellsOf(const StoredObject& object, absl::Time now,
                                         const Output& output) {
  if (output.custom != nullptr) return CustomRow(*output.custom, object.object(), now);
  absl::StatusOr<metav1::TableRow> row = output.tables->Row(object.object().any(), now);
  if (!row.ok()) return PlainError(row.status().message());
  return row;
}

absl::Status AddRow(metav1::Table& table, const StoredObject& object, absl::Time now,
                    const Output& output) {
  KUBE_ASSIGN_OR_RETURN(metav1::TableRow row, CellsOf(object, now, output));
  if (output.include_object == "Object") {
    row.object = JsonOf(object);
  } else if (output.include_object != "None") {
    KUBE_ASSIGN_OR_RETURN(row.object, codec::EncodeJson(MetadataOf(object)));
  }
  table.rows.push_back(std::move(row));
  return absl::OkStatus();
}

std::vector<const StoredObject*> InOrder(const std::vector<ObjectPtr>& items,
                                         const Output& output) {
  std::vector<const StoredObject*> sorted;
  sorted.reserve(items.size());
  for (const ObjectPtr& item : items) sorted.push_back(item.get());
  if (output.custom != nullptr) return sorted;
  std::stable_sort(sorted.begin(), sorted.end(), [&](const StoredObject* a, const StoredObject* b) {
    return output.tables->Before(a->object().any(), b->object().any());
  });
  return sorted;
}

}  // namespace

absl::StatusOr<metav1::Table> TableOf(const StoredObject& object, const Output& output) {
  metav1::Table table = TableFor(object.object().kind(), output);
  table.metadata.resource_version = object.metadata().resource_version;
  KUBE_RETURN_IF_ERROR(AddRow(table, object, base::WallNow(), output));
  return table;
}

absl::StatusOr<metav1::Table> TableOf(const KindInfo& kind, const metav1::ListMeta& metadata,
                                      const std::vector<ObjectPtr>& items, const Output& output) {
  metav1::Table table = TableFor(kind, output);
  table.metadata = metadata;
  const absl::Time now = base::WallNow();
  for (const StoredObject* object : InOrder(items, output)) {
    KUBE_RETURN_IF_ERROR(AddRow(table, *object, now, output));
  }
  return table;
}

}  // namespace kube::apiserver::internal

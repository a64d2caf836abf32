#include "envtest/server/internal/tables.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/types/list.h"
#include "envtest/server/internal/output.h"
#include "envtest/server/object.h"
#include "envtest/server/printers/printers.h"

namespace kube::envtest::internal {
namespace {

namespace metav1 = api::meta::v1;

metav1::Table TableFor(const KindInfo& kind) {
  metav1::Table table;
  table.kind = "Table";
  table.api_version = "meta.k8s.io/v1";
  table.column_definitions = printers::ColumnsOf(kind);
  table.rows = List<metav1::TableRow>::Empty();
  return table;
}

absl::Status AddRow(metav1::Table& table, const StoredObject& object, absl::Time now,
                    absl::string_view include_object) {
  absl::StatusOr<metav1::TableRow> row = printers::RowOf(object.object().any(), now);
  if (!row.ok()) return PlainError(row.status().message());
  if (include_object == "Object") {
    row->object = JsonOf(object);
  } else if (include_object != "None") {
    KUBE_ASSIGN_OR_RETURN(row->object, codec::EncodeJson(MetadataOf(object)));
  }
  table.rows.push_back(*std::move(row));
  return absl::OkStatus();
}

absl::Time Now() { return base::Runtime::Current().WallNow(); }

}  // namespace

absl::StatusOr<metav1::Table> TableOf(const StoredObject& object,
                                      absl::string_view include_object) {
  metav1::Table table = TableFor(object.object().kind());
  table.metadata.resource_version = object.metadata().resource_version;
  KUBE_RETURN_IF_ERROR(AddRow(table, object, Now(), include_object));
  return table;
}

absl::StatusOr<metav1::Table> TableOf(const KindInfo& kind, const metav1::ListMeta& metadata,
                                      const std::vector<ObjectPtr>& items,
                                      absl::string_view include_object) {
  std::vector<const StoredObject*> sorted;
  sorted.reserve(items.size());
  for (const ObjectPtr& item : items) sorted.push_back(item.get());
  std::stable_sort(sorted.begin(), sorted.end(), [](const StoredObject* a, const StoredObject* b) {
    return printers::RowBefore(a->object().any(), b->object().any());
  });
  metav1::Table table = TableFor(kind);
  table.metadata = metadata;
  const absl::Time now = Now();
  for (const StoredObject* object : sorted) {
    KUBE_RETURN_IF_ERROR(AddRow(table, *object, now, include_object));
  }
  return table;
}

}  // namespace kube::envtest::internal

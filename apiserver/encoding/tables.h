#ifndef APISERVER_ENCODING_TABLES_H_
#define APISERVER_ENCODING_TABLES_H_

#include <vector>

#include "absl/status/statusor.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/types/kind_info.h"
#include "apiserver/encoding/output.h"
#include "apiserver/object.h"

// Converts objects to tables, as kubectl shows them. Ages are relative to the runtime's clock; the
// Output says what is sent besides the cells, and which custom resource is shown. Returns
// PlainError, a 500, if a row cannot be made. Thread-safe.
namespace kube::apiserver::internal {

// Returns the table of one object.
absl::StatusOr<api::meta::v1::Table> TableOf(const StoredObject& object, const Output& output);

// Returns the table of a list, whose rows are in the order of the printer.
absl::StatusOr<api::meta::v1::Table> TableOf(const KindInfo& kind,
                                             const api::meta::v1::ListMeta& metadata,
                                             const std::vector<ObjectPtr>& items,
                                             const Output& output);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_ENCODING_TABLES_H_

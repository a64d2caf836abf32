#ifndef APISERVER_ENCODING_TABLES_H_
#define APISERVER_ENCODING_TABLES_H_

#include <vector>

#include "absl/status/statusor.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/types/kind_info.h"
#include "apiserver/encoding/output.h"
#include "apiserver/object.h"

// Objects as kubectl shows them. Ages are up to the runtime's now; the Output says what stands
// beside the cells, and of which custom resource they are. Thread-safe.
//
// An error is that of a row that cannot be made: PlainError's, a 500.
namespace kube::apiserver::internal {

// Of one object.
absl::StatusOr<api::meta::v1::Table> TableOf(const StoredObject& object, const Output& output);

// Of a list of objects of a kind, in the order in which it shows them.
absl::StatusOr<api::meta::v1::Table> TableOf(const KindInfo& kind,
                                             const api::meta::v1::ListMeta& metadata,
                                             const std::vector<ObjectPtr>& items,
                                             const Output& output);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_ENCODING_TABLES_H_

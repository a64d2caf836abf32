#ifndef ENVTEST_SERVER_INTERNAL_TABLES_H_
#define ENVTEST_SERVER_INTERNAL_TABLES_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/types/kind_info.h"
#include "envtest/server/object.h"

// Objects as kubectl shows them. Ages are up to the runtime's now; `include_object` says what
// stands beside the cells: "None", "Object", else the metadata. Thread-safe.
//
// An error is that of a row that cannot be made: PlainError's, a 500.
namespace kube::envtest::internal {

// Of one object.
absl::StatusOr<api::meta::v1::Table> TableOf(const StoredObject& object,
                                             absl::string_view include_object);

// Of a list of objects of a kind, in the order in which it shows them.
absl::StatusOr<api::meta::v1::Table> TableOf(const KindInfo& kind,
                                             const api::meta::v1::ListMeta& metadata,
                                             const std::vector<ObjectPtr>& items,
                                             absl::string_view include_object);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_SERVER_INTERNAL_TABLES_H_

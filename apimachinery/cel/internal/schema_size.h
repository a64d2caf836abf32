#ifndef APIMACHINERY_CEL_INTERNAL_SCHEMA_SIZE_H_
#define APIMACHINERY_CEL_INTERNAL_SCHEMA_SIZE_H_

#include <cstdint>
#include <optional>

#include "absl/strings/string_view.h"
#include "apimachinery/cel/schema.h"

// How large the values of a schema can be, for the estimate of costs. Pure functions: thread-safe.
namespace kube::cel::internal {

// The size of the largest request that an API server accepts, in bytes. (k8s.io/apiserver:
// `celconfig.MaxRequestSizeBytes`)
inline constexpr int64_t kMaxRequestSize = int64_t{3} * 1024 * 1024;

// Returns the size of the smallest JSON of a value; nullopt if expressions cannot see such values.
// (k8s.io/apiserver: `DeclType.MinSerializedSize`)
std::optional<int64_t> MinSerializedSize(const Schema& schema);

// Returns how many bytes a text, how many elements a list, and how many entries a map can have. If
// the schema sets no limit, it is what fits into a request. Other values have no size: 0.
// (k8s.io/apiserver: `DeclType.MaxElements`)
int64_t MaxElements(const Schema& schema);

// Returns the schema of a member of an object; null if expressions do not see the member. The name
// is an identifier: see EscapeIdentifier in escape.h.
const Schema* FindMember(const Schema& schema, absl::string_view identifier);

}  // namespace kube::cel::internal

#endif  // APIMACHINERY_CEL_INTERNAL_SCHEMA_SIZE_H_

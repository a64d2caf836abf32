#ifndef APISERVER_ENCODING_DUPLICATE_FIELDS_H_
#define APISERVER_ENCODING_DUPLICATE_FIELDS_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace kube::apiserver::internal {

// Returns the error `duplicate field "spec.ports[1].name"` for each member that occurs twice in an
// object of a valid JSON text: each once, in their order, at most 100. Used for objects without a
// type; for others the decoder reports the same (Go: `sigs.k8s.io/json.UnmarshalStrict`). Pure and
// thread-safe.
std::vector<std::string> DuplicateFields(absl::string_view json);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_ENCODING_DUPLICATE_FIELDS_H_

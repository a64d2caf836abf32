#ifndef APISERVER_ENCODING_DUPLICATE_FIELDS_H_
#define APISERVER_ENCODING_DUPLICATE_FIELDS_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace kube::apiserver::internal {

// `duplicate field "spec.ports[1].name"` for each member that comes twice in an object of a text
// that is JSON, each once, in the order in which they come twice, at most 100. For objects without
// a type; the decoder tells the same of others. (sigs.k8s.io/json's UnmarshalStrict) Pure:
// thread-safe.
std::vector<std::string> DuplicateFields(absl::string_view json);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_ENCODING_DUPLICATE_FIELDS_H_

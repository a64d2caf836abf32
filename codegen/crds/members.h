#ifndef CODEGEN_CRDS_MEMBERS_H_
#define CODEGEN_CRDS_MEMBERS_H_

#include <string>

#include "absl/strings/string_view.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"

// Access to the members of the objects that a CRD consists of. Pure and thread-safe.

namespace kube::codegen {

// Return the member `key`, an object or a list, which is added if it is missing. Adding another
// member to `object` invalidates the reference.
Map<unstructured::Value>& ObjectAt(Map<unstructured::Value>& object, absl::string_view key);
List<unstructured::Value>& ListAt(Map<unstructured::Value>& object, absl::string_view key);

// Returns the "type" of a schema, or "" if it allows any type.
std::string TypeOf(const Map<unstructured::Value>& schema);

}  // namespace kube::codegen

#endif  // CODEGEN_CRDS_MEMBERS_H_

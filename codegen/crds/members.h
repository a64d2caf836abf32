#ifndef CODEGEN_CRDS_MEMBERS_H_
#define CODEGEN_CRDS_MEMBERS_H_

#include <string>

#include "absl/strings/string_view.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"

// Members of the objects that a CRD consists of. Pure functions: thread-safe.

namespace kube::codegen {

// The member `key`, an object or a list, which is added if `object` does not have it. The result
// ends when another member is added.
Map<unstructured::Value>& ObjectAt(Map<unstructured::Value>& object, absl::string_view key);
List<unstructured::Value>& ListAt(Map<unstructured::Value>& object, absl::string_view key);

// The "type" of a schema; "" is any type.
std::string TypeOf(const Map<unstructured::Value>& schema);

}  // namespace kube::codegen

#endif  // CODEGEN_CRDS_MEMBERS_H_

#ifndef APIMACHINERY_UNSTRUCTURED_GO_FORMAT_H_
#define APIMACHINERY_UNSTRUCTURED_GO_FORMAT_H_

#include <string>

#include "absl/strings/string_view.h"
#include "apimachinery/unstructured/value.h"

namespace kube::unstructured {

// Print a value as Go's fmt prints the interface{} that upstream has in its place, because
// upstream's error messages contain such texts and some of its algorithms sort or compare by them.
// Thread-safe.

// Prints as %v does: map[a:1 b:<nil>], [x y], 1e+06.
std::string FormatAsGo(const Value& value);

// Prints as %s does, which marks everything that is not a string: %!s(int64=1).
std::string FormatAsGoString(const Value& value);

// Returns what %T prints: "int64", "map[string]interface {}", "<nil>".
absl::string_view GoType(const Value& value);

}  // namespace kube::unstructured

#endif  // APIMACHINERY_UNSTRUCTURED_GO_FORMAT_H_

#ifndef APIMACHINERY_CEL_ESCAPE_H_
#define APIMACHINERY_CEL_ESCAPE_H_

#include <optional>
#include <string>

#include "absl/strings/string_view.h"

// The names under which expressions see the members of objects, since not every name is an
// identifier. Pure functions: thread-safe. (k8s.io/apiserver: `pkg/cel/escaping.go`)
namespace kube::cel {

// Returns the identifier for a member: "a__dash__b" for "a-b", "__namespace__" for "namespace",
// which is a reserved word. Returns nullopt if expressions cannot access the member, because its
// name begins with a digit or has characters other than letters, digits, "_", ".", "-" and "/".
std::optional<std::string> EscapeIdentifier(absl::string_view name);

// Returns the name of the member for an identifier. Returns nullopt for an escape that does not
// exist.
std::optional<std::string> UnescapeIdentifier(absl::string_view identifier);

}  // namespace kube::cel

#endif  // APIMACHINERY_CEL_ESCAPE_H_

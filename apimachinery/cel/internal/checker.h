#ifndef APIMACHINERY_CEL_INTERNAL_CHECKER_H_
#define APIMACHINERY_CEL_INTERNAL_CHECKER_H_

#include <vector>

#include "absl/strings/string_view.h"
#include "apimachinery/cel/ast.h"
#include "apimachinery/cel/environment.h"
#include "apimachinery/cel/internal/function.h"
#include "apimachinery/cel/source.h"
#include "apimachinery/cel/type.h"

// Finds the types of the nodes of a tree.
namespace kube::cel::internal {

// Fills in `type`, `overloads` and `names_type` of the nodes; replaces names such as
// google.protobuf.Timestamp and optional.of, which the parser takes for fields and methods, by
// identifiers and functions. Elements of list and map literals must have one type. Returns what is
// wrong, in cel-go's words; the tree is then of no use. `functions` must outlive `ast`. (cel-go:
// `checker.Check`)
std::vector<Issue> CheckTypes(const Environment& environment, const Functions& functions, Ast& ast);

// Returns the type with a name that expressions can use as a value: int, net.IP. Returns null if
// no type has this name.
TypePtr FindNamedType(absl::string_view name);

}  // namespace kube::cel::internal

#endif  // APIMACHINERY_CEL_INTERNAL_CHECKER_H_

#ifndef APIMACHINERY_CEL_INTERNAL_MACROS_H_
#define APIMACHINERY_CEL_INTERNAL_MACROS_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "apimachinery/cel/ast.h"

// Macros: calls that the parser replaces by other expressions.
namespace kube::cel::internal {

// The variable in which loops collect their result. No expression can name it.
inline constexpr absl::string_view kAccumulator = "@result";

// A call: of a method if there is a target.
struct MacroCall {
  std::string function = {};
  // The place of the nodes that the macro adds.
  size_t offset = 0;
  ExprPtr target = nullptr;
  std::vector<ExprPtr> arguments = {};
};

// Returns whether a call with this name and this number of arguments is a macro.
bool IsMacro(absl::string_view function, size_t arguments, bool has_target);

// What a macro expands to, or its error.
struct Expansion {
  // Null if there is an error.
  ExprPtr expr = nullptr;
  std::string error = {};
  size_t error_offset = 0;
};

// Expands a call for which IsMacro is true.
Expansion Expand(MacroCall call);

}  // namespace kube::cel::internal

#endif  // APIMACHINERY_CEL_INTERNAL_MACROS_H_

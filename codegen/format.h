#ifndef CODEGEN_FORMAT_H_
#define CODEGEN_FORMAT_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

// Formats parts of the output as clang-format does, in lines of at most 100 columns. Pure and
// thread-safe.

namespace kube::codegen {

// Returns the lines of a comment as they follow "//" at `indent`: " text", or "" for an empty line.
// Long lines are broken at spaces.
std::vector<std::string> CommentLines(absl::string_view comment, int indent);

// Returns whether no line has more than 100 columns.
bool FitsColumns(absl::string_view text);

// Returns the declaration of a member, "  type name{};", broken after the type if it is long.
std::string MemberLine(absl::string_view type, absl::string_view name);

// Returns the definition of a string constant, broken before its value if it is long.
std::string ConstantLine(absl::string_view name, absl::string_view value);

// Returns any bytes as a string literal with its quotes.
std::string StringLiteral(absl::string_view bytes);

}  // namespace kube::codegen

#endif  // CODEGEN_FORMAT_H_

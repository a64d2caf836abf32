#ifndef CODEGEN_FORMAT_H_
#define CODEGEN_FORMAT_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

// Parts of the output as clang-format would leave them: lines of at most a hundred columns. Pure
// functions: thread-safe.

namespace kube::codegen {

// The lines of a comment, each as it follows "//" at `indent`: " text", or "" of an empty one. Long
// lines are broken at spaces.
std::vector<std::string> CommentLines(absl::string_view comment, int indent);

// Whether no line of it has more than a hundred columns.
bool FitsColumns(absl::string_view text);

// A member: "  type name{};", broken after the type if it is long.
std::string MemberLine(absl::string_view type, absl::string_view name);

// A constant of a string, broken before its value if it is long.
std::string ConstantLine(absl::string_view name, absl::string_view value);

// Any bytes, as a string literal in its quotes.
std::string StringLiteral(absl::string_view bytes);

}  // namespace kube::codegen

#endif  // CODEGEN_FORMAT_H_

#ifndef APIMACHINERY_CEL_COMPILE_H_
#define APIMACHINERY_CEL_COMPILE_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/cel/ast.h"
#include "apimachinery/cel/environment.h"

namespace kube::cel {

// Parses an expression and finds the types of its parts, so that `root->type` of the result is the
// type of the value. Returns INVALID_ARGUMENT for an expression that cannot be used, with the text
// of FormatIssues: besides syntax errors, for unknown names, operands of the wrong type, lists with
// elements of different types, and constants that are no durations, timestamps or patterns. Fix the
// expression, or declare the variable. Pure function: thread-safe. (cel-go: `Env.Compile`)
//
//   KUBE_ASSIGN_OR_RETURN(Ast ast, Compile("self.replicas <= limit", environment));
absl::StatusOr<Ast> Compile(absl::string_view expression, const Environment& environment);

}  // namespace kube::cel

#endif  // APIMACHINERY_CEL_COMPILE_H_

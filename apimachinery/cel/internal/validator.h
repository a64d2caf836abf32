#ifndef APIMACHINERY_CEL_INTERNAL_VALIDATOR_H_
#define APIMACHINERY_CEL_INTERNAL_VALIDATOR_H_

#include <vector>

#include "apimachinery/cel/ast.h"
#include "apimachinery/cel/internal/function.h"
#include "apimachinery/cel/source.h"

namespace kube::cel::internal {

// Finds what would fail in every evaluation of an expression with types: durations, timestamps and
// patterns that are no such things, lists and maps with elements of different types, and formats
// that do not fit their arguments. (cel-go: `cel.ASTValidators`)
std::vector<Issue> ValidateLiterals(const Ast& ast, const Functions& functions);

}  // namespace kube::cel::internal

#endif  // APIMACHINERY_CEL_INTERNAL_VALIDATOR_H_

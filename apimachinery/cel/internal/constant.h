#ifndef APIMACHINERY_CEL_INTERNAL_CONSTANT_H_
#define APIMACHINERY_CEL_INTERNAL_CONSTANT_H_

#include "apimachinery/cel/ast.h"
#include "apimachinery/cel/value.h"

namespace kube::cel::internal {

// Returns the value of a literal; it does not refer to the literal.
Value LiteralValue(const Literal& literal);

}  // namespace kube::cel::internal

#endif  // APIMACHINERY_CEL_INTERNAL_CONSTANT_H_

#ifndef APIMACHINERY_CEL_INTERNAL_ESTIMATE_H_
#define APIMACHINERY_CEL_INTERNAL_ESTIMATE_H_

#include <cstdint>

#include "apimachinery/cel/ast.h"
#include "apimachinery/cel/schema.h"

namespace kube::cel::internal {

// Returns what an evaluation of an expression can cost at most, if its variables have the schema,
// whose limits say how large values can be; kUnlimited of bounds.h if there is no limit. `ast` must
// have been checked. An API server refuses rules by this number, so it is upstream's, also where
// that is surprising. Pure function: thread-safe. (cel-go: `checker.Cost`; apiextensions-apiserver:
// `sizeEstimator`)
uint64_t EstimateCost(const Ast& ast, const Schema& schema);

}  // namespace kube::cel::internal

#endif  // APIMACHINERY_CEL_INTERNAL_ESTIMATE_H_

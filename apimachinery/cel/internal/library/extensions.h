#ifndef APIMACHINERY_CEL_INTERNAL_LIBRARY_EXTENSIONS_H_
#define APIMACHINERY_CEL_INTERNAL_LIBRARY_EXTENSIONS_H_

#include "apimachinery/cel/internal/function.h"

// Functions beyond the language definition, as an API server has them. (cel-go: `ext`,
// `OptionalTypes`; k8s.io/apiserver: `pkg/cel/library`)
namespace kube::cel::internal {

// charAt, indexOf, replace, split ... (cel-go: `ext.Strings`, version 2)
void AddStringExtensions(Functions& functions);
// flatten, slice, sort, distinct, reverse, lists.range (cel-go: `ext.Lists`, version 3), and
// isSorted, sum, min, max, indexOf, lastIndexOf (k8s.io/apiserver: `library.Lists`).
void AddListExtensions(Functions& functions);
// sets.contains, sets.equivalent, sets.intersects (cel-go: `ext.Sets`)
void AddSetExtensions(Functions& functions);
// optional.of, hasValue, orValue ... (cel-go: `cel.OptionalTypes`)
void AddOptionalExtensions(Functions& functions);
// find, findAll (k8s.io/apiserver: `library.Regex`)
void AddRegexExtensions(Functions& functions);
// What transformMap and transformMapEntry expand to. (cel-go: `ext.TwoVarComprehensions`)
void AddMapExtensions(Functions& functions);

}  // namespace kube::cel::internal

#endif  // APIMACHINERY_CEL_INTERNAL_LIBRARY_EXTENSIONS_H_

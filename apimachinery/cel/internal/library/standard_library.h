#ifndef APIMACHINERY_CEL_INTERNAL_LIBRARY_STANDARD_LIBRARY_H_
#define APIMACHINERY_CEL_INTERNAL_LIBRARY_STANDARD_LIBRARY_H_

#include "apimachinery/cel/internal/function.h"
#include "apimachinery/cel/value.h"

// The functions of the language definition. (cel-go: `common/stdlib`)
namespace kube::cel::internal {

// Add operators; conversions such as int("1"); functions of strings; and of times and durations.
void AddOperators(Functions& functions);
void AddConversions(Functions& functions);
void AddStringFunctions(Functions& functions);
void AddTimeFunctions(Functions& functions);

// The operator +. `call` has two arguments.
Value AddValues(const Call& call);

// Adds all of them.
void AddStandardLibrary(Functions& functions);

}  // namespace kube::cel::internal

#endif  // APIMACHINERY_CEL_INTERNAL_LIBRARY_STANDARD_LIBRARY_H_

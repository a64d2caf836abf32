#ifndef APIMACHINERY_CEL_FORMAT_H_
#define APIMACHINERY_CEL_FORMAT_H_

#include <string>

#include "apimachinery/cel/value.h"

namespace kube::cel {

// Returns a value as an expression for it: `[1, 2u, "a", duration("5s")]`, with the entries of maps
// sorted by their keys; the message of an error after "error: ". For people and tests. Thread-safe.
// (cel-go: `types.Format`)
std::string FormatValue(const Value& value);

}  // namespace kube::cel

#endif  // APIMACHINERY_CEL_FORMAT_H_

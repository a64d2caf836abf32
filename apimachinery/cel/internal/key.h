#ifndef APIMACHINERY_CEL_INTERNAL_KEY_H_
#define APIMACHINERY_CEL_INTERNAL_KEY_H_

#include <optional>
#include <string>

#include "apimachinery/cel/value.h"

namespace kube::cel::internal {

// Returns a text that is equal for two values exactly if the values are equal, numbers of different
// types included: for hash tables. Returns nullopt for NaN, which equals nothing, and for values
// that are no scalars.
std::optional<std::string> KeyText(const Value& value);

}  // namespace kube::cel::internal

#endif  // APIMACHINERY_CEL_INTERNAL_KEY_H_

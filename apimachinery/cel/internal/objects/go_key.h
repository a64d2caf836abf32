#ifndef APIMACHINERY_CEL_INTERNAL_OBJECTS_GO_KEY_H_
#define APIMACHINERY_CEL_INTERNAL_OBJECTS_GO_KEY_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "apimachinery/cel/internal/budget.h"
#include "apimachinery/cel/value.h"

// The keys by which an API server finds elements of sets and of lists with keys. It puts what it
// decoded from JSON into Go's maps, so these keys are not what expressions see: a date is a text at
// the left of == and a time at the right, 1 is not 1.0, and lists and objects cannot be hashed,
// which ends the evaluation. Pure but for the budget.
namespace kube::cel::internal {

// A text that is equal for values with the same key; nullopt for a value whose key equals no other.
using GoKey = std::optional<std::string>;

// Return the key of an element of a set, if the set is at the left of an operator, or at the right.
// Call Budget::Fail if Go cannot hash it; then the result has no meaning.
GoKey StoredSetKey(const ListValue& list, size_t index, Budget& budget);
GoKey SetKey(const Value& element, Budget& budget);

// Returns the key of an element of a list with the keys `keys`: see ListKind::kMap. As upstream,
// members are looked up by the identifier, so that "namespace" is never found.
GoKey ListMapKey(const Value& element, const std::vector<std::string>& keys, Budget& budget);

}  // namespace kube::cel::internal

#endif  // APIMACHINERY_CEL_INTERNAL_OBJECTS_GO_KEY_H_

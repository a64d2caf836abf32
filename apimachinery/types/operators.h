#ifndef APIMACHINERY_TYPES_OPERATORS_H_
#define APIMACHINERY_TYPES_OPERATORS_H_

// Equality, printing and hashing of all generated structs, as one template each. Argument-dependent
// lookup searches the namespace of a struct, not the enclosing ones, but follows
// using-declarations. Therefore each generated namespace has such declarations, and every lookup,
// whichever namespaces it searches, finds the same three templates:
//
//   using ::kube::table::operators::operator==;
//   using ::kube::table::operators::operator<<;
//   using ::kube::table::operators::AbslHashValue;
//
// Friends in each struct would make up a third of the cost of including such a header.

#include <iosfwd>
#include <type_traits>
#include <utility>

#include "apimachinery/table/ops.h"
#include "apimachinery/table/print.h"
#include "apimachinery/types/message_type.h"

namespace kube::table::operators {

// A user's class may derive from a generated struct and inherit its table. Such a class is compared
// as that struct if it adds no members, virtual functions or other bases; with them, the struct
// might not be at the object's address.
template <typename T>
concept ComparableStruct = ApiStruct<T> && std::is_standard_layout_v<T>;

// Compares semantically: see EqualValues.
template <ComparableStruct T>
bool operator==(const T& a, const T& b) {
  return EqualMessages(&a, &b, T::kMessage);
}

// Writes one line for people to read: see table/print.h.
template <ComparableStruct T>
std::ostream& operator<<(std::ostream& out, const T& value) {
  return PrintMessage(out, &value, T::kMessage);
}

template <typename H, ComparableStruct T>
H AbslHashValue(H h, const T& value) {
  return H::combine(std::move(h), HashMessage(&value, T::kMessage));
}

}  // namespace kube::table::operators

#endif  // APIMACHINERY_TYPES_OPERATORS_H_

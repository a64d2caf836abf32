#ifndef APIMACHINERY_TYPES_OPERATORS_H_
#define APIMACHINERY_TYPES_OPERATORS_H_

// What all generated structs can do: ==, << and absl::Hash, once for all of them.
// Argument-dependent lookup looks in the namespace of a struct and not in those around it, but it
// does follow using declarations. So each generated namespace takes these over, and whichever
// namespaces a lookup goes through, it ends at the same three templates:
//
//   namespace kube::api::core::v1 {
//   using ::kube::table::operators::operator==;
//
// Friends that are written out in each struct would cost every source that includes the header a
// third of what the header costs.

#include <iosfwd>
#include <type_traits>
#include <utility>

#include "apimachinery/table/ops.h"
#include "apimachinery/table/print.h"
#include "apimachinery/types/message_type.h"

namespace kube::table::operators {

// A user's class may derive from a struct and inherit its table. It is compared as that struct if
// it adds no members, virtual functions or other bases; otherwise the two may differ in address.
template <typename T>
concept ComparableStruct = ApiStruct<T> && std::is_standard_layout_v<T>;

// Semantic: see EqualValues.
template <ComparableStruct T>
bool operator==(const T& a, const T& b) {
  return EqualMessages(&a, &b, T::kMessage);
}

// For people: see PrintMessage.
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

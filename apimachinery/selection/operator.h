#ifndef APIMACHINERY_SELECTION_OPERATOR_H_
#define APIMACHINERY_SELECTION_OPERATOR_H_

#include <cstdint>
#include <iosfwd>

#include "absl/strings/string_view.h"

namespace kube::selection {

// How a label or a field relates to the values that a selector names. (selection.Operator)
enum class Operator : uint8_t {
  kDoesNotExist,  // !
  kEquals,        // =
  kDoubleEquals,  // ==, which means the same
  kIn,            // in
  kNotEquals,     // !=
  kNotIn,         // notin
  kExists,        // exists
  kGreaterThan,   // gt
  kLessThan,      // lt
};

// As above: "notin".
absl::string_view ToString(Operator op);
std::ostream& operator<<(std::ostream& out, Operator op);

}  // namespace kube::selection

#endif  // APIMACHINERY_SELECTION_OPERATOR_H_

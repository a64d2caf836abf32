#ifndef APIMACHINERY_SELECTION_OPERATOR_H_
#define APIMACHINERY_SELECTION_OPERATOR_H_

#include <cstdint>
#include <iosfwd>

#include "absl/strings/string_view.h"

namespace kube::selection {

// The relation of a label or field to the values of a selector. (client-go: `selection.Operator`)
enum class Operator : uint8_t {
  kDoesNotExist,  // !
  kEquals,        // =
  kDoubleEquals,  // ==, a synonym of =
  kIn,            // in
  kNotEquals,     // !=
  kNotIn,         // notin
  kExists,        // exists
  kGreaterThan,   // gt
  kLessThan,      // lt
};

// Returns the text shown above, such as "notin".
absl::string_view ToString(Operator op);
std::ostream& operator<<(std::ostream& out, Operator op);

}  // namespace kube::selection

#endif  // APIMACHINERY_SELECTION_OPERATOR_H_

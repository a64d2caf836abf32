#ifndef APIMACHINERY_BASE_TEXT_QUANTITY_TEXT_H_
#define APIMACHINERY_BASE_TEXT_QUANTITY_TEXT_H_

// The texts of resource.Quantity: which are accepted, what they mean, and how Go writes them again.
// Pure functions: thread-safe. Time and memory are linear in the text's length, whatever exponent
// it has.

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "apimachinery/base/text/decimal.h"

namespace kube::text {

// Why a text is no quantity; Go has these three errors.
enum class QuantityError : uint8_t { kNone, kFormat, kNumeric, kSuffix };

// Go's words for `error`, which is not kNone.
absl::string_view QuantityErrorText(QuantityError error);

// How a quantity is written. Its value does not depend on it.
enum class QuantityFormat : uint8_t {
  kDecimalSI,        // 500m, 2, 12M
  kBinarySI,         // 512Mi
  kDecimalExponent,  // 12e6
};

// What resource.ParseQuantity makes of a text.
struct ParsedQuantity {
  QuantityError error = QuantityError::kNone;
  // The rest counts only without an error.
  QuantityFormat format = QuantityFormat::kDecimalSI;
  // Whether Go takes the text for canonical and writes it again as it stands. It is easily
  // convinced: "+1", "01", "1." and "1.500" are so too.
  bool verbatim = false;
  Decimal value = {};
};

// resource.ParseQuantity(text). Fractions below a billionth are rounded up, away from zero; with a
// binary suffix the limit is 2^63-1.
ParsedQuantity ParseQuantityText(absl::string_view text);

// Whether `text` is surely a quantity that Go writes again as it stands. It is quick, and sees
// that of the usual texts ("2", "100m", "512Mi"); false means "ask ParseQuantityText".
bool IsPlainQuantity(absl::string_view text);

// Quantity.String() after ParseQuantity(text), where `parsed` is ParseQuantityText(text) without
// error: the largest suffix that leaves a whole number.
//
// Numbers beyond the suffixes lose their suffix, as in Go: "1000E" becomes "1".
std::string CanonicalQuantityText(absl::string_view text, const ParsedQuantity& parsed);

// Quantity.String() of a number that was calculated. With kBinarySI, what is below 1024 or not
// whole is written as kDecimalSI, and so is what has more than Decimal::kMaxSpread digits.
std::string CanonicalQuantityText(const Decimal& value, QuantityFormat format);

// strings.TrimSpace, which Quantity.UnmarshalJSON applies to its text: white space of Unicode.
absl::string_view TrimGoSpace(absl::string_view text);

}  // namespace kube::text

#endif  // APIMACHINERY_BASE_TEXT_QUANTITY_TEXT_H_

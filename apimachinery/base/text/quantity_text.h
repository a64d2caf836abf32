#ifndef APIMACHINERY_BASE_TEXT_QUANTITY_TEXT_H_
#define APIMACHINERY_BASE_TEXT_QUANTITY_TEXT_H_

// Parses and formats the texts of apimachinery's `resource.Quantity` exactly as Go does. Pure
// functions: thread-safe. Time and memory are linear in the length of the text, whatever its
// exponent is.

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "apimachinery/base/text/decimal.h"

namespace kube::text {

// Why a text is not a quantity. Go has the same three errors.
enum class QuantityError : uint8_t { kNone, kFormat, kNumeric, kSuffix };

// Returns Go's error text; empty for kNone.
absl::string_view QuantityErrorText(QuantityError error);

// The format of a quantity's text. The value does not depend on it.
enum class QuantityFormat : uint8_t {
  kDecimalSI,        // 500m, 2, 12M
  kBinarySI,         // 512Mi
  kDecimalExponent,  // 12e6
};

// The result of parsing a quantity.
struct ParsedQuantity {
  QuantityError error = QuantityError::kNone;
  // The other fields are meaningful only if `error` is kNone.
  QuantityFormat format = QuantityFormat::kDecimalSI;
  // Whether Go considers the text canonical and writes it unchanged. Its test is lenient: it
  // accepts "+1", "01", "1." and "1.500".
  bool verbatim = false;
  Decimal value = {};
};

// Parses a quantity. Digits below 10^-9 are rounded up, away from zero; with a binary suffix the
// value is limited to 2^63-1. apimachinery: `resource.ParseQuantity`.
ParsedQuantity ParseQuantityText(absl::string_view text);

// Returns true if `text` is certainly a quantity that Go writes unchanged. Fast, and recognises the
// usual texts ("2", "100m", "512Mi"); if it returns false, call ParseQuantityText.
bool IsPlainQuantity(absl::string_view text);

// Returns the text that Go writes for a parsed quantity: the one with the largest suffix that
// leaves a whole number. `parsed` must be the result of ParseQuantityText(text), without an error.
// apimachinery: `ParseQuantity(text).String()`.
//
// Numbers beyond the largest suffix lose their suffix, as in Go: "1000E" becomes "1".
std::string CanonicalQuantityText(absl::string_view text, const ParsedQuantity& parsed);

// Returns the text that Go writes for a calculated number. With kBinarySI, numbers below 1024,
// numbers that are not whole and numbers of more than Decimal::kMaxSpread digits are written as
// kDecimalSI.
std::string CanonicalQuantityText(const Decimal& value, QuantityFormat format);

// Removes Unicode white space at both ends, as Quantity.UnmarshalJSON does. Go:
// `strings.TrimSpace`.
absl::string_view TrimGoSpace(absl::string_view text);

}  // namespace kube::text

#endif  // APIMACHINERY_BASE_TEXT_QUANTITY_TEXT_H_

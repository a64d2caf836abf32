#ifndef APIMACHINERY_CEL_INTERNAL_LITERALS_H_
#define APIMACHINERY_CEL_INTERNAL_LITERALS_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

// The values of literals.
namespace kube::cel::internal {

// Returns the text of a string with its quotes and the prefix r, but without the prefix b. Line
// breaks become "\n". In bytes, escapes with hexadecimal and octal digits are bytes instead of code
// points. Returns INVALID_ARGUMENT with cel-go's words for an escape that is not allowed.
absl::StatusOr<std::string> Unquote(absl::string_view literal, bool is_bytes);

// Parse the text of a token, decimal or with the prefix "0x". Return nullopt if the number is out
// of range.
std::optional<int64_t> ParseIntLiteral(absl::string_view text, bool negative);
std::optional<uint64_t> ParseUintLiteral(absl::string_view text);

// Parses a number as double("...") does. Besides decimal numbers it accepts "inf", "infinity" and
// "nan" in any case, hexadecimal numbers with an exponent, and underscores between digits. Returns
// nullopt for other texts, and for numbers that are too large. (Go: `strconv.ParseFloat`)
std::optional<double> ParseGoDouble(absl::string_view text);

}  // namespace kube::cel::internal

#endif  // APIMACHINERY_CEL_INTERNAL_LITERALS_H_

#ifndef APIMACHINERY_BASE_TEXT_GO_INT_H_
#define APIMACHINERY_BASE_TEXT_GO_INT_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

// Parses decimal integers as Go does. Pure functions: thread-safe.
namespace kube::text {

enum class GoIntError : uint8_t { kNone, kSyntax, kRange };

template <typename T>
struct GoInt {
  GoIntError error = GoIntError::kNone;
  T value = 0;  // 0 for kSyntax; for kRange the nearest limit of T

  bool ok() const { return error == GoIntError::kNone; }
};

// Parses an integer with an optional sign. Go: `strconv.ParseInt(text, 10, 64)`, `strconv.Atoi`.
GoInt<int64_t> ParseGoInt(absl::string_view text);

// Parses an integer without a sign. Go: `strconv.ParseUint(text, 10, 64)`.
GoInt<uint64_t> ParseGoUint(absl::string_view text);

// Returns Go's error text: `strconv.Atoi: parsing "x": invalid syntax` if `function` is "Atoi".
// `error` must not be kNone.
std::string GoIntErrorText(absl::string_view function, absl::string_view text, GoIntError error);

}  // namespace kube::text

#endif  // APIMACHINERY_BASE_TEXT_GO_INT_H_

#ifndef APIMACHINERY_BASE_TEXT_GO_INT_H_
#define APIMACHINERY_BASE_TEXT_GO_INT_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

// Decimal integers in texts, as Go reads them. Pure functions: thread-safe.
namespace kube::text {

enum class GoIntError : uint8_t { kNone, kSyntax, kRange };

template <typename T>
struct GoInt {
  GoIntError error = GoIntError::kNone;
  T value = 0;  // With kSyntax zero, with kRange the nearest there is.

  bool ok() const { return error == GoIntError::kNone; }
};

// strconv.ParseInt(text, 10, 64), strconv.Atoi; with a sign.
GoInt<int64_t> ParseGoInt(absl::string_view text);

// strconv.ParseUint(text, 10, 64): no sign.
GoInt<uint64_t> ParseGoUint(absl::string_view text);

// `strconv.Atoi: parsing "x": invalid syntax`, where `function` is "Atoi". `error` is not kNone.
std::string GoIntErrorText(absl::string_view function, absl::string_view text, GoIntError error);

}  // namespace kube::text

#endif  // APIMACHINERY_BASE_TEXT_GO_INT_H_

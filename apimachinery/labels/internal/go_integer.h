#ifndef APIMACHINERY_LABELS_INTERNAL_GO_INTEGER_H_
#define APIMACHINERY_LABELS_INTERNAL_GO_INTEGER_H_

#include <charconv>
#include <cstdint>
#include <optional>
#include <system_error>

#include "absl/strings/string_view.h"

namespace kube::labels::internal {

// Parses an optional sign ("+" or "-") and digits, as Go's `strconv.ParseInt(text, 10, 64)`.
// Thread-safe.
inline std::optional<int64_t> ParseGoInteger(absl::string_view text) {
  const bool plus = !text.empty() && text.front() == '+';
  if (plus) text.remove_prefix(1);
  // Without this check "+-5" would pass, because from_chars accepts a minus sign.
  if (plus && !text.empty() && text.front() == '-') return std::nullopt;
  int64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [parsed, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || parsed != end) return std::nullopt;
  return number;
}

}  // namespace kube::labels::internal

#endif  // APIMACHINERY_LABELS_INTERNAL_GO_INTEGER_H_

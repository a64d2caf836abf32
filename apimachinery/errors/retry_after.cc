#include "apimachinery/errors/retry_after.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/text/http_date.h"

namespace kube::errors {

namespace {

// Accepts a sign and digits like strconv.Atoi; absl::SimpleAtoi also accepts white space around
// them.
std::optional<int64_t> ParseInteger(absl::string_view text) {
  absl::string_view digits = text;
  if (!digits.empty() && (digits[0] == '+' || digits[0] == '-')) digits.remove_prefix(1);
  if (digits.empty() || !absl::c_all_of(digits, absl::ascii_isdigit)) return std::nullopt;
  int64_t value = 0;
  if (text[0] == '+') text.remove_prefix(1);
  if (!absl::SimpleAtoi(text, &value)) return std::nullopt;
  return value;
}

}  // namespace

std::optional<absl::Duration> ParseRetryAfter(absl::string_view header, absl::Time now) {
  if (header.empty()) return std::nullopt;
  if (const std::optional<int64_t> seconds = ParseInteger(header)) return absl::Seconds(*seconds);
  const std::optional<absl::Time> date = text::ParseHttpDate(header);
  if (!date.has_value()) return std::nullopt;
  return std::max(absl::ZeroDuration(), absl::Ceil(*date - now, absl::Seconds(1)));
}

}  // namespace kube::errors

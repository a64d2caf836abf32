#include "apimachinery/types/parse.h"

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/text/duration_text.h"
#include "apimachinery/base/text/quantity_text.h"
#include "apimachinery/base/text/time_text.h"

namespace kube {
namespace {

constexpr size_t kMaxQuoted = 100;

absl::Status Error(absl::string_view what, absl::string_view text, absl::string_view cause) {
  std::string quoted = absl::Utf8SafeCHexEscape(text.substr(0, kMaxQuoted));
  if (text.size() > kMaxQuoted) quoted += "...";
  return absl::InvalidArgumentError(absl::StrCat("parse ", what, " \"", quoted, "\": ", cause));
}

}  // namespace

absl::StatusOr<Quantity> ParseQuantity(absl::string_view text) {
  if (!text::IsPlainQuantity(text)) {
    const text::QuantityError error = text::ParseQuantityText(text).error;
    if (error != text::QuantityError::kNone) {
      return Error("quantity", text, text::QuantityErrorText(error));
    }
  }
  return Quantity(text);
}

absl::StatusOr<Time> ParseTime(absl::string_view text) {
  const std::optional<int64_t> seconds = text::ParseRfc3339(text);
  if (!seconds) return Error("time", text, "expected format 2006-01-02T15:04:05Z");
  return internal::TimeAccess::Make(*seconds);
}

absl::StatusOr<MicroTime> ParseMicroTime(absl::string_view text) {
  const std::optional<text::MicroSeconds> time = text::ParseRfc3339Micro(text);
  if (!time) return Error("time", text, "expected format 2006-01-02T15:04:05.000000Z");
  return internal::MicroTimeAccess::Make(*time);
}

absl::StatusOr<Duration> ParseDuration(absl::string_view text) {
  const std::optional<int64_t> nanoseconds = text::ParseGoDuration(text);
  if (!nanoseconds) return Error("duration", text, "expected format 1h30m0.5s, or out of range");
  return Duration::FromNanoseconds(*nanoseconds);
}

}  // namespace kube

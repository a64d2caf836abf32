#include "apimachinery/codec/internal/leaf_text.h"

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "apimachinery/base/text/base64.h"
#include "apimachinery/base/text/duration_text.h"
#include "apimachinery/base/text/quantity_text.h"
#include "apimachinery/base/text/time_text.h"
#include "apimachinery/table/message.h"

namespace kube::codec::internal {

using kube::table::Kind;

const char* CheckQuantity(absl::string_view text) {
  if (kube::text::IsPlainQuantity(text)) return nullptr;
  const kube::text::QuantityError error = kube::text::ParseQuantityText(text).error;
  return error == kube::text::QuantityError::kNone ? nullptr : "expected a quantity";
}

const char* ParseTextual(Kind kind, absl::string_view text, char* to) {
  if (kind == Kind::kTime) {
    const std::optional<int64_t> seconds = kube::text::ParseRfc3339(text);
    if (!seconds.has_value()) return "expected a time in RFC 3339 format";
    std::memcpy(to, &*seconds, sizeof(*seconds));
    return nullptr;
  }
  if (kind == Kind::kMicroTime) {
    const std::optional<kube::text::MicroSeconds> time = kube::text::ParseRfc3339Micro(text);
    if (!time.has_value()) return "expected a time in RFC 3339 format, with microseconds";
    std::memcpy(to, &time->seconds, sizeof(time->seconds));
    std::memcpy(to + sizeof(time->seconds), &time->micros, sizeof(time->micros));
    return nullptr;
  }
  const std::optional<int64_t> nanoseconds = kube::text::ParseGoDuration(text);
  if (!nanoseconds.has_value()) return "expected a duration such as 1h30m";
  std::memcpy(to, &*nanoseconds, sizeof(*nanoseconds));
  return nullptr;
}

bool DecodeBase64Text(absl::string_view text, std::string& bytes) {
  bytes.resize(kube::text::MaxBase64DecodedSize(text.size()) + 3);
  const std::optional<size_t> size = kube::text::DecodeBase64(text, bytes.data());
  if (!size.has_value()) return false;
  bytes.resize(*size);
  return true;
}

}  // namespace kube::codec::internal

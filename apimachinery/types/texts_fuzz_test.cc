// Parses any text as each value: nothing crashes or hangs, and an accepted text, written again, is
// accepted with the same meaning.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/text/base64.h"
#include "apimachinery/base/text/decimal.h"
#include "apimachinery/base/text/duration_text.h"
#include "apimachinery/base/text/quantity_text.h"
#include "apimachinery/base/text/time_text.h"
#include "apimachinery/base/text/utf8.h"

namespace kube::internal {
namespace {

void Times(absl::string_view text) {
  char buffer[text::kMaxRfc3339Size];
  if (const std::optional<int64_t> seconds = text::ParseRfc3339(text)) {
    const std::string written(buffer, text::WriteRfc3339(*seconds, buffer));
    // An offset may lead out of the years of four digits.
    KUBE_CHECK(text::ParseRfc3339(written) == *seconds || written.size() > 20) << written;
  }
  if (const std::optional<text::MicroSeconds> time = text::ParseRfc3339Micro(text)) {
    const std::string written(buffer, text::WriteRfc3339Micro(*time, buffer));
    KUBE_CHECK(text::ParseRfc3339Micro(written) == *time || written.size() > 27) << written;
  }
}

void Durations(absl::string_view text) {
  const std::optional<int64_t> duration = text::ParseGoDuration(text);
  if (!duration) return;
  const std::string written = text::FormatGoDuration(*duration);
  KUBE_CHECK(text::ParseGoDuration(written) == *duration) << written;
}

void Quantities(absl::string_view text) {
  const text::ParsedQuantity parsed = text::ParseQuantityText(text);
  KUBE_CHECK_EQ(text::TrimGoSpace(text::TrimGoSpace(text)), text::TrimGoSpace(text));
  if (parsed.error != text::QuantityError::kNone) {
    KUBE_CHECK(!text::IsPlainQuantity(text));
    return;
  }
  const std::string written = text::CanonicalQuantityText(text, parsed);
  if (text::IsPlainQuantity(text)) KUBE_CHECK_EQ(written, text);
  const text::ParsedQuantity again = text::ParseQuantityText(written);
  KUBE_CHECK(again.error == text::QuantityError::kNone) << written;
  KUBE_CHECK_EQ(text::CanonicalQuantityText(written, again), written);
  // Go forgets suffixes beyond E, and wraps around exponents of 32 bits.
  const text::Decimal& value = parsed.value;
  const int64_t last = value.ToNormal().exponent;
  const bool exponent = parsed.format == text::QuantityFormat::kDecimalExponent;
  if (exponent ? last < 2'000'000'000 : last <= 18) {
    KUBE_CHECK(again.value == value) << written;
  }
  KUBE_CHECK((value.ToInt64(0) > 0) == (value.Sign() > 0));
}

void Base64(absl::string_view text) {
  const auto buffer = std::make_unique<char[]>(text::MaxBase64DecodedSize(text.size()));
  const std::optional<size_t> size = text::DecodeBase64(text, buffer.get());
  if (!size) return;
  const absl::string_view bytes(buffer.get(), *size);
  std::string encoded(text::Base64EncodedSize(bytes.size()), '\0');
  text::EncodeBase64(bytes, encoded.data());
  const auto again = std::make_unique<char[]>(text::MaxBase64DecodedSize(encoded.size()));
  KUBE_CHECK(text::DecodeBase64(encoded, again.get()) == *size);
  KUBE_CHECK_EQ(absl::string_view(again.get(), *size), bytes);
}

void Utf8(absl::string_view text) {
  size_t valid = 0;
  while (valid < text.size()) {
    const text::Rune rune = text::DecodeRune(text.substr(valid));
    if (rune.invalid()) break;
    valid += rune.size;
  }
  KUBE_CHECK_EQ(text::ValidUtf8Prefix(text), valid);
  std::string replaced;
  text::AppendReplacingInvalidUtf8(text, replaced);
  KUBE_CHECK(text::IsValidUtf8(replaced));
  KUBE_CHECK_EQ(text::IsValidUtf8(text), replaced == text);
}

}  // namespace
}  // namespace kube::internal

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::string_view text(reinterpret_cast<const char*>(data), size);
  kube::internal::Times(text);
  kube::internal::Durations(text);
  kube::internal::Quantities(text);
  kube::internal::Base64(text);
  kube::internal::Utf8(text);
  return 0;
}

// The texts of values: whatever comes in, nothing crashes or hangs, and what is accepted is
// accepted again as it is written, with the same meaning.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "apimachinery/types/internal/base64.h"
#include "apimachinery/types/internal/decimal.h"
#include "apimachinery/types/internal/duration_text.h"
#include "apimachinery/types/internal/quantity_text.h"
#include "apimachinery/types/internal/time_text.h"
#include "apimachinery/types/internal/utf8.h"

namespace kube::internal {
namespace {

void Times(absl::string_view text) {
  char buffer[kMaxRfc3339Size];
  if (const std::optional<int64_t> seconds = ParseRfc3339(text)) {
    const std::string written(buffer, WriteRfc3339(*seconds, buffer));
    // An offset may lead out of the years of four digits.
    KUBE_CHECK(ParseRfc3339(written) == *seconds || written.size() > 20) << written;
  }
  if (const std::optional<MicroSeconds> time = ParseRfc3339Micro(text)) {
    const std::string written(buffer, WriteRfc3339Micro(*time, buffer));
    KUBE_CHECK(ParseRfc3339Micro(written) == *time || written.size() > 27) << written;
  }
}

void Durations(absl::string_view text) {
  const std::optional<int64_t> duration = ParseGoDuration(text);
  if (!duration) return;
  const std::string written = FormatGoDuration(*duration);
  KUBE_CHECK(ParseGoDuration(written) == *duration) << written;
}

void Quantities(absl::string_view text) {
  const ParsedQuantity parsed = ParseQuantityText(text);
  KUBE_CHECK_EQ(TrimGoSpace(TrimGoSpace(text)), TrimGoSpace(text));
  if (parsed.error != QuantityError::kNone) {
    KUBE_CHECK(!IsPlainQuantity(text));
    return;
  }
  const std::string written = CanonicalQuantityText(text, parsed);
  if (IsPlainQuantity(text)) KUBE_CHECK_EQ(written, text);
  const ParsedQuantity again = ParseQuantityText(written);
  KUBE_CHECK(again.error == QuantityError::kNone) << written;
  KUBE_CHECK_EQ(CanonicalQuantityText(written, again), written);
  // Go forgets suffixes beyond E, and wraps around exponents of 32 bits.
  const Decimal& value = parsed.value;
  const int64_t last = value.ToNormal().exponent;
  const bool exponent = parsed.format == QuantityFormat::kDecimalExponent;
  if (exponent ? last < 2'000'000'000 : last <= 18) {
    KUBE_CHECK(again.value == value) << written;
  }
  KUBE_CHECK((value.ToInt64(0) > 0) == (value.Sign() > 0));
}

void Base64(absl::string_view text) {
  const auto buffer = std::make_unique<char[]>(MaxBase64DecodedSize(text.size()));
  const std::optional<size_t> size = DecodeBase64(text, buffer.get());
  if (!size) return;
  const absl::string_view bytes(buffer.get(), *size);
  std::string encoded(Base64EncodedSize(bytes.size()), '\0');
  EncodeBase64(bytes, encoded.data());
  const auto again = std::make_unique<char[]>(MaxBase64DecodedSize(encoded.size()));
  KUBE_CHECK(DecodeBase64(encoded, again.get()) == *size);
  KUBE_CHECK_EQ(absl::string_view(again.get(), *size), bytes);
}

void Utf8(absl::string_view text) {
  KUBE_CHECK_EQ(ValidUtf8Prefix(text), ValidUtf8PrefixPortable(text));
  std::string replaced;
  AppendReplacingInvalidUtf8(text, replaced);
  KUBE_CHECK(IsValidUtf8(replaced));
  KUBE_CHECK_EQ(IsValidUtf8(text), replaced == text);
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

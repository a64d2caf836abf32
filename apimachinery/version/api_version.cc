#include "apimachinery/version/api_version.h"

#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/strings/strip.h"
#include "apimachinery/base/text/go_int.h"

namespace kube::version {
namespace {

enum class Stability { kAlpha, kBeta, kStable };

// The members are in the order of their significance.
struct ApiVersion {
  Stability stability = Stability::kStable;
  int64_t major = 0;
  int64_t minor = 0;

  friend std::strong_ordering operator<=>(const ApiVersion&, const ApiVersion&) = default;
};

// Removes the digits at the front of `text`. Returns nullopt if there are none, or if the number is
// out of range.
std::optional<int64_t> CutNumber(absl::string_view& text) {
  size_t size = 0;
  while (size < text.size() && text[size] >= '0' && text[size] <= '9') ++size;
  const kube::text::GoInt<int64_t> number = kube::text::ParseGoInt(text.substr(0, size));
  text.remove_prefix(size);
  if (!number.ok()) return std::nullopt;
  return number.value;
}

// Parses v1, v1beta1 or v1alpha1.
std::optional<ApiVersion> ParseApiVersion(absl::string_view text) {
  if (!absl::ConsumePrefix(&text, "v")) return std::nullopt;
  ApiVersion version;
  const std::optional<int64_t> major = CutNumber(text);
  if (!major) return std::nullopt;
  version.major = *major;
  if (text.empty()) return version;
  if (absl::ConsumePrefix(&text, "alpha")) {
    version.stability = Stability::kAlpha;
  } else if (absl::ConsumePrefix(&text, "beta")) {
    version.stability = Stability::kBeta;
  } else {
    return std::nullopt;
  }
  const std::optional<int64_t> minor = CutNumber(text);
  if (!minor || !text.empty()) return std::nullopt;
  version.minor = *minor;
  return version;
}

}  // namespace

std::weak_ordering CompareKubeAwareVersionStrings(absl::string_view a, absl::string_view b) {
  const std::optional<ApiVersion> version_a = ParseApiVersion(a);
  const std::optional<ApiVersion> version_b = ParseApiVersion(b);
  if (version_a && version_b) return *version_a <=> *version_b;
  if (version_a || version_b) return version_a.has_value() <=> version_b.has_value();
  return b.compare(a) <=> 0;
}

}  // namespace kube::version

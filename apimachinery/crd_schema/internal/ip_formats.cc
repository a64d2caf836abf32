#include "apimachinery/crd_schema/internal/ip_formats.h"

#include <cstddef>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "apimachinery/validation/field_path.h"
#include "apimachinery/validation/ip.h"

namespace kube::crd_schema::internal {
namespace {

bool IsSloppyIp(absl::string_view text) {
  return validation::IsValidIpForLegacyField({}, text, {.strict = false}).empty();
}

bool HasLeadingZeros(absl::string_view text) {
  if (!absl::StrContains(text, '.')) return false;
  const size_t colon = text.rfind(':');
  if (colon != absl::string_view::npos) text = text.substr(colon + 1);
  const std::vector<absl::string_view> numbers = absl::StrSplit(text, '.');
  return absl::c_any_of(
      numbers, [](absl::string_view number) { return number.size() > 1 && number[0] == '0'; });
}

// Matches groups of `size` digits between separators.
bool IsMacOf(absl::string_view text, char separator, size_t size) {
  if ((text.size() + 1) % (size + 1) != 0) return false;
  const size_t bytes = (text.size() + 1) / (size + 1) * size / 2;
  if (bytes != 6 && bytes != 8 && bytes != 20) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool between = i % (size + 1) == size;
    if (between ? text[i] != separator
                : !absl::ascii_isxdigit(static_cast<unsigned char>(text[i]))) {
      return false;
    }
  }
  return true;
}

}  // namespace

bool IsSloppyIpv4(absl::string_view text) {
  return absl::StrContains(text, '.') && IsSloppyIp(text);
}

bool IsStrictIp(absl::string_view text) { return IsSloppyIp(text) && !HasLeadingZeros(text); }

bool IsStrictIpv6(absl::string_view text) {
  return absl::StrContains(text, ':') && IsStrictIp(text);
}

bool IsSloppyCidr(absl::string_view text) {
  return validation::IsValidCidrForLegacyField({}, text, {.strict = false}).empty();
}

bool IsMac(absl::string_view text) {
  if (text.size() < 12) return false;
  if (text[2] == ':' || text[2] == '-') return IsMacOf(text, text[2], 2);
  if (text[4] == '.') return IsMacOf(text, '.', 4);
  return (text.size() == 12 || text.size() == 16 || text.size() == 40) &&
         absl::c_all_of(text, absl::ascii_isxdigit);
}

}  // namespace kube::crd_schema::internal

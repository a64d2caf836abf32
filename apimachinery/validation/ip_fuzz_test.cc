// Decodes arbitrary text as addresses and networks: no crash, and the canonical text of what was
// read is valid and is read as the same.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "apimachinery/validation/field_path.h"
#include "apimachinery/validation/internal/ip_text.h"
#include "apimachinery/validation/ip.h"

namespace kube::validation {
namespace {

void Addresses(absl::string_view text) {
  const field::Path path("ip");
  const std::optional<internal::IpAddress> ip = internal::ParseIp(text);
  const bool sloppy = IsValidIpForLegacyField(path, text, {.strict = false}).empty();
  KUBE_CHECK_EQ(sloppy, ip.has_value());
  if (!ip.has_value()) return;
  const std::string canonical = ip->ToString();
  KUBE_CHECK(internal::ParseIp(canonical)->bytes == ip->bytes) << canonical;
  KUBE_CHECK(IsValidIp(path, canonical).empty()) << canonical;
  KUBE_CHECK(GetWarningsForIp(path, canonical).empty()) << canonical;
  KUBE_CHECK_EQ(IsValidIp(path, text).empty(), text == canonical);
}

void Networks(absl::string_view text) {
  const field::Path path("cidr");
  const std::optional<internal::IpNetwork> network = internal::ParseCidr(text);
  const bool sloppy = IsValidCidrForLegacyField(path, text, {.strict = false}).empty();
  KUBE_CHECK_EQ(sloppy, network.has_value());
  if (!network.has_value()) return;
  const std::string canonical = network->ToString();
  KUBE_CHECK(IsValidCidr(path, canonical).empty()) << canonical;
  KUBE_CHECK(GetWarningsForCidr(path, canonical).empty()) << canonical;
  KUBE_CHECK_EQ(IsValidCidr(path, text).empty(), text == canonical);
}

}  // namespace
}  // namespace kube::validation

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::string_view text(reinterpret_cast<const char*>(data), size);
  kube::validation::Addresses(text);
  kube::validation::Networks(text);
  return 0;
}

#include "controller/events/internal/event_name.h"

#include <cstdint>
#include <string>

#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/validation/dns.h"
#include "controller/events/event_types.h"

namespace kube::events::internal {
namespace {

// Version 4: all random but for six bits.
std::string RandomUuid() {
  base::Runtime& runtime = base::Runtime::Current();
  const uint64_t high = (runtime.Random() & ~uint64_t{0xf000}) | 0x4000;
  const uint64_t low = (runtime.Random() >> 2) | (uint64_t{2} << 62);
  return absl::StrFormat("%08x-%04x-%04x-%04x-%012x", high >> 32, (high >> 16) & 0xffff,
                         high & 0xffff, low >> 48, low & 0xffff'ffff'ffff);
}

}  // namespace

std::string GenerateEventName(absl::string_view object_name, absl::Time time) {
  std::string name = absl::StrFormat("%s.%x", object_name, absl::ToUnixNanos(time));
  return validation::IsDns1123Subdomain(name).empty() ? name : RandomUuid();
}

bool IsEventType(absl::string_view type) {
  return type == kEventTypeNormal || type == kEventTypeWarning;
}

}  // namespace kube::events::internal

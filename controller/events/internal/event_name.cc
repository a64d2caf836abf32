#include "controller/events/internal/event_name.h"

#include <string>

#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/random.h"
#include "apimachinery/validation/dns.h"
#include "controller/events/event_types.h"

namespace kube::events::internal {

std::string GenerateEventName(absl::string_view object_name, absl::Time time) {
  std::string name = absl::StrFormat("%s.%x", object_name, absl::ToUnixNanos(time));
  return validation::IsDns1123Subdomain(name).empty() ? name : base::RandomUuid();
}

bool IsEventType(absl::string_view type) {
  return type == kEventTypeNormal || type == kEventTypeWarning;
}

}  // namespace kube::events::internal

#include "apimachinery/watch/event.h"

#include <optional>
#include <ostream>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/errors/status_error.h"

namespace kube::watch {

namespace {

constexpr absl::string_view kNames[] = {"ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR"};

}  // namespace

absl::string_view ToString(EventType type) { return kNames[static_cast<int>(type)]; }

std::optional<EventType> ParseEventType(absl::string_view text) {
  for (const EventType type : {EventType::kAdded, EventType::kModified, EventType::kDeleted,
                               EventType::kBookmark, EventType::kError}) {
    if (ToString(type) == text) return type;
  }
  return std::nullopt;
}

std::ostream& operator<<(std::ostream& out, EventType type) { return out << ToString(type); }

namespace internal {

absl::StatusOr<EventType> EventTypeOfFrame(absl::string_view type) {
  const std::optional<EventType> known = ParseEventType(type);
  if (known.has_value()) return *known;
  return absl::InvalidArgumentError(absl::StrCat("got invalid watch event type: ", type));
}

absl::Status ErrorOfFrame(const api::meta::v1::Status* status, absl::string_view unexpected_kind) {
  if (!unexpected_kind.empty()) return errors::UnexpectedObject(unexpected_kind);
  return errors::FromStatus(status != nullptr ? *status : api::meta::v1::Status());
}

}  // namespace internal
}  // namespace kube::watch

#include "clientset/typed/watch_list.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/table/message.h"
#include "apimachinery/watch/event.h"
#include "clientset/typed/internal/body.h"

namespace kube::typed {

namespace metav1 = api::meta::v1;

namespace {

// Whether a server would accept these options; checks only those that matter here. (apimachinery:
// `validation.ValidateListOptions`)
bool IsValid(const metav1::ListOptions& options) {
  const absl::string_view match = options.resource_version_match.view();
  const bool streams = options.send_initial_events.has_value();
  if (options.watch && streams != !match.empty()) return false;
  if (!options.watch && streams) return false;
  if (match.empty()) return true;
  if (!options.watch && options.resource_version.empty()) return false;
  return match == metav1::kResourceVersionMatchNotOlderThan;
}

}  // namespace

std::optional<metav1::ListOptions> WatchListOptions(const metav1::ListOptions& options) {
  if (!IsValid(options)) return std::nullopt;
  if (options.limit > 0 && options.resource_version != "0") return std::nullopt;
  if (!options.continue_.empty()) return std::nullopt;
  metav1::ListOptions watch_options = options;
  watch_options.limit = 0;
  watch_options.watch = true;
  watch_options.allow_watch_bookmarks = true;
  watch_options.resource_version_match = metav1::kResourceVersionMatchNotOlderThan;
  watch_options.send_initial_events = true;
  return watch_options;
}

bool IsWatchListUnsupported(const absl::Status& error) {
  return errors::IsInvalid(error) || errors::IsBadRequest(error) ||
         errors::IsMethodNotSupported(error);
}

namespace internal {

absl::StatusOr<bool> InitialObjects::Add(watch::EventType type, std::shared_ptr<const void> object,
                                         const absl::Status& error) {
  if (type == watch::EventType::kError) return error;
  const ObjectId id = IdOf(object.get(), message_);
  if (type == watch::EventType::kBookmark) {
    if (!HasAnnotation(object.get(), message_, kInitialEventsEnd, "true")) return false;
    resource_version_ = id.resource_version;
    return true;
  }
  // NUL sorts before all characters of names, so namespace "a" with all its names comes before
  // "a-b".
  std::string key = absl::StrCat(id.namespace_name, absl::string_view("\0", 1), id.name);
  if (type == watch::EventType::kDeleted) {
    objects_.erase(key);
  } else {
    objects_.insert_or_assign(std::move(key), std::move(object));
  }
  return false;
}

absl::Status EndedBeforeBookmark() {
  return absl::UnavailableError("watch closed before the initial list was complete");
}

}  // namespace internal
}  // namespace kube::typed

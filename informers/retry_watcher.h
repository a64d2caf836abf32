#ifndef INFORMERS_RETRY_WATCHER_H_
#define INFORMERS_RETRY_WATCHER_H_

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "apimachinery/meta/object_access.h"
#include "apimachinery/watch/event.h"
#include "apimachinery/watch/watcher.h"
#include "informers/internal/retry_watcher_core.h"
#include "informers/lister_watcher.h"
#include "listers/stored_object.h"

namespace kube::informers {

// A watch that begins again by itself, from where it was, when it has ended or failed: for those
// who want to see every change, from one they know on. (client-go's tools/watch.RetryWatcher)
//
//   KUBE_ASSIGN_OR_RETURN(auto watcher, RetryWatcher<corev1::Pod>::Make(source, list_version));
//   while (true) {
//     KUBE_ASSIGN_OR_RETURN(std::optional<watch::Event<corev1::Pod>> event, watcher->Next(ctx));
//     if (!event.has_value()) break;
//
// It ends after Stop, or after an event of type kError: the version is too old
// (errors::IsResourceExpired: list, and begin again), or the server says 401 or 403. Upstream does
// not see the first where the watch begins with it, and tries for ever. After anything else it
// tries again, once a second at most and later where the server asks for that. Bookmarks move it
// on, and are not passed on. Use a Reflector where not each change counts.
//
// See watch::Watcher for what may be called when.
template <listers::StoredObject T>
class RetryWatcher final : public watch::Watcher<T> {
 private:
  // Only Make has one.
  struct Key {
    explicit Key() = default;
  };

 public:
  // INVALID_ARGUMENT: "" and "0" are no versions to begin with, as a watch from there begins with
  // the objects there are. (NewRetryWatcherWithContext)
  static absl::StatusOr<std::unique_ptr<RetryWatcher>> Make(TypedListerWatcher<T> source,
                                                            std::string resource_version) {
    if (resource_version.empty() || resource_version == "0") {
      return absl::InvalidArgumentError("make retry watcher: it needs a resource version");
    }
    return std::make_unique<RetryWatcher>(Key(), std::move(source), std::move(resource_version));
  }
  RetryWatcher(Key, TypedListerWatcher<T> source, std::string resource_version)
      : core_(std::move(source.any), meta::kObjectAccess<T>, std::move(resource_version)) {}

  absl::StatusOr<std::optional<watch::Event<T>>> Next(const Context& ctx) override {
    absl::StatusOr<std::optional<watch::Event<void>>> event = core_.Next(ctx);
    if (!event.ok()) return std::move(event).status();
    if (!event->has_value()) return std::optional<watch::Event<T>>();
    return watch::Event<T>{.type = (*event)->type,
                           .object = std::static_pointer_cast<const T>((*event)->object),
                           .error = std::move((*event)->error)};
  }

  void Stop() override { core_.Stop(); }

 private:
  internal::RetryWatcherCore core_;
};

}  // namespace kube::informers

#endif  // INFORMERS_RETRY_WATCHER_H_

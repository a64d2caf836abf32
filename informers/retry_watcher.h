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

// A watch that is opened again at the last resource version whenever it ends or fails. Use it to
// see every change from a known version on; use a Reflector if only the current state matters.
// (client-go: `watch.RetryWatcher` in tools/watch)
//
//   KUBE_ASSIGN_OR_RETURN(const auto watcher,
//                         RetryWatcher<corev1::ConfigMap>::Make(source, list_version));
//   while (true) {
//     KUBE_ASSIGN_OR_RETURN(const auto event, watcher->Next(ctx));
//     if (!event.has_value()) return absl::CancelledError("the watch was stopped");
//     if (event->type == watch::EventType::kError) return event->error;
//     ...
//   }
//
// Selectors are those of the source: `MakeListerWatcher(client, {.field_selector =
// "type=Warning"})`.
//
// The watch ends after Stop, or after an event of type kError. That event is sent if the version is
// too old (errors::IsResourceExpired: list, and start a new watch), if the server answers a request
// with 401 or 403, or if an object has no resource version. After any other error the watch is
// opened again, at most once a second and not before a delay that the server asks for; so too after
// an event with 401 or 403. client-go's watcher retries forever if the first request fails because
// the version is too old. Bookmarks advance the resource version and are not passed on.
//
// Thread-safety is that of watch::Watcher: one thread calls Next, any thread calls Stop.
template <listers::StoredObject T>
class RetryWatcher final : public watch::Watcher<T> {
 private:
  // Makes the constructor usable by Make only.
  struct Key {
    explicit Key() = default;
  };

 public:
  // Makes a watcher that starts after `resource_version`. Sends nothing; the first Next opens the
  // watch. Returns INVALID_ARGUMENT if `resource_version` is "" or "0", since such a watch begins
  // with the existing objects. (client-go: `NewRetryWatcherWithContext`)
  static absl::StatusOr<std::unique_ptr<RetryWatcher>> Make(TypedListerWatcher<T> source,
                                                            std::string resource_version) {
    if (resource_version.empty() || resource_version == "0") {
      return absl::InvalidArgumentError("make retry watcher: initial RV \"" + resource_version +
                                        "\" is not supported due to issues with underlying WATCH");
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

#ifndef CLIENTSET_TYPED_WATCH_LIST_H_
#define CLIENTSET_TYPED_WATCH_LIST_H_

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/message_type.h"
#include "apimachinery/watch/event.h"
#include "apimachinery/watch/watcher.h"
#include "clientset/typed/list_metadata.h"
#include "clientset/typed/options.h"
#include "clientset/typed/typed_client.h"

// Watch-list: a list that is read through a watch. The server sends the existing objects as events,
// then a bookmark that marks their end, and then changes. This needs far less of the server's
// memory than a list. (client-go: `util/watchlist` and its reflector; KEP-3157)
namespace kube::typed {

// The annotation of the bookmark after the last existing object. Its value is "true". (client-go:
// `metav1.InitialEventsAnnotationKey`)
inline constexpr absl::string_view kInitialEventsEnd = "k8s.io/initial-events-end";

// Returns the options of a watch that delivers what a list with `options` delivers. Returns nullopt
// if no such watch exists: for a single page (except with resource_version "0", for which servers
// have always ignored the limit), for the continuation of a list, for an exact resource version,
// and for options that the server would refuse. (client-go:
// `watchlist.PrepareWatchListOptionsFromListOptions`)
std::optional<api::meta::v1::ListOptions> WatchListOptions(
    const api::meta::v1::ListOptions& options);

// Returns whether a watch failed because the server does not support watch-lists; use a list
// instead. Such a server answers Invalid if it forbids sendInitialEvents, and otherwise that it
// does not know the method or the parameter.
bool IsWatchListUnsupported(const absl::Status& error);

namespace internal {

// Collects the objects of a watch up to the bookmark, sorted by namespace and name as in a list.
class InitialObjects {
 public:
  explicit InitialObjects(const kube::table::Message& message) : message_(message) {}

  // Adds an event. Returns true if it was the bookmark, and the event's error if it is one of type
  // kError.
  absl::StatusOr<bool> Add(watch::EventType type, std::shared_ptr<const void> object,
                           const absl::Status& error);

  const std::map<std::string, std::shared_ptr<const void>>& objects() const { return objects_; }
  const std::string& resource_version() const { return resource_version_; }

 private:
  const kube::table::Message& message_;
  std::map<std::string, std::shared_ptr<const void>> objects_;
  std::string resource_version_;
};

// Returns the error for a watch that has ended too early.
absl::Status EndedBeforeBookmark();

}  // namespace internal

// The beginning of a watch-list.
template <ApiStruct T>
struct InitialEvents {
  // Sorted by namespace and name, as in a list.
  std::vector<std::shared_ptr<const T>> items = {};
  // The resource version of the whole set, from which the watch continues.
  std::string resource_version = {};
};

// Blocks until the bookmark has arrived and returns the objects before it. The watch continues
// after that and remains the caller's.
//
// Returns the watch's error, for example errors::IsResourceExpired; UNAVAILABLE if the watch ends
// before the bookmark, in which case the objects received until then are lost; or ctx.status(). A
// server that ignores sendInitialEvents never sends that bookmark: give the watch a timeout.
template <ApiStruct T>
absl::StatusOr<InitialEvents<T>> DrainInitialEvents(const Context& ctx,
                                                    watch::Watcher<T>& watcher) {
  internal::InitialObjects objects(T::kMessage);
  while (true) {
    absl::StatusOr<std::optional<watch::Event<T>>> event = watcher.Next(ctx);
    if (!event.ok()) return std::move(event).status();
    if (!event->has_value()) return internal::EndedBeforeBookmark();
    const absl::StatusOr<bool> end =
        objects.Add((*event)->type, std::move((*event)->object), (*event)->error);
    if (!end.ok()) return end.status();
    if (*end) break;
  }
  InitialEvents<T> events = {.resource_version = objects.resource_version()};
  events.items.reserve(objects.objects().size());
  for (const auto& [key, object] : objects.objects()) {
    events.items.push_back(std::static_pointer_cast<const T>(object));
  }
  return events;
}

// Returns the same list as client.ListPage(ctx, options), but reads it through a watch, which it
// then ends. If `options` or the server do not allow that, it uses ListPage. Errors are those of
// DrainInitialEvents and ListPage.
template <ApiStruct T, ApiStruct ListT>
absl::StatusOr<Page<T, ListT>> ListByWatch(const Context& ctx, const TypedClient<T, ListT>& client,
                                           const api::meta::v1::ListOptions& options = {},
                                           const PageOptions& page_options = {}) {
  const std::optional<api::meta::v1::ListOptions> watch_options = WatchListOptions(options);
  if (!watch_options.has_value()) return client.ListPage(ctx, options, page_options);
  absl::StatusOr<std::unique_ptr<watch::Watcher<T>>> watcher =
      client.Watch(ctx, *watch_options,
                   {.stream = {.decode = page_options.decode, .store = page_options.store},
                    .idle_timeout = page_options.idle_timeout,
                    .bytes = page_options.bytes});
  if (IsWatchListUnsupported(watcher.status())) return client.ListPage(ctx, options, page_options);
  if (!watcher.ok()) return std::move(watcher).status();
  absl::StatusOr<InitialEvents<T>> events = DrainInitialEvents(ctx, **watcher);
  if (!events.ok()) return std::move(events).status();
  Page<T, ListT> page;
  SetResourceVersion(page.list, events->resource_version);
  page.items = std::move(events->items);
  return page;
}

}  // namespace kube::typed

#endif  // CLIENTSET_TYPED_WATCH_LIST_H_

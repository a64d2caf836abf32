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

// Lists by watching: the server sends the objects there are as events, one after the other, then a
// bookmark that says so, then what happens. It needs far less memory for that than for a list.
// (client-go's util/watchlist and what its reflector does; KEP-3157)
namespace kube::typed {

// The annotation of the bookmark after the last of the objects there were. Its value is "true".
// (metav1.InitialEventsAnnotationKey)
inline constexpr absl::string_view kInitialEventsEnd = "k8s.io/initial-events-end";

// The options of a watch that gives what a list with `options` gives. Nothing: there is no such
// watch, as for one page (but with resource_version "0", where servers have always ignored the
// limit), for the rest of a list, for exactly one resource version, and where the server would
// refuse the options. (watchlist.PrepareWatchListOptionsFromListOptions)
std::optional<api::meta::v1::ListOptions> WatchListOptions(
    const api::meta::v1::ListOptions& options);

// Whether a watch failed because the server does not know of this: list instead. It says Invalid,
// where sendInitialEvents is forbidden, or that it does not have the method, or the parameter.
bool IsWatchListUnsupported(const absl::Status& error);

namespace internal {

// The objects of a watch up to the bookmark, by namespace and name, as lists have them.
class InitialObjects {
 public:
  explicit InitialObjects(const kube::table::Message& message) : message_(message) {}

  // True: that was the bookmark. An error: the watch's, or an event that has no place here.
  absl::StatusOr<bool> Add(watch::EventType type, std::shared_ptr<const void> object,
                           const absl::Status& error);

  const std::map<std::string, std::shared_ptr<const void>>& objects() const { return objects_; }
  const std::string& resource_version() const { return resource_version_; }

 private:
  const kube::table::Message& message_;
  std::map<std::string, std::shared_ptr<const void>> objects_;
  std::string resource_version_;
};

// The watch has ended too early.
absl::Status EndedBeforeBookmark();

}  // namespace internal

// What a watch begins with.
template <ApiStruct T>
struct InitialEvents {
  // By namespace and name, as lists have them.
  std::vector<std::shared_ptr<const T>> items = {};
  // Of all of them: the watch goes on from here.
  std::string resource_version = {};
};

// Pulls events until the bookmark has come. The watch goes on after that: it belongs to the caller.
//
// Errors: what the watch says, as errors::IsResourceExpired; UNAVAILABLE if it ends before the
// bookmark, and then what came so far is lost; ctx.status(). A server that ignores the parameter
// never sends that bookmark: give the watch a timeout.
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

// The same list as client.ListPage(ctx, options), by a watch, which is ended then, where `options`
// and the server allow it; otherwise by ListPage. Errors as DrainInitialEvents and ListPage.
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

#ifndef INFORMERS_LISTER_WATCHER_H_
#define INFORMERS_LISTER_WATCHER_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/metrics.h"
#include "apimachinery/codec/projection.h"
#include "apimachinery/types/message_type.h"
#include "apimachinery/watch/watcher.h"
#include "clientset/typed/any_resource_client.h"
#include "clientset/typed/typed_client.h"
#include "clientset/typed/typed_core.h"

namespace kube::informers {

// Counters for what a ListerWatcher receives. By default they count nothing.
struct SourceMetrics {
  base::Counter bytes = {};    // bytes of bodies, uncompressed
  base::Counter decoded = {};  // objects decoded
  // Lists and watches given up after ListerWatcherOptions::idle_timeout.
  base::Counter watchdog_closes = {};
};

// Lists and watches the objects of one type, which is erased here and restored by
// TypedListerWatcher. Implement it for tests, or for objects from another source.
// (client-go: `cache.ListerWatcher`)
//
// Used by one thread at a time. Must outlive the watches that it returns.
class ListerWatcher {
 public:
  virtual ~ListerWatcher() = default;

  // The metadata of a list or of one page.
  struct ListHeader {
    std::string resource_version = {};
    // Token of the next page; empty after the last page.
    std::string continue_token = {};
  };
  // Receives each object as soon as it is decoded; never null. An error from it ends the list.
  using OnObject = absl::FunctionRef<absl::Status(std::shared_ptr<const void>)>;

  // Lists, passing each object to `on_object`, and blocks until the list or page is complete. After
  // an error, discard the objects that were passed on.
  virtual absl::StatusOr<ListHeader> List(const Context& ctx,
                                          const api::meta::v1::ListOptions& options,
                                          OnObject on_object) = 0;
  // Opens a watch, and blocks until the server has accepted it.
  virtual absl::StatusOr<std::unique_ptr<watch::Watcher<void>>> Watch(
      const Context& ctx, const api::meta::v1::ListOptions& options) = 0;

  // Returns a description for messages, such as "pods" or "pods in prod".
  virtual std::string description() const = 0;

  // Sets the counters to use from now on. Called before the first list, if at all.
  virtual void SetMetrics(const SourceMetrics&) {}
};

// A ListerWatcher whose objects are of type T; its creator guarantees the type. Cheap to copy.
template <ApiStruct T>
struct TypedListerWatcher {
  std::shared_ptr<ListerWatcher> any = {};
};

// Options for selecting and decoding objects, and for detecting lost connections.
struct ListerWatcherOptions {
  // Selects objects, such as "app=web,tier!=db" or "spec.nodeName=node-1", in addition to the
  // selectors of a Reflector or an informer: an object must match both. For a RetryWatcher and
  // Until, which have no selectors of their own. Default: all objects.
  std::string label_selector = {};
  std::string field_selector = {};
  // Fields to skip while decoding, so that they take no memory; see codec::Projection. Not
  // supported for unstructured objects. Objects from such a cache must not be written back as a
  // whole. Default: all fields are decoded.
  codec::ProjectionOptions projection = {};
  // Skips metadata.managedFields, which is often a third of an object.
  bool drop_managed_fields = false;
  // Stores equal parts of objects once (codec::SharingStore), which saves memory and time. Default:
  // true. Set it to false if objects must not share memory, for example because a few of many
  // objects are kept for a long time.
  bool share_structure = true;
  // Time without a received byte after which a list or watch is treated as lost, even if the
  // connection looks healthy, as it may behind a proxy. Servers send a bookmark about once a
  // minute. Zero: no limit. Default: 3 minutes. client-go relies on the connection's pings alone.
  absl::Duration idle_timeout = absl::Minutes(3);
};

namespace internal {

absl::StatusOr<std::shared_ptr<ListerWatcher>> MakeListerWatcher(
    typed::TypedCore core, const kube::table::Message& object, const kube::table::Message& list,
    const ListerWatcherOptions& options);

}  // namespace internal

// Makes a ListerWatcher that uses `client`, for its namespace or for all namespaces. Objects may be
// typed, unstructured, or metadata only (metav1::PartialObjectMetadata: the server then sends only
// metadata). Sends nothing. Returns INVALID_ARGUMENT if the projection names a field that T does
// not have, or if T is unstructured and has a projection.
// (client-go: `cache.NewListWatchFromClient`)
template <ApiStruct T, ApiStruct ListT>
absl::StatusOr<TypedListerWatcher<T>> MakeListerWatcher(const typed::TypedClient<T, ListT>& client,
                                                        const ListerWatcherOptions& options = {}) {
  absl::StatusOr<std::shared_ptr<ListerWatcher>> any =
      internal::MakeListerWatcher(client.core(), T::kMessage, ListT::kMessage, options);
  if (!any.ok()) return std::move(any).status();
  return TypedListerWatcher<T>{.any = *std::move(any)};
}

// Does the same for a client of the dynamic or the metadata package, which is
// `dynamic::DynamicClient(client).Resource(widgets).Namespace("prod")`, for example.
template <ApiStruct T, ApiStruct ListT>
absl::StatusOr<TypedListerWatcher<T>> MakeListerWatcher(
    const typed::AnyResourceClient<T, ListT>& client, const ListerWatcherOptions& options = {}) {
  absl::StatusOr<std::shared_ptr<ListerWatcher>> any =
      internal::MakeListerWatcher(client.core(), T::kMessage, ListT::kMessage, options);
  if (!any.ok()) return std::move(any).status();
  return TypedListerWatcher<T>{.any = *std::move(any)};
}

// Returns a ListerWatcher whose lists and watches return `error`. For code that makes informers of
// options that others give: an informer can report that they are invalid only through its lists.
std::shared_ptr<ListerWatcher> MakeFailedListerWatcher(absl::Status error, std::string description);

}  // namespace kube::informers

#endif  // INFORMERS_LISTER_WATCHER_H_

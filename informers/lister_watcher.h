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
#include "clientset/typed/typed_client.h"
#include "clientset/typed/typed_core.h"

namespace kube::informers {

// What comes of a server, counted. Counters do nothing unless somebody wants to know.
struct SourceMetrics {
  base::Counter bytes = {};    // of bodies, uncompressed
  base::Counter decoded = {};  // objects
  // Lists and watches given up as nothing came: see ListerWatcherOptions::idle_timeout.
  base::Counter watchdog_closes = {};
};

// Lists and watches objects of one type, which it does not tell: TypedListerWatcher does. Implement
// it for tests, or for objects that come from elsewhere. (cache.ListerWatcher)
//
// Used by one thread at a time. It outlives its watches.
class ListerWatcher {
 public:
  virtual ~ListerWatcher() = default;

  // What a list says of itself.
  struct ListHeader {
    std::string resource_version = {};
    // Where the next page begins; empty after the last one.
    std::string continue_token = {};
  };
  // Gets each object as soon as it is there, never null. Its error ends the list.
  using OnObject = absl::FunctionRef<absl::Status(std::shared_ptr<const void>)>;

  // Blocks until all of the list, or page, has come. After an error what had come is void.
  virtual absl::StatusOr<ListHeader> List(const Context& ctx,
                                          const api::meta::v1::ListOptions& options,
                                          OnObject on_object) = 0;
  // Returns when the watch has begun.
  virtual absl::StatusOr<std::unique_ptr<watch::Watcher<void>>> Watch(
      const Context& ctx, const api::meta::v1::ListOptions& options) = 0;

  // "pods": for messages.
  virtual std::string description() const = 0;

  // What is to be counted from now on. Called before the first list, if at all.
  virtual void SetMetrics(const SourceMetrics&) {}
};

// A ListerWatcher whose objects are Ts: whoever makes one promises that. Cheap to copy.
template <ApiStruct T>
struct TypedListerWatcher {
  std::shared_ptr<ListerWatcher> any = {};
};

// How objects come into memory.
struct ListerWatcherOptions {
  // Fields that are left out while objects are decoded, before they cost memory: see
  // codec::Projection. Not for unstructured objects. Objects of caches so made must not be written
  // back as a whole. Default: all fields are there.
  codec::ProjectionOptions projection = {};
  // Leaves out metadata.managedFields, often a third of an object.
  bool drop_managed_fields = false;
  // What objects have in common is kept once (codec::SharingStore). Default: yes; it saves memory
  // and time. No: where each object is to be on its own, as when few of many are kept for long.
  bool share_structure = true;
  // A list or a watch of which no byte has come for so long counts as lost, though its connection
  // looks sound, as behind a proxy. Bookmarks come every minute or so. Zero: never. client-go
  // relies on the connection's pings alone.
  absl::Duration idle_timeout = absl::Minutes(3);
};

namespace internal {

absl::StatusOr<std::shared_ptr<ListerWatcher>> MakeListerWatcher(
    typed::TypedCore core, const kube::table::Message& object, const kube::table::Message& list,
    const ListerWatcherOptions& options);

}  // namespace internal

// Lists and watches with a client: of one namespace, or of all; of typed, unstructured or
// metadata-only objects (metav1::PartialObjectMetadata, of which a server sends nothing else).
// INVALID_ARGUMENT: the projection names fields that no T has. (cache.NewListWatchFromClient)
template <ApiStruct T, ApiStruct ListT>
absl::StatusOr<TypedListerWatcher<T>> MakeListerWatcher(const typed::TypedClient<T, ListT>& client,
                                                        const ListerWatcherOptions& options = {}) {
  absl::StatusOr<std::shared_ptr<ListerWatcher>> any =
      internal::MakeListerWatcher(client.core(), T::kMessage, ListT::kMessage, options);
  if (!any.ok()) return std::move(any).status();
  return TypedListerWatcher<T>{.any = *std::move(any)};
}

}  // namespace kube::informers

#endif  // INFORMERS_LISTER_WATCHER_H_

#ifndef INFORMERS_REFLECTOR_H_
#define INFORMERS_REFLECTOR_H_

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "apimachinery/meta/object_access.h"
#include "informers/delta.h"
#include "informers/internal/reflector_core.h"
#include "informers/lister_watcher.h"
#include "informers/reflector_options.h"
#include "informers/reflector_status.h"
#include "informers/transform.h"
#include "listers/indexer.h"

namespace kube::informers {

// Gets what a reflector sees, in order, on its thread. It may block, until `ctx` is done. After an
// error of a kReplaced or kSync the reflector backs off and lists again; with others, that object
// is left out, and counted as rejected. (cache.ReflectorStore)
template <typename T>
using DeltaSink = std::function<absl::Status(const Context& ctx, Delta<T> delta)>;

// Straight into a store. It outlives the reflector.
template <listers::StoredObject T>
DeltaSink<T> IntoStore(listers::Indexer<T>& store);

// Keeps a store at what a server has: lists, then watches, and begins again with whichever is
// needed when something is lost. (cache.Reflector)
//
//   listers::Indexer<corev1::Pod> store;
//   KUBE_ASSIGN_OR_RETURN(auto pods, MakeListerWatcher(client.CoreV1().Pods("prod")));
//   Reflector<corev1::Pod> reflector(pods, IntoStore(store), {.label_selector = "app=web"});
//   thread.Start(ctx, "reflector", [&](const Context& ctx) { reflector.Run(ctx).IgnoreError(); });
//
// Objects are decoded while they arrive; of a list there is no body in memory, and one pointer for
// each object. A list is handed over as a whole when it is complete, as is a watch-list: until
// then the store is what it was. Every change that the server tells of comes through, in order.
//
// It ends with its Context alone: errors, whatever they are, are for status(), the log and
// ReflectorOptions::on_error, and it tries again. What it does about each: internal/
// reflector_machine.h. Every wait ends at once with the Context, unlike upstream's.
//
// Run is for one thread, once; all else is thread-safe.
template <listers::StoredObject T>
class Reflector {
 public:
  Reflector(TypedListerWatcher<T> source, DeltaSink<T> sink, ReflectorOptions options = {},
            Transform<T> transform = nullptr)
      : core_(std::move(source.any), meta::kObjectAccess<T>, EraseSink(std::move(sink)),
              internal::EraseTransform<T>(std::move(transform)), std::move(options)) {}

  // Blocks until `ctx` is done, and returns its status. (RunWithContext)
  absl::Status Run(const Context& ctx) { return core_.Run(ctx); }

  // What it does, what went wrong, and how often.
  ReflectorStatus status() const { return core_.status(); }
  const std::string& name() const { return core_.name(); }

 private:
  static internal::AnyDeltaSink EraseSink(DeltaSink<T> sink) {
    return [sink = std::move(sink)](const Context& ctx, Delta<void> any) {
      Delta<T> delta = {.type = any.type,
                        .object = std::static_pointer_cast<const T>(std::move(any.object)),
                        .resource_version = std::move(any.resource_version)};
      delta.objects.reserve(any.objects.size());
      for (std::shared_ptr<const void>& object : any.objects) {
        delta.objects.push_back(std::static_pointer_cast<const T>(std::move(object)));
      }
      any.objects = {};
      return sink(ctx, std::move(delta));
    };
  }

  internal::ReflectorCore core_;
};

// ---- implementation

template <listers::StoredObject T>
DeltaSink<T> IntoStore(listers::Indexer<T>& store) {
  return [&store](const Context&, Delta<T> delta) {
    switch (delta.type) {
      case DeltaType::kReplaced:
        return store.Replace(std::move(delta.objects), std::move(delta.resource_version));
      case DeltaType::kDeleted:
        return store.Delete(*delta.object);
      case DeltaType::kBookmark:
        store.Bookmark(std::move(delta.resource_version));
        return absl::OkStatus();
      case DeltaType::kSync:
        return absl::OkStatus();
      default:
        return store.Update(std::move(delta.object));
    }
  };
}

}  // namespace kube::informers

#endif  // INFORMERS_REFLECTOR_H_

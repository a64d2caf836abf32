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

// Receives what a reflector sees, in order, on the reflector's thread. May block until `ctx` is
// done. If it returns an error for kReplaced or kSync, the reflector backs off and lists again. For
// other deltas the error is logged and counted as rejected, and the reflector goes on.
// (client-go: `cache.ReflectorStore`)
template <typename T>
using DeltaSink = std::function<absl::Status(const Context& ctx, Delta<T> delta)>;

// Returns a sink that writes into `store`, which must outlive the reflector.
template <listers::StoredObject T>
DeltaSink<T> IntoStore(listers::Indexer<T>& store);

// Keeps a store in sync with the server: lists, then watches, and starts again at the right point
// when the watch is lost or expires. (client-go: `cache.Reflector`)
//
//   listers::Indexer<corev1::ConfigMap> store;
//   KUBE_ASSIGN_OR_RETURN(const auto maps, MakeListerWatcher(config_maps));
//   Reflector<corev1::ConfigMap> reflector(maps, IntoStore(store), {.label_selector = "app=web"});
//   base::Thread thread;  // after what it uses: it ends first
//   const auto run = [&](const Context& run_ctx) { reflector.Run(run_ctx).IgnoreError(); };
//   KUBE_RETURN_IF_ERROR(thread.Start(ctx, "reflector", run));
//
// Objects are decoded while they arrive: a list takes one pointer per object, and its body is never
// held in memory. A list or watch-list is handed over as a whole when it is complete; until then
// the store keeps its old contents. Every change that the server reports is passed on, in order.
//
// A reflector ends only when its Context is done, and then at once, whatever it is waiting for
// (client-go's waits do not all end at once). Every error is retried; it is reported by status(),
// the log and ReflectorOptions::on_error. internal/reflector_machine.h describes the reaction to
// each error.
//
// Run must be called once, on one thread; all other methods are thread-safe.
template <listers::StoredObject T>
class Reflector {
 public:
  Reflector(TypedListerWatcher<T> source, DeltaSink<T> sink, ReflectorOptions options = {},
            Transform<T> transform = nullptr)
      : core_(std::move(source.any), meta::kObjectAccess<T>, EraseSink(std::move(sink)),
              internal::EraseTransform<T>(std::move(transform)), std::move(options)) {}

  // Lists and watches until `ctx` is done, and returns the status of `ctx`. Blocks.
  // (client-go: `RunWithContext`)
  absl::Status Run(const Context& ctx) { return core_.Run(ctx); }

  // Returns the present state, the last error and the counters.
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

#ifndef CONTROLLER_RECONCILE_KEY_CONTROLLER_H_
#define CONTROLLER_RECONCILE_KEY_CONTROLLER_H_

#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/meta/object_name.h"
#include "clientset/typed/resource_traits.h"
#include "controller/cache/cache.h"
#include "controller/cache/cache_options.h"
#include "controller/cache/watched.h"
#include "controller/manager/managed_controller.h"
#include "controller/manager/manager_status.h"
#include "controller/predicates/predicate.h"
#include "controller/reconcile/cause.h"
#include "controller/reconcile/controller_host.h"
#include "controller/reconcile/controller_options.h"
#include "controller/reconcile/internal/attach_watch.h"
#include "controller/reconcile/internal/controller_core.h"
#include "controller/reconcile/internal/make_core.h"
#include "controller/reconcile/internal/reconcile_function.h"
#include "controller/reconcile/request.h"
#include "controller/reconcile/result.h"
#include "controller/triggers/trigger.h"
#include "controller/workqueue/key_traits.h"
#include "controller/workqueue/queue_options.h"

namespace kube::controller {

// Like Controller, with keys of the program's own instead of objects of one kind: for a node of
// several clusters, a shard, a name that objects of several kinds share. Keys are equal if their
// texts are; specialise workqueue::KeyTraits for other types than strings, integers and names.
// (controller-runtime: `controller.TypedController`)
//
//   KeyController<int> shards(manager, {.name = "shards"});
//   const auto maps = shards.Watches<corev1::ConfigMap>({.keys_of = ShardsOf});
//   shards.Reconciles([&](KeyRequest<int>& request) { return Balance(request, request.key()); });
//
// The contract is that of Controller, without what concerns the object: the function is called for
// each key, and finds out itself what exists. Reads of the watches need namespaces, unless the key
// is a meta::ObjectName.
template <workqueue::QueueKey Key>
class KeyController {
 public:
  KeyController(Manager& manager, KeyControllerOptions options)
      : KeyController(HostOf(manager), std::move(options), &manager) {}
  // Makes a controller that no manager runs: see managed().
  KeyController(const ControllerHost& host, KeyControllerOptions options)
      : KeyController(host, std::move(options), nullptr) {}
  KeyController(const KeyController&) = delete;
  KeyController& operator=(const KeyController&) = delete;

  // Returns a watch of K whose changes enqueue the keys of `trigger`. It lasts as long as its
  // handle.
  template <typed::ResourceKind K>
  [[nodiscard]] Watched<K> Watches(Trigger<K, Key> trigger, const WatchOptions& options = {},
                                   Predicate<K> predicate = {}) {
    Watched<K> watched = cache_.Watch<K>(options);
    internal::AttachWatch<K, Key>(core_, watched, std::move(trigger), std::move(predicate));
    return watched;
  }

  // Sets the function to call for each key: a function of KeyRequest<Key>& that returns
  // absl::Status or absl::StatusOr<Result>. Required; call it before the manager runs.
  template <typename Function>
  void Reconciles(Function reconcile) {
    core_->SetReconcile(
        [function = internal::ReconcileFunction<KeyRequest<Key>>(std::move(reconcile))](
            internal::RequestParts& parts) { return Call(function, parts); });
  }

  // Adds a key to the queue. Never blocks. (controller-runtime: `source.Channel`)
  void Enqueue(const Key& key, const workqueue::AddOptions& options = {}) {
    core_->Add(workqueue::KeyTraits<Key>::ToText(key), options, {.type = Cause::Type::kEnqueued});
  }

  // Returns what the controller does now, for status pages.
  ControllerStatus status() const { return core_->status(); }

  // Returns the controller as a manager sees it: for a program that runs it without one, and for
  // tests.
  ManagedController& managed() { return *core_; }

 private:
  KeyController(const ControllerHost& host, KeyControllerOptions options, Manager* manager)
      : cache_(*host.cache),
        core_(internal::MakeCore(host, std::move(options), {}, &NameOf)),
        registration_(manager, *core_) {}

  static meta::ObjectName NameOf(absl::string_view key) {
    if constexpr (std::is_same_v<Key, meta::ObjectName>) {
      return workqueue::KeyTraits<Key>::FromText(key);
    } else {
      return {.name = std::string(key)};
    }
  }

  static absl::StatusOr<Result> Call(
      const std::function<absl::StatusOr<Result>(KeyRequest<Key>&)>& function,
      internal::RequestParts& parts) {
    KeyRequest<Key> request(parts);
    return function(request);
  }

  Cache& cache_;
  const std::shared_ptr<internal::ControllerCore> core_;
  const internal::Registration registration_;  // the last member: the others live while it runs
};

}  // namespace kube::controller

#endif  // CONTROLLER_RECONCILE_KEY_CONTROLLER_H_

#ifndef CONTROLLER_RECONCILE_CONTROLLER_H_
#define CONTROLLER_RECONCILE_CONTROLLER_H_

#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/meta/deletion.h"
#include "apimachinery/meta/object_name.h"
#include "apimachinery/unstructured/unstructured.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/resource_traits.h"
#include "controller/cache/cache.h"
#include "controller/cache/cache_options.h"
#include "controller/cache/watched.h"
#include "controller/manager/managed_controller.h"
#include "controller/manager/manager_status.h"
#include "controller/predicates/predicate.h"
#include "controller/reconcile/cause.h"
#include "controller/reconcile/client_of.h"
#include "controller/reconcile/controller_host.h"
#include "controller/reconcile/controller_options.h"
#include "controller/reconcile/edit_status.h"
#include "controller/reconcile/finalizers.h"
#include "controller/reconcile/internal/attach_watch.h"
#include "controller/reconcile/internal/controller_core.h"
#include "controller/reconcile/internal/make_core.h"
#include "controller/reconcile/internal/reconcile_function.h"
#include "controller/reconcile/internal/require_access.h"
#include "controller/reconcile/owned.h"
#include "controller/reconcile/request.h"
#include "controller/reconcile/result.h"
#include "controller/reconcile/writer.h"
#include "controller/reconcile/writes_options.h"
#include "controller/triggers/enqueue_owner.h"
#include "controller/triggers/trigger.h"
#include "controller/workqueue/key_traits.h"
#include "controller/workqueue/queue_options.h"
#include "controller/workqueue/run_workers.h"
#include "listers/stored_object.h"

namespace kube::controller {

// Options of Controller::Owns. (controller-runtime: `builder.OwnsOption`)
template <typed::ResourceKind K>
struct OwnsOptions {
  // What is watched of K: selectors, namespaces. Default: all that the cache watches.
  WatchOptions watch = {};
  // The changes of K that are worth a reconcile of its owner. Default: all.
  Predicate<K> predicate = {};
  // Whether a change enqueues all owners of the controller's kind, rather than the controlling one
  // alone. (controller-runtime: `MatchEveryOwner`)
  bool every_owner = false;
  WritesOptions writes = {};
};

// Reconciles the objects of kind T: watches them and all that they depend on, and calls a function
// for each that may have changed. (controller-runtime: `builder.Builder`, `controller.Controller`
// and `reconcile.AsReconciler`)
//
//   class Operator {
//    public:
//     explicit Operator(Manager& manager) : maps_(manager) {
//       maps_.Reconciles([this](Request<corev1::ConfigMap>& r) { return Reconcile(r); });
//     }
//     ...
//     Controller<corev1::ConfigMap> maps_;
//     const Owned<corev1::Secret> secrets_ = maps_.Owns<corev1::Secret>();
//   };
//
// The contract:
// * The function is called for each object of T once the controller's watches have synced, and
//   after each change that a predicate lets pass, with the object as the cache has it. Changes are
//   merged: one call may stand for several.
// * For one object there is one call at a time; different objects are reconciled by
//   ControllerOptions::workers threads at once.
// * All watches are read as they were when the call began. An object's next call sees what the last
//   one has written (ControllerOptions::own_writes_timeout).
// * It is not called for an object that is being deleted: the functions of Finalizes are. It is not
//   called for one that does not exist: the function of OnGone is.
// * Its result decides what follows; see Result. An exception that leaves it ends the process.
//
// T is a kind with typed::ResourceTraits, or unstructured::Unstructured or
// metav1::PartialObjectMetadata with ControllerOptions::resource. The traits of a kind are in the
// header of its client, such as "clientset/kubernetes/core/v1/client.h" or that of a kube_library,
// "website.client.kube.h": include those of all kinds where the members are declared. Otherwise the
// compiler says that the constraint ResourceKind is not satisfied. A kind of a kube_library has
// traits only if there is a message of its list, with `list_of`.
//
// Make controllers and give them their functions before Manager::Run; one that comes later takes
// HostOf(manager), and the program runs it (ControllerHost). Owns, Watches, Writes and Enqueue may
// be called at any time and on any thread. A watch lasts as long as its handle: keep it beside the
// controller. One that is added while the controller runs starts at once, and has no objects until
// it has synced (WatchedCore::HasSynced); its objects then enqueue their keys.
//
// All of these calls note what the program needs rights for, for the manifests that
// --print-manifests prints (controller/manifests): watches their reads, Owns and Writes what
// WriteAccess says, Finalizes the writing of finalizers; and the constructor that events are
// written about the objects.
//
// Must not outlive the manager; the destructor blocks until the manager does not run the
// controller. What the functions use, such as the handles of watches and writers that are declared
// after the controller, must live until Manager::Run has returned.
template <listers::StoredObject T>
class Controller {
 public:
  explicit Controller(Manager& manager, ControllerOptions<T> options = {})
      : Controller(HostOf(manager), std::move(options), &manager) {}
  // Makes a controller that no manager runs: see managed().
  explicit Controller(const ControllerHost& host, ControllerOptions<T> options = {})
      : Controller(host, std::move(options), nullptr) {}
  Controller(const Controller&) = delete;
  Controller& operator=(const Controller&) = delete;

  // Returns the watch of T, for reads and indexes.
  const Watched<T>& primary() const { return primary_; }

  // Returns a watch of K that enqueues the owner of each changed object, and a writer that sets the
  // owner.
  template <typed::ResourceKind K>
  [[nodiscard]] Owned<K> Owns(OwnsOptions<K> options = {}) {
    Watched<K> watched = host_.cache->Watch<K>(options.watch);
    internal::AttachWatch<K, meta::ObjectName>(
        core_, watched, EnqueueOwner<K>(resource_, {.every_owner = options.every_owner}),
        std::move(options.predicate));
    // Its owner references block the deletion of the owner.
    internal::RequireOnWatched(*host_.cache, *primary_.core(), "finalizers", {"update"});
    Writer<K> writer = MakeWriter<K>(watched.core(), std::move(options.writes));
    return Owned<K>(std::move(watched), std::move(writer));
  }

  // Return a watch of K, or of its metadata alone, whose changes enqueue the keys of `trigger`.
  template <typed::ResourceKind K>
  [[nodiscard]] Watched<K> Watches(Trigger<K> trigger, const WatchOptions& options = {},
                                   Predicate<K> predicate = {}) {
    Watched<K> watched = host_.cache->Watch<K>(options);
    internal::AttachWatch<K, meta::ObjectName>(core_, watched, std::move(trigger),
                                               std::move(predicate));
    return watched;
  }
  template <typed::ResourceKind K>
  [[nodiscard]] Watched<api::meta::v1::PartialObjectMetadata> WatchesMetadata(
      Trigger<api::meta::v1::PartialObjectMetadata> trigger, const WatchOptions& options = {},
      Predicate<api::meta::v1::PartialObjectMetadata> predicate = {}) {
    Watched<api::meta::v1::PartialObjectMetadata> watched = host_.cache->WatchMetadata<K>(options);
    internal::AttachWatch<api::meta::v1::PartialObjectMetadata, meta::ObjectName>(
        core_, watched, std::move(trigger), std::move(predicate));
    return watched;
  }

  // Returns a writer of a kind that the controller does not watch. Of a kind that it watches, too,
  // writes are not waited for: tell the request with AnyRequest::NoteWrite and Watched::core() if
  // the next reconcile must see them. Each Ensure reads the object from the server.
  template <typed::ResourceKind K>
  [[nodiscard]] Writer<K> Writes(WritesOptions options = {}) {
    return MakeWriter<K>(nullptr, std::move(options));
  }
  // Does the same for a resource that is known when the program runs, with objects of type
  // unstructured::Unstructured or metav1::PartialObjectMetadata. The texts are copied.
  template <DynamicKind K>
  [[nodiscard]] Writer<K> Writes(const typed::Resource& resource, WritesOptions options = {}) {
    internal::RequireForWriter(*host_.cache, resource, nullptr, options.access);
    return Writer<K>(host_.cache->client(), resource, nullptr, host_.name, std::move(options));
  }

  // Sets the function to call for each object: a function of Request<T>& that returns absl::Status
  // or absl::StatusOr<Result>. Required. It is called on several threads if there are several
  // workers.
  template <typename Function>
  void Reconciles(Function reconcile) {
    reconcile_ = internal::ReconcileFunction<Request<T>>(std::move(reconcile));
    core_->SetReconcile([this](internal::RequestParts& parts) { return Process(parts); });
  }

  // Sets a function to call before an object disappears. The finalizer is added to each object
  // before its first reconcile, and removed when the function has returned OK; until then the
  // object exists. The name must be qualified: "example.com/dns". See Finalizers for several.
  void Finalizes(std::string finalizer, std::function<absl::Status(Request<T>&)> finalize) {
    internal::RequireOnWatched(*host_.cache, *primary_.core(), "", {"get", "patch"});
    finalizers_.Add(std::move(finalizer), std::move(finalize));
    if (!finalizers_.status().ok()) core_->NoteSetupError(finalizers_.status());
  }

  // Sets a function to call when an object is gone, for instance to forget its metrics. It may be
  // called several times for one object, and it is not called for one that was deleted while the
  // program did not run: use Finalizes for what must happen. It has no request, which writers need:
  // it writes through a client of Manager::client(). Default: nothing happens.
  void OnGone(std::function<absl::Status(const Context&, const meta::ObjectName&)> gone) {
    gone_ = std::move(gone);
  }

  // Adds an object to the queue, for causes that are no changes of objects: webhooks, timers, other
  // systems. Never blocks. (controller-runtime: `source.Channel`)
  void Enqueue(const meta::ObjectName& name, const workqueue::AddOptions& options = {}) {
    core_->Add(workqueue::KeyTraits<meta::ObjectName>::ToText(name), options,
               {.type = Cause::Type::kEnqueued});
  }

  // Changes the status of the request's object and sends it if that changes anything. Blocks for
  // requests. Returns an empty Result, so that a reconcile function can return it, or the server's
  // error. To write conditions and other fields with one request, call meta::SetStatusCondition in
  // `change`, with the generation of the object.
  template <typename U = T>
  absl::StatusOr<Result> EditStatus(Request<T>& request,
                                    absl::FunctionRef<void(typed::StatusOf<U>&)> change) {
    return EditStatusOf(ClientOf<T>(host_.cache->client(), resource_), request, primary_.core(),
                        *request.object(), change, host_.name);
  }
  // Sets a condition in the status of the request's object. Otherwise like EditStatus.
  absl::StatusOr<Result> SetCondition(Request<T>& request, api::meta::v1::Condition condition) {
    return SetConditionOf(ClientOf<T>(host_.cache->client(), resource_), request, primary_.core(),
                          *request.object(), std::move(condition), host_.name);
  }

  // Returns what the controller does now, for status pages.
  ControllerStatus status() const { return core_->status(); }

  // Returns the controller as a manager sees it: for a program that runs it without one, and for
  // tests.
  ManagedController& managed() { return *core_; }

 private:
  Controller(const ControllerHost& host, ControllerOptions<T> options, Manager* manager)
      : host_(host),
        resource_(ResourceOf(options)),
        core_(internal::MakeCore(host,
                                 {.name = std::move(options.name),
                                  .workers = options.workers,
                                  .queue = std::move(options.queue),
                                  .reconcile_timeout = options.reconcile_timeout,
                                  .own_writes_timeout = options.own_writes_timeout,
                                  .always_runs = options.always_runs,
                                  .warm = options.warm,
                                  .max_retries = options.max_retries},
                                 typed::KindOf(resource_),
                                 &workqueue::KeyTraits<meta::ObjectName>::FromText)),
        primary_(WatchPrimary(*host.cache, resource_, options.watch)),
        finalizers_(host.cache->client(), resource_, primary_.core(), host.name),
        registration_(manager, *core_) {
    internal::AttachWatch<T, meta::ObjectName>(core_, primary_, EnqueueSelf<T>(),
                                               std::move(options.predicate));
    internal::RequireEvents(*host_.cache, *primary_.core());
    constexpr absl::string_view kStatus = internal::StatusSubresource<T>();
    if (options.edits_status.value_or(!resource_.built_in && !kStatus.empty())) {
      internal::RequireOnWatched(*host_.cache, *primary_.core(), kStatus, {"patch"});
    }
  }

  static typed::Resource ResourceOf(const ControllerOptions<T>& options) {
    if constexpr (DynamicKind<T>) {
      return options.resource;
    } else {
      return typed::ResourceTraits<T>::kResource;
    }
  }

  static Watched<T> WatchPrimary(Cache& cache, const typed::Resource& resource,
                                 const WatchOptions& options) {
    if constexpr (std::is_same_v<T, unstructured::Unstructured>) {
      return cache.WatchDynamic(resource, options);
    } else if constexpr (std::is_same_v<T, api::meta::v1::PartialObjectMetadata>) {
      return cache.WatchDynamicMetadata(resource, options);
    } else {
      return cache.Watch<T>(options);
    }
  }

  template <typed::ResourceKind K>
  Writer<K> MakeWriter(std::shared_ptr<WatchedCore> store, WritesOptions options) {
    const typed::Resource& resource = typed::ResourceTraits<K>::kResource;
    internal::RequireForWriter(*host_.cache, resource, store.get(), options.access);
    return Writer<K>(host_.cache->client(), resource, std::move(store), host_.name,
                     std::move(options));
  }

  absl::StatusOr<Result> Process(internal::RequestParts& parts) {
    Request<T> request(parts);
    absl::StatusOr<std::shared_ptr<const T>> object = primary_.Get(request, parts.name);
    if (errors::IsNotFound(object.status())) return Gone(request);
    // Nothing but the program can cure other errors, such as a namespace that is not watched.
    if (!object.ok()) return workqueue::TerminalError(object.status());
    request.object_ = *std::move(object);
    if (meta::IsBeingDeleted(*request.object_)) {
      KUBE_RETURN_IF_ERROR(finalizers_.Run(request));
      return Result();
    }
    KUBE_ASSIGN_OR_RETURN(request.object_, finalizers_.EnsureOn(request));
    return reconcile_(request);
  }

  absl::StatusOr<Result> Gone(const Request<T>& request) {
    if (gone_ != nullptr) KUBE_RETURN_IF_ERROR(gone_(request.context(), request.name()));
    return Result();
  }

  const ControllerHost host_;
  const typed::Resource resource_;
  const std::shared_ptr<internal::ControllerCore> core_;
  const Watched<T> primary_;
  Finalizers<T> finalizers_;
  std::function<absl::StatusOr<Result>(Request<T>&)> reconcile_;
  std::function<absl::Status(const Context&, const meta::ObjectName&)> gone_;
  const internal::Registration registration_;  // the last member: the others live while it runs
};

}  // namespace kube::controller

#endif  // CONTROLLER_RECONCILE_CONTROLLER_H_

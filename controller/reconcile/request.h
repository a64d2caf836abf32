#ifndef CONTROLLER_RECONCILE_REQUEST_H_
#define CONTROLLER_RECONCILE_REQUEST_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/base/context.h"
#include "apimachinery/meta/accessor.h"
#include "apimachinery/meta/object_name.h"
#include "apimachinery/schema/group_version.h"
#include "controller/cache/view.h"
#include "controller/cache/watched_core.h"
#include "controller/events/event_object.h"
#include "controller/events/record/event_recorder.h"
#include "controller/reconcile/cause.h"
#include "controller/reconcile/internal/steps.h"
#include "controller/workqueue/key_traits.h"
#include "listers/stored_object.h"

namespace kube::controller {

template <listers::StoredObject T>
class Controller;
template <workqueue::QueueKey Key>
class KeyController;
template <listers::StoredObject T>
class TestRequest;

namespace internal {

// A write that AnyRequest::NoteWrite was told of.
struct NotedWrite {
  std::shared_ptr<WatchedCore> store = {};
  std::string namespace_name = {};
  std::string resource_version = {};
};

// What a controller gives to a request, and what it reads when the reconcile has ended. One thread
// uses it at a time.
struct RequestParts {
  Context context = {};
  std::string key = {};
  meta::ObjectName name = {};
  std::vector<Cause> causes = {};
  int more_causes = 0;
  int failures = 0;
  std::string reconcile_id = {};
  schema::GroupVersionKind kind = {};         // of the object; empty for keys of one's own
  record::EventRecorder* recorder = nullptr;  // may be null; outlives the request
  std::vector<std::shared_ptr<WatchedCore>> watched = {};
  // WatchedCore::lists() at the beginning, of stores that the controller has written to before.
  std::map<std::weak_ptr<WatchedCore>, int64_t, std::owner_less<>> lists = {};
  std::vector<NotedWrite> writes = {};
  std::shared_ptr<Steps> steps = {};  // null if nobody wants to know
};

}  // namespace internal

// A step of a reconcile, from AnyRequest::Step until the destructor. For one thread.
class [[nodiscard]] RequestStep {
 public:
  ~RequestStep();
  RequestStep(const RequestStep&) = delete;
  RequestStep& operator=(const RequestStep&) = delete;

 private:
  friend class AnyRequest;
  RequestStep(std::shared_ptr<internal::Steps> steps, std::string what);

  const std::shared_ptr<internal::Steps> steps_;  // may be null
};

// What a reconcile function gets whatever it reconciles; Request<T> and KeyRequest<Key> are the two
// kinds. Functions that do a part of the work for several kinds, and all writers, take an
// AnyRequest&. (controller-runtime: `reconcile.Request`, and what it puts into the context)
//
// It is a View: reads of the controller's watches through it see all of them at the moment at which
// the reconcile began.
//
// For one thread, for the time of the call: do not keep a reference to it. Neither copied nor
// moved.
class AnyRequest : public View {
 public:
  AnyRequest(const AnyRequest&) = delete;
  AnyRequest& operator=(const AnyRequest&) = delete;
  virtual ~AnyRequest() = default;

  // Returns the context for all that the reconcile does: requests to the server, waits, log lines.
  // It ends after ControllerOptions::reconcile_timeout, or when the manager has waited long enough
  // at its end. Its log fields are controller, controllerGroup, controllerKind, the kind (as
  // namespace and name), namespace, name and reconcileID, as in controller-runtime.
  const Context& context() const { return parts_.context; }

  // Returns the name of the object. A KeyRequest has its key's text as the name, and no namespace
  // unless the key is an ObjectName.
  const meta::ObjectName& name() const { return parts_.name; }

  // Return the kind and the UID of the object; empty for a KeyRequest. Writers make owner
  // references of them.
  const schema::GroupVersionKind& kind() const { return parts_.kind; }
  virtual absl::string_view uid() const { return ""; }

  // Returns why the key is reconciled, oldest first: at most the first eight causes since the last
  // reconcile, of which a later resync replaces the eighth. more_causes() is the number of further
  // ones.
  absl::Span<const Cause> causes() const { return parts_.causes; }
  int more_causes() const { return parts_.more_causes; }

  // Returns how often the key has failed since its last success. Errors of workqueue::RetryAfter do
  // not count.
  int failures() const { return parts_.failures; }

  // Returns a UUID of this call, which is also in its log fields. (controller-runtime:
  // `ReconcileIDFromContext`)
  const std::string& reconcile_id() const { return parts_.reconcile_id; }

  // Records an event about the request's object; `type` is events::kEventTypeNormal or
  // kEventTypeWarning of controller/events/event_types.h, and record::EventRecorder describes the
  // other texts. Never blocks. A
  // KeyRequest has no object: it logs the event and drops it; use Manager::recorder().
  void Event(absl::string_view type, absl::string_view reason, absl::string_view message);

  // Says that this reconcile has written an object that `store` caches: the object is in this
  // namespace and the server's answer has this resource version. When the reconcile has ended and
  // the store has not seen the version yet, the key is not reconciled until the store has, at most
  // for ControllerOptions::own_writes_timeout. If the store gets the version by a list, which says
  // nothing of objects that are gone by then, the key is reconciled once more. Writers call this;
  // call it for writes of other clients. Without a store or a version it does nothing. Never
  // blocks.
  void NoteWrite(const std::shared_ptr<WatchedCore>& store, absl::string_view namespace_name,
                 absl::string_view resource_version);

  // Says what the reconcile does from now until the result is destroyed: verb, object, such as
  // "create bucket \"web\"". The status page shows it, and so do the log line about a reconcile
  // that outlives its timeout and the error of a manager whose reconciles do not end in time. Of
  // steps within steps, they show the innermost. Writers and finalizers name their steps
  // themselves; name those that wait for anything else, also requests of clients of your own.
  // Never blocks. (controller-runtime has none)
  //
  //   const RequestStep step = request.Step("create bucket");
  //   return CreateBucket(request.context(), request.name().name);
  RequestStep Step(std::string what) const;

  // Makes later reads see the stores as they are now. Request::object() stays as it was. Objects
  // that the request has written may still be missing.
  void Refresh();

 protected:
  // `parts` outlives the request.
  explicit AnyRequest(internal::RequestParts& parts);

  const internal::RequestParts& parts() const { return parts_; }

 private:
  // Returns what events are about.
  virtual events::EventObject event_object() const { return nullptr; }

  internal::RequestParts& parts_;
};

namespace internal {

// Returns a reference to an object for events.
events::EventObject ReferenceTo(const RequestParts& parts, absl::string_view uid,
                                absl::string_view resource_version);

}  // namespace internal

// A request to reconcile an object of kind T; a controller makes it.
//
//   absl::StatusOr<Result> Reconcile(Request<corev1::ConfigMap>& request) {
//     const corev1::ConfigMap& map = *request.object();
//     ...
//   }
template <listers::StoredObject T>
class Request final : public AnyRequest {
 public:
  // Returns the object as the view has it. Never null. It may be behind the server's state: writers
  // send its resource version along where that matters.
  const std::shared_ptr<const T>& object() const { return object_; }

  absl::string_view uid() const override {
    if constexpr (meta::Object<T>) {
      return object_->metadata.uid.view();
    } else {
      return object_->uid();
    }
  }

 private:
  friend class Controller<T>;
  friend class TestRequest<T>;
  explicit Request(internal::RequestParts& parts) : AnyRequest(parts) {}

  events::EventObject event_object() const override {
    return internal::ReferenceTo(parts(), uid(), listers::ResourceVersionOf(*object_));
  }

  std::shared_ptr<const T> object_;  // set before anybody else sees the request
};

// A request to process a key of one's own; KeyController makes it.
template <workqueue::QueueKey Key>
class KeyRequest final : public AnyRequest {
 public:
  const Key& key() const { return key_; }

 private:
  friend class KeyController<Key>;
  explicit KeyRequest(internal::RequestParts& parts)
      : AnyRequest(parts), key_(workqueue::KeyTraits<Key>::FromText(parts.key)) {}

  const Key key_;
};

}  // namespace kube::controller

#endif  // CONTROLLER_RECONCILE_REQUEST_H_

#ifndef INFORMERS_ANY_SHARED_INFORMER_H_
#define INFORMERS_ANY_SHARED_INFORMER_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "informers/handler_options.h"
#include "informers/internal/listener.h"
#include "informers/internal/notification.h"
#include "informers/internal/shared_informer_core.h"
#include "informers/reflector_status.h"
#include "informers/wait_for_cache_sync.h"

namespace kube::informers {

// What an informer says of itself. A value: a picture of one moment. docs/informers.md tells how to
// read it when something is stuck.
struct InformerStatus {
  // What comes from the server, and what goes wrong.
  ReflectorStatus reflector = {};
  bool synced = false;
  // Objects in the store.
  size_t stored = 0;
  // Events between the reflector and the store.
  size_t queued = 0;
  // Since anything has come of the server: a list, an event or a bookmark. Infinite: nothing has.
  absl::Duration since_last_event = absl::InfiniteDuration();
  std::vector<HandlerStatus> handlers = {};
};

// A handler of an informer: to see how far it is, and to remove it.
// (ResourceEventHandlerRegistration)
//
// A handle: cheap to copy. Thread-safe. It may outlive the informer.
class HandlerRegistration final : public Syncable {
 public:
  // Whether the store has all objects, and this handler has been told, and has returned, of all
  // that were there before it. It stays so.
  bool HasSynced() const { return synced().IsSet(); }
  const base::Event& synced() const override;
  absl::Status WhyNotSynced() const override;
  bool IsStopped() const override;

  HandlerStatus status() const;

 private:
  friend class AnySharedInformer;
  // `informer` is its name.
  HandlerRegistration(std::shared_ptr<internal::Listener> listener, std::string informer);

  std::shared_ptr<internal::Listener> listener_;
  std::string informer_;
};

// SharedInformer of whatever type: what factories, and waits for several, need of one.
//
// Thread-safe, but the destructor, before which Run must have returned.
class AnySharedInformer : public Syncable {
 public:
  ~AnySharedInformer() override;
  AnySharedInformer(const AnySharedInformer&) = delete;
  AnySharedInformer& operator=(const AnySharedInformer&) = delete;

  // Lists, watches, fills the store and tells handlers, until `ctx` is done; then returns its
  // status. Blocks. Handlers are called no more when it has returned; what they were not told of by
  // then is dropped, as by client-go. Whatever goes wrong with the server, it goes on trying.
  //
  // Once: FAILED_PRECONDITION the next time. RESOURCE_EXHAUSTED: the system has no thread left.
  absl::Status Run(const Context& ctx);

  bool HasStarted() const;
  // Run has returned, or is about to. An informer does not start again.
  bool IsStopped() const override;

  // Whether the store has all objects of a first list. It stays so, also when the connection is
  // lost after that. Handlers may not have heard of all yet: see their registrations.
  bool HasSynced() const { return synced().IsSet(); }
  const base::Event& synced() const override;
  // OK when synced. Otherwise what stands in the way, as the server's Forbidden:
  // errors/predicates.h knows the code. FAILED_PRECONDITION: it has stopped; the message has the
  // last error, if there was one.
  absl::Status WhyNotSynced() const override;

  // Blocks until the store is at least as new as `resource_version`: after a write of an object of
  // this informer's, with that of the answer, it has what was written. Of an object that it does
  // not select there is no event, and it takes until the next bookmark, a minute or so. Handlers
  // may not have heard of it yet. INVALID_ARGUMENT: no resource version; CANCELLED: the informer
  // has stopped; else ctx.status(). (client-go has none: its users compare)
  absl::Status WaitForResourceVersion(const Context& ctx, absl::string_view resource_version) const;
  // Of the store; empty before the first list.
  std::string LastSyncResourceVersion() const;

  // Removes a handler, and drops what it was not told of. Blocks while it is being called, so that
  // afterwards it is not; but where a handler removes one, itself for instance, it does not block,
  // and a call that runs is the last one. Again: no other effect. Do not hold what the handler
  // waits for. The registration is one of this informer's. (RemoveEventHandler, which does not
  // block: client-go's handlers may be called afterwards)
  void RemoveEventHandler(const HandlerRegistration& registration);

  // Told of each error for which it lists again or backs off, on a thread of the informer's. Must
  // not block. The last one set counts. FAILED_PRECONDITION: it has started.
  absl::Status SetWatchErrorHandler(std::function<void(const absl::Status&)> handler);

  InformerStatus status() const;
  // "pods": for messages.
  const std::string& name() const;

 protected:
  explicit AnySharedInformer(std::unique_ptr<internal::SharedInformerCore> core);
  internal::SharedInformerCore& core() const { return *core_; }
  absl::StatusOr<HandlerRegistration> AddHandler(internal::AnyHandler handler,
                                                 HandlerOptions options);

 private:
  friend class SharedInformerFactoryCore;

  const std::unique_ptr<internal::SharedInformerCore> core_;
};

}  // namespace kube::informers

#endif  // INFORMERS_ANY_SHARED_INFORMER_H_

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
#include "informers/store_advanced_registration.h"
#include "informers/wait_for_cache_sync.h"

namespace kube::informers {

// A snapshot of an informer's state, for status pages and debugging. A plain value;
// docs/informers.md explains how to read it when an informer is stuck.
struct InformerStatus {
  // State, last error and counters of the reflector.
  ReflectorStatus reflector = {};
  bool synced = false;
  // Number of objects in the store.
  size_t stored = 0;
  // Number of deltas received but not yet stored.
  size_t queued = 0;
  // Time since the server last sent a list, an event or a bookmark. Infinite if it has sent
  // nothing.
  absl::Duration since_last_event = absl::InfiniteDuration();
  std::vector<HandlerStatus> handlers = {};
};

// A handle to an event handler that was added to an informer: reports the handler's progress, and
// identifies it to RemoveEventHandler. (client-go: `ResourceEventHandlerRegistration`)
//
// Cheap to copy, thread-safe, and may outlive the informer.
class HandlerRegistration final : public Syncable {
 public:
  // Returns whether the informer has synced and this handler's calls for all objects of the initial
  // list have returned. Never becomes false again.
  bool HasSynced() const { return synced().IsSet(); }
  const base::Event& synced() const override;
  absl::Status WhyNotSynced() const override;
  bool IsStopped() const override;

  HandlerStatus status() const;

 private:
  friend class AnySharedInformer;
  // `informer` is the informer's name, for messages.
  HandlerRegistration(std::shared_ptr<internal::Listener> listener, std::string informer);

  std::shared_ptr<internal::Listener> listener_;
  std::string informer_;
};

// The part of SharedInformer that does not depend on the object type. Factories and
// WaitForCacheSync use it to treat informers of different types alike.
//
// Thread-safe, except for the destructor: Run must have returned before it.
class AnySharedInformer : public Syncable {
 public:
  ~AnySharedInformer() override;
  AnySharedInformer(const AnySharedInformer&) = delete;
  AnySharedInformer& operator=(const AnySharedInformer&) = delete;

  // Lists and watches, keeps the store up to date and notifies the handlers until `ctx` is done,
  // and returns the status of `ctx`. Blocks. Errors of the server are retried and never end it.
  // When Run returns, no handler is running and none will be called again; pending notifications
  // are dropped, as in client-go.
  //
  // Returns FAILED_PRECONDITION if it was called before: an informer runs once. Returns
  // RESOURCE_EXHAUSTED if the system cannot create a handler's thread.
  absl::Status Run(const Context& ctx);

  bool HasStarted() const;
  // Returns whether Run has returned or is about to return. An informer cannot be started again.
  bool IsStopped() const override;

  // Returns whether the store holds all objects of the first list. Never becomes false again, even
  // if the connection is lost. Handlers may not have been notified of all objects yet; see
  // HandlerRegistration::HasSynced.
  bool HasSynced() const { return synced().IsSet(); }
  const base::Event& synced() const override;
  // Returns OK once the informer has synced. Otherwise returns the error that prevents it, such as
  // the server's Forbidden (see errors/predicates.h), or UNAVAILABLE with the present state.
  // Returns FAILED_PRECONDITION if the informer has stopped; the message contains the last error,
  // if there was one. Never blocks. informers::CannotSync tells the errors that trying again does
  // not cure from those that pass.
  absl::Status WhyNotSynced() const override;

  // Blocks until the store is at least as new as `resource_version`. After a write to an object of
  // this informer, pass the resource version of the response to be sure that the store reflects the
  // write. If the informer's selectors exclude the object, no event arrives, and the wait lasts
  // until the next bookmark, about a minute. Handlers may not have been notified yet. Returns
  // INVALID_ARGUMENT if `resource_version` is not a resource version, CANCELLED if the informer has
  // stopped, or ctx.status(). client-go has no such function; its users compare versions
  // themselves.
  absl::Status WaitForResourceVersion(const Context& ctx, absl::string_view resource_version) const;
  // Returns whether the store is at least as new as `resource_version`, so that
  // WaitForResourceVersion would return OK at once. Never blocks. Returns false before the first
  // list, and if `resource_version` is not a resource version.
  bool HasResourceVersion(absl::string_view resource_version) const;
  // Registers a function that is called when the store has advanced: after each list, change or
  // bookmark of a newer resource version has been stored, once for changes that were stored
  // together. What it or any other thread then reads is at least that new, and HasResourceVersion
  // says so. Resyncs are not reported. Together with HasResourceVersion it replaces a thread that
  // blocks in WaitForResourceVersion: register first, then test, so that no change is missed.
  //
  // The function is called on the thread that runs Run, before the handlers are notified. It must
  // not block, because the informer waits for it, and not throw. It may read stores, and register
  // and unregister functions, itself too. It is not called after the result was destroyed, nor
  // after Run has returned; an informer that has stopped never calls it. A null function registers
  // nothing. client-go has no such function.
  StoreAdvancedRegistration OnStoreAdvanced(std::function<void()> callback);
  // Returns the resource version of the store, or "" before the first list.
  std::string LastSyncResourceVersion() const;

  // Removes a handler and drops its pending notifications. Blocks while the handler is running, so
  // that it is not called after this returns. If the caller is a handler itself, for example the
  // one being removed, this does not block, and a call that is running is the last one. Removing a
  // handler twice has no effect. The caller must not hold a lock that the handler may take.
  // `registration` must come from this informer. (client-go: `RemoveEventHandler`, which does not
  // block, so that handlers may still be called afterwards.)
  void RemoveEventHandler(const HandlerRegistration& registration);

  // Sets a function that is called with each error after which the informer lists again or backs
  // off. It is called on the thread that runs Run and must not block. A later call replaces the
  // function. Returns FAILED_PRECONDITION if the informer has started.
  absl::Status SetWatchErrorHandler(std::function<void(const absl::Status&)> handler);

  InformerStatus status() const;
  // Returns the name used in messages, such as "pods".
  const std::string& name() const;
  // Describes the calling thread if it must not wait for Run: "handler \"web\" of informer pods" or
  // "the thread of informer pods". Returns "" for any other thread. For owners of informers that
  // join the thread of Run.
  std::string Caller() const;

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

#ifndef CONTROLLER_CACHE_WATCHED_CORE_H_
#define CONTROLLER_CACHE_WATCHED_CORE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/meta/object_name.h"
#include "apimachinery/schema/group_version.h"
#include "controller/cache/cache_options.h"
#include "controller/cache/internal/informer_pool.h"
#include "controller/cache/namespace_set.h"
#include "informers/any_shared_informer.h"
#include "informers/store_advanced_registration.h"
#include "informers/wait_for_cache_sync.h"

namespace kube::controller {

// The state of one informer of a watch, for status pages. A plain value.
struct WatchSummary {
  schema::GroupVersionResource resource = {};
  // "" if the informer has all namespaces, or if the kind is cluster-scoped.
  std::string namespace_name = {};
  std::string label_selector = {};
  std::string field_selector = {};
  // Number of objects in the store.
  size_t objects = 0;
  // Number of watches that share the informer.
  int users = 0;
  bool started = false;
  // Whether the store holds all objects of the first list.
  bool synced = false;
  // OK if it has synced, otherwise the reason, such as the server's Forbidden, or that the system
  // could not create its thread.
  absl::Status why_not_synced = {};
  // Time since the server last sent a list, an event or a bookmark; infinite if it has sent
  // nothing.
  absl::Duration since_last_event = absl::InfiniteDuration();
};

// Holds the registration of a callback with WatchedCore::OnAdvanced; its destructor ends it.
// Movable, thread-compatible; may outlive the watch.
class [[nodiscard]] AdvancedRegistration {
 public:
  // Holds nothing.
  AdvancedRegistration() = default;
  AdvancedRegistration(AdvancedRegistration&&) = default;
  AdvancedRegistration& operator=(AdvancedRegistration&&) = default;

 private:
  friend class WatchedCore;
  std::vector<informers::StoreAdvancedRegistration> registrations_;
};

namespace internal {

// Returns a snapshot of the informer's store: a listers::Snapshot of the type of the objects.
using TakeSnapshot = std::shared_ptr<const void> (*)(const informers::AnySharedInformer& informer);

// `start_error` is that of the pool.
WatchSummary SummaryOf(const PooledInformer& pooled, int users, const absl::Status& start_error);

// Removes the index of this name from the informer's store.
using RemoveIndexer = void (*)(informers::AnySharedInformer& informer, absl::string_view name);

// What the cache gives to a new watch.
struct WatchedParts {
  std::shared_ptr<InformerPool> pool = {};
  schema::GroupVersionResource resource = {};
  schema::GroupVersionKind kind = {};
  bool namespaced = true;
  NamespaceSet namespaces = {};
  std::string label_selector = {};
  std::string field_selector = {};
  // One for each element of namespaces.names().
  std::vector<InformerPool::Pooled> informers = {};
  TakeSnapshot take_snapshot = nullptr;
  RemoveIndexer remove_indexer = nullptr;
};

// A list that was asked for with a field selector, in terms of the store.
struct FieldQuery {
  // The requirements contradict each other.
  bool nothing = false;
  // Nullopt for all namespaces of the watch, and for cluster-scoped kinds.
  std::optional<std::string> namespace_name = {};
  std::optional<std::string> name = {};
  // Indexes of the store, and the values that they must have.
  std::vector<std::pair<std::string, std::string>> values = {};
};

}  // namespace internal

// The part of Watched<K> that does not depend on the type of the objects: the informers of one
// watch, one for each namespace of its set. Controllers and managers use it to treat watches of
// different kinds alike.
//
// It ends with its last shared_ptr: its handlers and indexes are removed, and its informers end
// unless other watches share them. That may happen on any thread, also in a handler of this watch:
// the destructor then does not wait for that handler, whose present call is the last one, and it
// never waits for informers, which a thread of the cache joins.
//
// Thread-safe. It may outlive the Cache, whose Shutdown ends its informers.
class WatchedCore {
 public:
  // Made by Cache.
  explicit WatchedCore(internal::WatchedParts parts);
  ~WatchedCore();
  WatchedCore(const WatchedCore&) = delete;
  WatchedCore& operator=(const WatchedCore&) = delete;

  // Returns a name for messages: "deployments.apps", followed by the selectors and the namespaces
  // if the watch has any, as in "pods (app=web, namespaces a, b)".
  const std::string& name() const { return name_; }
  const schema::GroupVersionResource& resource() const { return parts_.resource; }
  const schema::GroupVersionKind& kind() const { return parts_.kind; }
  bool namespaced() const { return parts_.namespaced; }
  const NamespaceSet& namespaces() const { return parts_.namespaces; }

  // Starts the informers that are not running yet. Never blocks. Has no effect after
  // Cache::Shutdown. If the system cannot create a thread, logs that once, and start_error says so;
  // another call tries again. A controller calls it again until it succeeds.
  void Start();
  // Returns RESOURCE_EXHAUSTED if the last Start could not create the thread of an informer, which
  // therefore does not run, and FAILED_PRECONDITION if the cache was shut down since, so that no
  // Start will succeed; OK otherwise, also before Start. Does not block.
  absl::Status start_error() const;

  // Returns whether the stores hold all objects of the first lists, and the calls for them have
  // returned of all handlers that were added to this watch.
  bool HasSynced() const ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns OK if it has synced. Otherwise returns start_error(), or the reason of the first
  // informer or handler that has not; see AnySharedInformer::WhyNotSynced. Does not block.
  absl::Status WhyNotSynced() const ABSL_LOCKS_EXCLUDED(mutex_);
  // Blocks until it has synced. Call Start before. By default, returns at once an error that trying
  // again does not cure, with the server's words and its payload: unauthorized, forbidden, an
  // unknown resource, invalid selectors or projections. Then grant the rights or correct the
  // program; the informer keeps trying meanwhile. It also returns start_error() at once: call Start
  // again. Returns FAILED_PRECONDITION if the cache was shut down, and the code of ctx.status(),
  // with the reasons of all that have not synced, when `ctx` is done.
  absl::Status WaitForSync(const Context& ctx,
                           const informers::WaitForCacheSyncOptions& options = {
                               .fail_fast = true}) const ABSL_LOCKS_EXCLUDED(mutex_);

  // Returns false if objects of this namespace never arrive here. Of a cluster-scoped kind,
  // everything is covered.
  bool Covers(absl::string_view namespace_name) const;
  // Returns whether the store of this namespace is at least as new as `version`; true if the
  // namespace is not covered, since nothing of it is waited for. Does not block. See
  // AnySharedInformer::HasResourceVersion.
  bool HasResourceVersion(absl::string_view namespace_name, absl::string_view version) const;
  // Returns how often the stores have been filled by a list. A list is counted before its store has
  // it: if HasResourceVersion was false and is true now, the count says whether a list came
  // between. Does not block, but takes the informers' locks and copies their states: call it for
  // few watches.
  int64_t lists() const;
  // Calls `callback` whenever a store of this watch has advanced, until the result is destroyed;
  // see AnySharedInformer::OnStoreAdvanced. It is called on the informers' threads, possibly on
  // several at once, and must not block.
  [[nodiscard]] AdvancedRegistration OnAdvanced(std::function<void()> callback);

  // Returns the state of each informer. Does not block.
  std::vector<WatchSummary> Summaries() const;

  // ---- for Watched, Index and View, whose templates know the type of the objects

  // Adds a handler to each informer by calling `add`. If one fails, those that were added are
  // removed, and the error is returned.
  using AddHandler = absl::FunctionRef<absl::StatusOr<informers::HandlerRegistration>(
      informers::AnySharedInformer&)>;
  absl::Status AddHandlers(AddHandler add) ABSL_LOCKS_EXCLUDED(mutex_);

  // Adds an index to each informer by calling `add` with the name that the index has in the stores,
  // which no other watch uses, and returns that name. Lists with a field selector use the index for
  // the field `field`. Errors are logged.
  using AddIndexer =
      absl::FunctionRef<absl::Status(informers::AnySharedInformer&, const std::string& name)>;
  std::string AddIndexers(absl::string_view field, AddIndexer add) ABSL_LOCKS_EXCLUDED(mutex_);

  size_t informer_count() const { return parts_.informers.size(); }
  informers::AnySharedInformer& informer(size_t i) const { return *parts_.informers[i]->informer; }
  // Returns a snapshot of the store of informer `i`, taken now.
  std::shared_ptr<const void> Snapshot(size_t i) const { return parts_.take_snapshot(informer(i)); }
  // Returns the informer that has this object. Returns FAILED_PRECONDITION if its namespace is not
  // covered, or INVALID_ARGUMENT if a namespaced kind is asked for without a namespace.
  absl::StatusOr<size_t> InformerOf(const meta::ObjectName& name) const;
  // Returns the informers that have objects of this namespace, or all. `namespace_name` is ignored
  // for cluster-scoped kinds.
  std::vector<size_t> InformersOf(const std::optional<std::string>& namespace_name) const;
  // Returns how to find the objects that a field selector selects. Returns INVALID_ARGUMENT if the
  // selector cannot be parsed, has an operator other than "=", or names a field without index;
  // FAILED_PRECONDITION if it names a namespace that is not covered.
  absl::StatusOr<internal::FieldQuery> Resolve(const ListScope& scope,
                                               absl::string_view field_selector) const
      ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  struct Handler {
    // Position of its informer.
    size_t informer;
    informers::HandlerRegistration registration;
  };

  void Remove(const std::vector<Handler>& removed);
  std::vector<Handler> handlers() const ABSL_LOCKS_EXCLUDED(mutex_);
  void RemoveIndexers() ABSL_LOCKS_EXCLUDED(mutex_);
  // Adds one requirement of a field selector.
  absl::Status Require(absl::string_view field, absl::string_view value,
                       internal::FieldQuery& query) const ABSL_LOCKS_EXCLUDED(mutex_);

  const internal::WatchedParts parts_;
  const std::string name_;

  mutable base::Mutex mutex_;
  std::vector<Handler> handlers_ ABSL_GUARDED_BY(mutex_);
  // By field, the name that the index has in the stores.
  std::map<std::string, std::string, std::less<>> indexes_ ABSL_GUARDED_BY(mutex_);
  // The names of all indexes that were added, in the stores.
  std::vector<std::string> index_names_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kube::controller

#endif  // CONTROLLER_CACHE_WATCHED_CORE_H_

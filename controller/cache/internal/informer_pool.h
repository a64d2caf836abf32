#ifndef CONTROLLER_CACHE_INTERNAL_INFORMER_POOL_H_
#define CONTROLLER_CACHE_INTERNAL_INFORMER_POOL_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/schema/group_version.h"
#include "informers/any_shared_informer.h"

namespace kube::controller::internal {

// The settings of an informer. Watches whose keys are equal share one informer.
struct InformerKey {
  schema::GroupVersionResource resource = {};
  // Identifies the type of the objects: the address of its table.
  const void* type = nullptr;
  std::string namespace_name = {};
  std::string label_selector = {};
  std::string field_selector = {};
  bool drop_managed_fields = false;
  // The paths of the projection, sorted.
  std::vector<std::string> drop = {};
  std::vector<std::string> keep = {};

  friend bool operator==(const InformerKey&, const InformerKey&) = default;
};

// An informer and the thread that runs it. InformerPool guards all that changes.
struct PooledInformer {
  InformerKey key = {};
  std::unique_ptr<informers::AnySharedInformer> informer = {};
  int users = 0;
  // Null until the informer is started. The reaper joins it.
  std::unique_ptr<base::Thread> thread = {};
  // The thread was told to end.
  bool is_ending = false;
  // Why the thread could not be created; OK if it was, or if nobody has tried.
  absl::Status start_error = {};
};

// Counts the users of informers, runs the informers, and ends those that have no users left.
//
// The last Release may come from any thread, also from a handler of the informer or from the
// informer's own thread, which cannot wait for the informer to end. So Release never waits: it
// tells the informer's thread to end and gives it to the reaper, a thread that joins it.
//
// Thread-safe. Shut it down before the last reference to it is given up.
class InformerPool {
 public:
  using Pooled = std::shared_ptr<PooledInformer>;
  using MakeInformer = absl::FunctionRef<std::unique_ptr<informers::AnySharedInformer>()>;

  InformerPool() = default;
  InformerPool(const InformerPool&) = delete;
  InformerPool& operator=(const InformerPool&) = delete;

  // Returns the informer of this key for one more user, made by `make` if it does not exist.
  Pooled Acquire(const InformerKey& key, MakeInformer make) ABSL_LOCKS_EXCLUDED(mutex_);
  // Takes back what Acquire has returned. Never blocks.
  void Release(const Pooled& pooled) ABSL_LOCKS_EXCLUDED(mutex_);

  // Starts the informer unless it was started or the pool was shut down. Never blocks. Returns
  // RESOURCE_EXHAUSTED if the system cannot create a thread; a later call tries again.
  absl::Status Start(const Pooled& pooled) ABSL_LOCKS_EXCLUDED(mutex_);

  // Returns the error of the last Start of this informer, which then does not run; OK otherwise.
  // After Shutdown, FAILED_PRECONDITION takes the place of an error that was left.
  absl::Status StartError(const Pooled& pooled) const ABSL_LOCKS_EXCLUDED(mutex_);

  // Ends all informers, and blocks until their threads have ended. No informer is started
  // afterwards. If a handler or a thread of one of the informers calls it, it does not block.
  void Shutdown() ABSL_LOCKS_EXCLUDED(mutex_);

  // Returns a context that is done once Shutdown was called.
  const Context& open() const { return open_.context(); }

  // Describes the calling thread if Shutdown would not block for it, or returns "".
  std::string Caller() const ABSL_LOCKS_EXCLUDED(mutex_);

  // An informer as it was at the moment of the call.
  struct Used {
    Pooled pooled = {};
    int users = 0;
    bool started = false;
    // As StartError.
    absl::Status start_error = {};
  };
  // Returns the informers that have users, in the order in which they were made.
  std::vector<Used> Informers() const ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns a number that no other call has returned, for the name of an index: those of watches
  // that share an informer must not clash.
  int64_t NextIndex() ABSL_LOCKS_EXCLUDED(mutex_);

  // Returns the number of users of this informer.
  int UsersOf(const Pooled& pooled) const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  // Returns the informer of this key, with one more user, or null.
  Pooled Use(const InformerKey& key) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Creates the informer's thread.
  absl::Status StartThread(PooledInformer& pooled) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Reap(const Context& ctx) ABSL_LOCKS_EXCLUDED(mutex_);
  // Gives the informer to the reaper. Returns whether the caller has to tell its thread to end,
  // which it does without the lock, since that calls what waits for the thread's Context.
  bool End(const Pooled& pooled) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  CancelScope open_ = WithCancel(Context());
  mutable base::Mutex mutex_;
  base::CondVar has_ending_;
  bool is_shut_down_ ABSL_GUARDED_BY(mutex_) = false;
  // A call of Shutdown is joining or has joined the reaper.
  bool is_joining_ ABSL_GUARDED_BY(mutex_) = false;
  int64_t indexes_ ABSL_GUARDED_BY(mutex_) = 0;
  std::vector<Pooled> used_ ABSL_GUARDED_BY(mutex_);
  // Informers whose threads were told to end and are not joined yet. The reaper takes them from
  // `ending_` to `joining_`.
  std::vector<Pooled> ending_ ABSL_GUARDED_BY(mutex_);
  std::vector<Pooled> joining_ ABSL_GUARDED_BY(mutex_);
  // Set when the reaper was joined.
  base::Event ended_;
  // Started with the first informer, joined by Shutdown.
  base::Thread reaper_;
};

}  // namespace kube::controller::internal

#endif  // CONTROLLER_CACHE_INTERNAL_INFORMER_POOL_H_

#ifndef CONTROLLER_WORKQUEUE_INTERNAL_QUEUE_CORE_H_
#define CONTROLLER_WORKQUEUE_INTERNAL_QUEUE_CORE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/thread.h"
#include "controller/workqueue/internal/queue_metrics.h"
#include "controller/workqueue/internal/queue_state.h"
#include "controller/workqueue/queue_options.h"
#include "controller/workqueue/queue_status.h"
#include "controller/workqueue/rate_limiter.h"

namespace kube::workqueue::internal {

// What all types of queues have in common: a queue of keys as texts. queue_core.cc tells how
// workers wait and who wakes them.
//
// Thread-safe.
class QueueCore {
 public:
  // A key that a worker has, or none. Movable.
  class Claim {
   public:
    Claim() = default;
    Claim(Claim&& other) noexcept
        : core_(std::exchange(other.core_, nullptr)), taken_(other.taken_) {}
    Claim& operator=(Claim&& other) noexcept;
    ~Claim() { Release(); }

    absl::string_view text() const { return taken_.key; }
    int16_t priority() const { return taken_.priority; }
    void Release();

   private:
    friend class QueueCore;
    Claim(QueueCore* core, const QueueState::Taken& taken) : core_(core), taken_(taken) {}

    QueueCore* core_ = nullptr;  // null: no key. It outlives the claim.
    QueueState::Taken taken_;
  };

  explicit QueueCore(QueueOptions options);
  ~QueueCore();

  void Add(absl::string_view text) ABSL_LOCKS_EXCLUDED(mutex_);
  void AddWith(absl::string_view text, const AddOptions& options) ABSL_LOCKS_EXCLUDED(mutex_);
  absl::StatusOr<Claim> Get(const Context& ctx) ABSL_LOCKS_EXCLUDED(mutex_);
  void ShutDown() ABSL_LOCKS_EXCLUDED(mutex_);
  absl::Status ShutDownWithDrain(const Context& ctx) ABSL_LOCKS_EXCLUDED(mutex_);

  bool shutting_down() const ABSL_LOCKS_EXCLUDED(mutex_);
  size_t length() ABSL_LOCKS_EXCLUDED(mutex_);
  size_t delayed() ABSL_LOCKS_EXCLUDED(mutex_);
  QueueStatus status() ABSL_LOCKS_EXCLUDED(mutex_);
  RateLimiter& rate_limiter() const { return *rate_limiter_; }

 private:
  enum class Wake { kNobody, kWorker, kTimekeeper };

  void Done(const QueueState::Taken& taken) ABSL_LOCKS_EXCLUDED(mutex_);
  // Makes dirty the keys that are due. Returns the time, or the clock's epoch if no key is waiting
  // and there are neither metrics nor ageing: then nobody needs the time.
  base::MonotonicTime CatchUp() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Waits once, until this thread is woken, the next key is due or `ctx` is done.
  void WaitForWork(const Context& ctx) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Decides whom the caller has to wake once it has released the lock.
  Wake WhoIsNext() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Notify(Wake wake);
  bool IsDrained() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return state_.ready() == 0 && state_.processing() == 0;
  }
  void BeginShutDown(bool drain) ABSL_LOCKS_EXCLUDED(mutex_);
  void StartMetrics() ABSL_LOCKS_EXCLUDED(mutex_);
  void UpdateUnfinished() ABSL_LOCKS_EXCLUDED(mutex_);

  const std::shared_ptr<RateLimiter> rate_limiter_;
  const std::unique_ptr<QueueMetrics> metrics_;  // null: no metrics

  mutable base::Mutex mutex_;
  base::CondVar work_;     // workers wait for it
  base::CondVar due_;      // the timekeeper waits for it
  base::CondVar drained_;  // ShutDownWithDrain waits for it
  QueueState state_ ABSL_GUARDED_BY(mutex_);
  size_t workers_waiting_ ABSL_GUARDED_BY(mutex_) = 0;
  bool has_timekeeper_ ABSL_GUARDED_BY(mutex_) = false;
  base::MonotonicTime timekeeper_until_ ABSL_GUARDED_BY(mutex_);
  bool waking_ ABSL_GUARDED_BY(mutex_) = false;  // a wake-up is on its way
  bool shutting_down_ ABSL_GUARDED_BY(mutex_) = false;
  bool draining_ ABSL_GUARDED_BY(mutex_) = false;
  bool metrics_started_ ABSL_GUARDED_BY(mutex_) = false;

  std::optional<CancelScope> metrics_scope_;
  base::Thread metrics_thread_;  // last, as it uses the other members
};

}  // namespace kube::workqueue::internal

#endif  // CONTROLLER_WORKQUEUE_INTERNAL_QUEUE_CORE_H_

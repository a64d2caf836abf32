#ifndef CONTROLLER_WORKQUEUE_INTERNAL_QUEUE_CORE_H_
#define CONTROLLER_WORKQUEUE_INTERNAL_QUEUE_CORE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/thread.h"
#include "controller/workqueue/internal/queue_metrics.h"
#include "controller/workqueue/internal/queue_state.h"
#include "controller/workqueue/queue_options.h"
#include "controller/workqueue/rate_limiter.h"

namespace kube::workqueue::internal {

// Queue of any type of key: texts. Thread-safe.
//
// Who waits: at most one worker, the timekeeper, waits until the next key is due; all others until
// they are told. At most one of them is being woken at a time; when it has what it came for, it
// wakes the next one if there is more. So a burst of keys costs its producer one wake-up, and the
// workers wake each other while the producer goes on.
//
// The invariant: whenever the lock is released, at the end of a call or by waiting, either a
// wake-up is on its way or nobody has to be woken. As no call wakes anybody while a wake-up is on
// its way, whoever was woken looks again whom to wake (WhoIsNext), also before it waits again.
//
// A worker that has finished a key leaves it, without the lock, for whoever takes the lock next:
// most often itself, for its next key. It takes the lock if one is left already, and if that is
// closed: while a worker waits, who has to learn of it at once; while keys do, as the order in
// which they come and this one comes again is the order in time; after ShutDown; and with metrics,
// which want to know when it was.
class QueueCore {
 public:
  // A key that was taken, or none. Movable.
  class Claim {
   public:
    Claim() = default;
    Claim(Claim&& other) noexcept : core_(other.core_) {
      // The one that Get fills is empty when it is moved.
      if (core_ != nullptr) taken_ = other.taken_;
      other.core_ = nullptr;
    }
    Claim& operator=(Claim&& other) noexcept;
    ~Claim() { Release(); }

    absl::string_view text() const { return taken_.text; }
    int16_t priority() const { return taken_.priority; }
    void Release();

   private:
    friend class QueueCore;
    QueueCore* core_ = nullptr;
    QueueState::Taken taken_;
  };

  explicit QueueCore(QueueOptions options);
  ~QueueCore();

  void Add(absl::string_view text) ABSL_LOCKS_EXCLUDED(mutex_);
  void AddWith(absl::string_view text, const AddOptions& options) ABSL_LOCKS_EXCLUDED(mutex_);
  // Into `claim`, an empty one, as moving it costs as much as all the rest.
  absl::Status Get(const Context& ctx, Claim& claim) ABSL_LOCKS_EXCLUDED(mutex_);
  void ShutDown() ABSL_LOCKS_EXCLUDED(mutex_);
  absl::Status ShutDownWithDrain(const Context& ctx) ABSL_LOCKS_EXCLUDED(mutex_);

  bool shutting_down() const ABSL_LOCKS_EXCLUDED(mutex_);
  size_t length() ABSL_LOCKS_EXCLUDED(mutex_);
  size_t delayed() ABSL_LOCKS_EXCLUDED(mutex_);
  RateLimiter& rate_limiter() const { return *rate_limiter_; }

 private:
  enum class Wake { kNobody, kWorker, kTimekeeper };

  void Done(const QueueState::Taken& taken) ABSL_LOCKS_EXCLUDED(mutex_);
  // Makes known to the state what was left as finished.
  void TakeInFinished() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The same, and from now on nothing is left.
  void CloseFinished() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // It is closed; if it need not be, not any more.
  void OpenFinished() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Takes in what is finished. The time if it matters, and then what is due by then is ready.
  uint64_t CatchUp() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  uint64_t CatchUpWithTime() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void WaitForWork(const Context& ctx) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Whom to wake once the lock is released.
  Wake WhoIsNext() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Notify(Wake wake);
  void BeginShutDown(bool drain) ABSL_LOCKS_EXCLUDED(mutex_);
  void StartMetrics() ABSL_LOCKS_EXCLUDED(mutex_);
  void UpdateUnfinished() ABSL_LOCKS_EXCLUDED(mutex_);

  const std::shared_ptr<RateLimiter> rate_limiter_;
  const bool by_priority_;
  const std::unique_ptr<QueueMetrics> metrics_;  // null: none

  mutable base::Mutex mutex_;
  base::CondVar work_;     // for workers
  base::CondVar due_;      // for the timekeeper
  base::CondVar drained_;  // for ShutDownWithDrain
  QueueState state_ ABSL_GUARDED_BY(mutex_);
  size_t workers_waiting_ ABSL_GUARDED_BY(mutex_) = 0;
  bool has_timekeeper_ ABSL_GUARDED_BY(mutex_) = false;
  uint64_t timekeeper_until_ ABSL_GUARDED_BY(mutex_) = 0;
  bool waking_ ABSL_GUARDED_BY(mutex_) = false;
  bool shutting_down_ ABSL_GUARDED_BY(mutex_) = false;
  bool draining_ ABSL_GUARDED_BY(mutex_) = false;
  bool metrics_started_ ABSL_GUARDED_BY(mutex_) = false;

  struct alignas(8) Finished {  // to clang as to g++ one word
    Ref ref = kNowhere;         // a key; kNowhere: there is room for one; kClosed: there is not
    uint32_t hash = 0;
  };
  static constexpr Ref kClosed = ~kNowhere;
  std::atomic<Finished> finished_;
  static_assert(std::atomic<Finished>::is_always_lock_free);

  std::optional<CancelScope> metrics_scope_;
  base::Thread metrics_thread_;  // last: it uses the rest
};

}  // namespace kube::workqueue::internal

#endif  // CONTROLLER_WORKQUEUE_INTERNAL_QUEUE_CORE_H_

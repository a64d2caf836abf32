#ifndef CLIENTSET_OPENAPI_INTERNAL_FETCHED_H_
#define CLIENTSET_OPENAPI_INTERNAL_FETCHED_H_

#include <cstdint>
#include <optional>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/status.h"

namespace kube::openapi::internal {

// A value that is fetched when it is first needed, and kept. One thread at a time fetches it; the
// others wait for its result, as long as their own contexts allow. An error goes to the thread that
// fetched, is not kept, and lets the next one try. Thread-safe.
template <typename T>
class Fetched {
 public:
  // Returns a copy of the value. `fetch` is called without locks held.
  absl::StatusOr<T> Get(const Context& ctx, absl::FunctionRef<absl::StatusOr<T>()> fetch)
      ABSL_LOCKS_EXCLUDED(mutex_) {
    uint64_t generation = 0;
    {
      base::MutexLock lock(mutex_);
      while (true) {
        if (value_.has_value()) return *value_;
        if (!fetching_) break;
        KUBE_RETURN_IF_ERROR(ctx.status());
        fetched_.WaitOnce(ctx, mutex_, base::MonotonicTime::Infinite());
      }
      fetching_ = true;
      generation = generation_;
    }
    absl::StatusOr<T> made = fetch();
    base::MutexLock lock(mutex_);
    fetching_ = false;
    fetched_.NotifyAll();
    // What was asked for before Forget is not kept after it.
    if (made.ok() && generation == generation_) value_ = *made;
    return made;
  }

  void Forget() ABSL_LOCKS_EXCLUDED(mutex_) {
    base::MutexLock lock(mutex_);
    value_.reset();
    ++generation_;
  }

 private:
  base::Mutex mutex_;
  base::CondVar fetched_;
  std::optional<T> value_ ABSL_GUARDED_BY(mutex_);
  bool fetching_ ABSL_GUARDED_BY(mutex_) = false;
  uint64_t generation_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace kube::openapi::internal

#endif  // CLIENTSET_OPENAPI_INTERNAL_FETCHED_H_

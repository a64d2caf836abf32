#include "clientset/rest/internal/throttle.h"

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"

namespace kube::rest::internal {

namespace {

constexpr absl::Duration kLongWait = absl::Milliseconds(50);
constexpr absl::Duration kVeryLongWait = absl::Seconds(1);

// Limits the log lines of a client that is throttled all the time: one line per `interval`, at
// `level`. Without verbose logging that is one line in ten seconds.
struct LongWaitLog {
  int level;
  absl::Duration interval;
};
constexpr LongWaitLog kLongWaitLogs[] = {{2, absl::Seconds(1)}, {0, absl::Seconds(10)}};

constexpr absl::string_view kMessage = "waited before sending request";

}  // namespace

int Throttle::LevelForLongWait() {
  const base::MonotonicTime now = base::Now();
  const int index = log::V(kLongWaitLogs[0].level) ? 0 : 1;
  const base::MutexLock lock(mutex_);
  if (now - logged_at_[index] < kLongWaitLogs[index].interval) return -1;
  logged_at_[index] = now;
  return kLongWaitLogs[index].level;
}

absl::Status Throttle::Wait(const Context& ctx, absl::string_view verb, absl::string_view url,
                            absl::string_view reason) {
  if (limiter_ == nullptr) return absl::OkStatus();
  const base::MonotonicTime start = base::Now();
  const absl::Status status = limiter_->Wait(ctx);
  const absl::Duration waited = base::Now() - start;
  if (reason.empty()) reason = "client-side throttling, not priority and fairness";
  if (waited > kLongWait) {
    KUBE_VLOG_CTX(ctx, 3, kMessage, {"delay", waited}, {"reason", reason}, {"verb", verb},
                  {"URL", url});
  }
  if (waited > kVeryLongWait) {
    if (const int level = LevelForLongWait(); level >= 0) {
      KUBE_VLOG_CTX(ctx, level, kMessage, {"delay", waited}, {"reason", reason}, {"verb", verb},
                    {"URL", url});
    }
  }
  return base::Annotate(status, "client rate limiter Wait returned an error");
}

}  // namespace kube::rest::internal

#ifndef CLIENTSET_REST_INTERNAL_URL_BACKOFF_H_
#define CLIENTSET_REST_INTERNAL_URL_BACKOFF_H_

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"

namespace kube::rest::internal {

// Delays all requests of a client while its server answers 429 or 5xx; each such response doubles
// the delay. (client-go: `rest.URLBackoff`; a client here has one server)
//
// Thread-safe.
class UrlBackoff {
 public:
  // Takes the values of the environment variables KUBE_CLIENT_BACKOFF_BASE and
  // KUBE_CLIENT_BACKOFF_DURATION, in seconds. Unless both are positive integers, requests are never
  // delayed.
  UrlBackoff(absl::string_view base_seconds, absl::string_view max_seconds);

  // Returns how long the next request must wait.
  absl::Duration Delay() ABSL_LOCKS_EXCLUDED(mutex_);

  // Records the HTTP status of a response; 0 if there was no response.
  void Update(int status) ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  absl::Duration base_ = absl::ZeroDuration();
  absl::Duration max_ = absl::ZeroDuration();
  base::Mutex mutex_;
  absl::Duration delay_ ABSL_GUARDED_BY(mutex_) = absl::ZeroDuration();
  base::MonotonicTime updated_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_URL_BACKOFF_H_

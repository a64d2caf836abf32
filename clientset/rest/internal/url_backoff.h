#ifndef CLIENTSET_REST_INTERNAL_URL_BACKOFF_H_
#define CLIENTSET_REST_INTERNAL_URL_BACKOFF_H_

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"

namespace kube::rest::internal {

// Holds all requests of a client back while its server says that it has too much to do: with each
// response of 429 or 5xx twice as long. (rest.URLBackoff; our clients have one server)
//
// Thread-safe.
class UrlBackoff {
 public:
  // What the environment's KUBE_CLIENT_BACKOFF_BASE and KUBE_CLIENT_BACKOFF_DURATION say, in
  // seconds; unless both are whole numbers above zero, nothing is ever held back.
  UrlBackoff(absl::string_view base_seconds, absl::string_view max_seconds);

  // How long a request has to wait now.
  absl::Duration Delay() ABSL_LOCKS_EXCLUDED(mutex_);

  // A response, or 0 where there was none.
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

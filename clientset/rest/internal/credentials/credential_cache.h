#ifndef CLIENTSET_REST_INTERNAL_CREDENTIALS_CREDENTIAL_CACHE_H_
#define CLIENTSET_REST_INTERNAL_CREDENTIALS_CREDENTIAL_CACHE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/thread.h"
#include "clientset/rest/internal/credentials/credential_source.h"

namespace kube::rest::internal {

struct CredentialCacheOptions {
  // The name of the thread on which credentials are fetched.
  std::string thread_name = {};
  // The credentials to begin with. Default: null, and the first Get fetches some.
  std::shared_ptr<const Credentials> initial = {};
  // Whether a fetch is stopped when its last caller has left. Default: it goes on, and the next
  // caller gets its result.
  bool stop_when_abandoned = false;
  // The runtime of the thread, which must outlive the cache. Default: null, which means that of the
  // caller that starts the fetch.
  base::Runtime* runtime = nullptr;
};

// Keeps credentials until they expire, and then fetches others, which may take long: by a program
// or from a server.
//
// Only one fetch is in progress at a time, on a thread of its own, with a context of its own. All
// callers that need credentials wait for it, each as long as its own context allows. A caller that
// comes while a fetch is being stopped waits for its end and then starts another one. An error is
// returned to the callers that waited; the next call tries again.
//
// Thread-safe. Deterministic in SimRuntime unless `runtime` is another one.
class CredentialCache {
 public:
  using Result = absl::StatusOr<std::shared_ptr<const Credentials>>;
  // Fetches credentials. Blocks, and returns soon after its context is done, which is when the
  // fetch is stopped or the cache is destroyed. It must not destroy the cache.
  using Fetcher = std::function<absl::StatusOr<Credentials>(const Context& ctx)>;

  CredentialCache(Fetcher fetcher, CredentialCacheOptions options);
  // Stops a fetch that is in progress and waits for its end. No call may be in progress.
  ~CredentialCache();
  CredentialCache(const CredentialCache&) = delete;
  CredentialCache& operator=(const CredentialCache&) = delete;

  // Returns the credentials, if they have not expired on the caller's clock; otherwise those of a
  // fetch, even if they have expired already.
  Result Get(const Context& ctx) ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns the credentials if their generation is not `generation`; otherwise those of a fetch.
  Result GetOther(const Context& ctx, int64_t generation) ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns the last credentials, even if they have expired, or null.
  std::shared_ptr<const Credentials> last() const ABSL_LOCKS_EXCLUDED(mutex_);

  // Returns how many callers wait for the current fetch.
  int waiting() const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  struct Fetch {
    int waiting = 0;
    bool abandoned = false;  // all callers have left; the fetch is being stopped
    bool ended = false;
    Result result = absl::UnknownError("");
    base::Thread thread;
  };

  Result Refresh(const Context& ctx) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status Start() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  Result Join(const Context& ctx) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Finish(absl::StatusOr<Credentials> credentials) ABSL_LOCKS_EXCLUDED(mutex_);

  const Fetcher fetcher_;
  const CredentialCacheOptions options_;
  mutable base::Mutex mutex_;
  base::CondVar changed_;
  std::shared_ptr<const Credentials> cached_ ABSL_GUARDED_BY(mutex_);
  std::shared_ptr<Fetch> fetch_ ABSL_GUARDED_BY(mutex_);
  // The previous fetch. Its thread may still have to be joined, which it cannot do itself.
  std::shared_ptr<Fetch> last_fetch_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_CREDENTIALS_CREDENTIAL_CACHE_H_

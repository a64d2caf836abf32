#ifndef APISERVER_AUTH_RBAC_POLICY_CACHE_H_
#define APISERVER_AUTH_RBAC_POLICY_CACHE_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "apimachinery/base/mutex.h"
#include "apiserver/auth/rbac_policy.h"
#include "apiserver/storage.h"

namespace kube::apiserver::internal {

// The policy that follows from the roles and bindings in a storage. It is made again by the first
// check after a write of one of them; all other checks share it. Thread-safe.
class RbacPolicyCache {
 public:
  // `storage` must outlive this. It is not used before the first call of Get, so that roles that
  // are made later (Storage::CreateLater) are not made for nothing.
  explicit RbacPolicyCache(Storage& storage) : storage_(storage) {}

  // Returns the policy of all writes that were complete when it was called. Never null.
  std::shared_ptr<const RbacPolicy> Get() ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  RbacObjects Read() const;

  Storage& storage_;
  // Counts the writes of roles and bindings. Shared with the callbacks of the storage, which may
  // run after this is destroyed.
  const std::shared_ptr<std::atomic<uint64_t>> writes_ = std::make_shared<std::atomic<uint64_t>>(0);

  base::Mutex mutex_;
  std::vector<std::shared_ptr<void>> watches_ ABSL_GUARDED_BY(mutex_);
  std::shared_ptr<const RbacPolicy> policy_ ABSL_GUARDED_BY(mutex_);
  // The value of `writes_` before `policy_` was read.
  uint64_t policy_writes_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace kube::apiserver::internal

#endif  // APISERVER_AUTH_RBAC_POLICY_CACHE_H_

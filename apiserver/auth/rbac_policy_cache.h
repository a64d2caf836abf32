#ifndef APISERVER_AUTH_RBAC_POLICY_CACHE_H_
#define APISERVER_AUTH_RBAC_POLICY_CACHE_H_

#include <memory>

#include "apiserver/auth/rbac_policy.h"
#include "apiserver/storage.h"
#include "apiserver/stored_view.h"

namespace kube::apiserver::internal {

// The policy that follows from the roles and bindings in a storage. Thread-safe.
class RbacPolicyCache {
 public:
  // `storage` must outlive this. It is not used before the first call of Get, so that roles that
  // are made later (Storage::CreateLater) are not made for nothing.
  explicit RbacPolicyCache(Storage& storage);

  // Returns the policy of all writes that were complete when it was called. Never null.
  std::shared_ptr<const RbacPolicy> Get() { return view_.Get(); }

 private:
  StoredView<RbacPolicy> view_;
};

}  // namespace kube::apiserver::internal

#endif  // APISERVER_AUTH_RBAC_POLICY_CACHE_H_

#ifndef CONTROLLER_CACHE_REQUIRED_ACCESS_H_
#define CONTROLLER_CACHE_REQUIRED_ACCESS_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "apimachinery/base/mutex.h"

namespace kube::controller {

// What a program needs a right for. The manifests of a program have a role for each of these.
enum class AccessPurpose {
  kWork,            // what its controllers do
  kLeaderElection,  // the lease
  kMetrics,         // the decision who may read its metrics
};

// A right that a program needs in the cluster of its Cache: some verbs on a resource, or on paths.
// (controller-gen: the marker `kubebuilder:rbac`)
//
//   manager.RequireAccess({.resource = "nodes", .verbs = {"get"}});
struct RequiredAccess {
  // The resource, with its subresource if the right is for that: "deployments" of "apps",
  // "deployments/status". "" is the core group.
  std::string group = {};
  std::string resource = {};
  // What is done, as RBAC says it: "get", "list", "watch", "create", "patch" …
  std::vector<std::string> verbs = {};
  // The names of the objects. Default: all. RBAC cannot limit "create" and "deletecollection" to
  // names, so these are granted for all names if `verbs` has them; "*" does not grant them here.
  std::vector<std::string> names = {};
  // The namespaces of the objects. Default: all, which is also the value for cluster-scoped
  // resources; it needs a ClusterRole.
  std::vector<std::string> namespaces = {};
  // Paths without a resource, such as "/metrics"; then `group` and `resource` are empty.
  // (`nonResourceURLs`)
  std::vector<std::string> urls = {};
  AccessPurpose purpose = AccessPurpose::kWork;

  friend bool operator==(const RequiredAccess&, const RequiredAccess&) = default;
};

// The rights that a program has declared; entries that differ only in their verbs are one.
// Thread-safe.
class AccessLedger {
 public:
  // Entries beyond this number are dropped, so that a program that watches namespaces as they come
  // does not grow for ever. No role should have as many rules.
  static constexpr size_t kMaxEntries = 4096;

  // Adds a right. Does not block. A list of namespaces or names with "" in it means all.
  void Add(RequiredAccess access) ABSL_LOCKS_EXCLUDED(mutex_);

  // Returns the rights in the order in which they were added first, with sorted verbs.
  std::vector<RequiredAccess> Get() const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  mutable base::Mutex mutex_;
  std::vector<RequiredAccess> entries_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kube::controller

#endif  // CONTROLLER_CACHE_REQUIRED_ACCESS_H_

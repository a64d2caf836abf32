#ifndef CLIENTSET_REST_INTERNAL_RESOURCE_SET_H_
#define CLIENTSET_REST_INTERNAL_RESOURCE_SET_H_

#include <set>

#include "absl/base/thread_annotations.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/schema/group_version.h"

namespace kube::rest::internal {

// A set of resources. It only grows, and is bounded by the number of resources of a server.
// Thread-safe.
class ResourceSet {
 public:
  bool Has(const schema::GroupVersionResource& resource) const ABSL_LOCKS_EXCLUDED(mutex_) {
    base::MutexLock lock(mutex_);
    return resources_.count(resource) > 0;
  }
  void Add(const schema::GroupVersionResource& resource) ABSL_LOCKS_EXCLUDED(mutex_) {
    base::MutexLock lock(mutex_);
    resources_.insert(resource);
  }

 private:
  mutable base::Mutex mutex_;
  std::set<schema::GroupVersionResource> resources_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_RESOURCE_SET_H_

#ifndef APISERVER_CONTAINERS_CONTAINER_TABLE_H_
#define APISERVER_CONTAINERS_CONTAINER_TABLE_H_

#include <functional>
#include <map>
#include <memory>
#include <optional>

#include "absl/base/thread_annotations.h"
#include "apimachinery/base/mutex.h"
#include "apiserver/container.h"

namespace kube::apiserver::internal {

// The containers that a test provides. Thread-safe.
class ContainerTable {
 public:
  using Finder = std::function<std::optional<Container>(const ContainerName&)>;

  // Provides one container, in place of what was provided for it before.
  void Set(ContainerName name, Container container);
  // Provides all others: `finder` is asked for each, on any thread and without a lock held.
  void SetFinder(Finder finder);

  // Returns null if nobody provides the container.
  std::shared_ptr<const Container> Find(const ContainerName& name) const;

 private:
  mutable base::Mutex mutex_;
  std::map<ContainerName, std::shared_ptr<const Container>> containers_ ABSL_GUARDED_BY(mutex_);
  std::shared_ptr<const Finder> finder_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kube::apiserver::internal

#endif  // APISERVER_CONTAINERS_CONTAINER_TABLE_H_

#include "apiserver/containers/container_table.h"

#include <memory>
#include <optional>
#include <utility>

#include "apimachinery/base/mutex.h"
#include "apiserver/container.h"

namespace kube::apiserver::internal {

void ContainerTable::Set(ContainerName name, Container container) {
  auto provided = std::make_shared<const Container>(std::move(container));
  base::MutexLock lock(mutex_);
  containers_[std::move(name)].swap(provided);
}

void ContainerTable::SetFinder(Finder finder) {
  std::shared_ptr<const Finder> provided;
  if (finder != nullptr) provided = std::make_shared<const Finder>(std::move(finder));
  base::MutexLock lock(mutex_);
  finder_.swap(provided);
}

std::shared_ptr<const Container> ContainerTable::Find(const ContainerName& name) const {
  std::shared_ptr<const Finder> finder;
  {
    base::MutexLock lock(mutex_);
    const auto found = containers_.find(name);
    if (found != containers_.end()) return found->second;
    finder = finder_;
  }
  if (finder == nullptr) return nullptr;
  std::optional<Container> container = (*finder)(name);
  if (!container.has_value()) return nullptr;
  return std::make_shared<const Container>(*std::move(container));
}

}  // namespace kube::apiserver::internal

#include "informers/internal/collected_objects.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "apimachinery/watch/event.h"

namespace kube::informers::internal {

std::string CollectedObjects::KeyOf(const void* object) const {
  const meta::ObjectKey key = access_.key(object);
  return absl::StrCat(key.namespace_name, "/", key.name);
}

void CollectedObjects::Apply(watch::EventType type, std::shared_ptr<const void> object) {
  const bool added = type == watch::EventType::kAdded;
  if (added && positions_.empty()) return Add(std::move(object));
  if (positions_.empty()) {
    for (size_t i = 0; i < objects_.size(); ++i) positions_[KeyOf(objects_[i].get())] = i;
  }
  const auto [it, is_new] = positions_.try_emplace(KeyOf(object.get()), objects_.size());
  if (is_new) objects_.emplace_back();
  if (type == watch::EventType::kDeleted) object = nullptr;
  objects_[it->second] = std::move(object);
}

std::vector<std::shared_ptr<const void>> CollectedObjects::Take() {
  if (!positions_.empty()) std::erase(objects_, nullptr);
  positions_ = {};
  return std::exchange(objects_, {});
}

}  // namespace kube::informers::internal

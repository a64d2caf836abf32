#include "controller/reconcile/internal/own_versions.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"

namespace kube::controller::internal {

void OwnVersions::Note(absl::string_view key, std::vector<std::string> versions) {
  older_.erase(key);
  newer_[std::string(key)] = std::move(versions);
  if (newer_.size() * 2 < limit_) return;
  older_ = std::move(newer_);
  newer_ = Versions();
}

std::vector<std::string> OwnVersions::Take(absl::string_view key) {
  std::vector<std::string> taken;
  for (Versions* half : {&newer_, &older_}) {
    const auto it = half->find(key);
    if (it == half->end()) continue;
    taken = std::move(it->second);
    half->erase(it);
  }
  return taken;
}

}  // namespace kube::controller::internal

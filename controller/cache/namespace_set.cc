#include "controller/cache/namespace_set.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"

namespace kube::controller {

NamespaceSet::NamespaceSet(std::vector<std::string> names) : names_(std::move(names)) {
  std::sort(names_.begin(), names_.end());
  names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
  // Sorted, the empty name is the first one.
  if (names_.empty() || names_.front().empty()) names_ = {""};
}

std::optional<size_t> NamespaceSet::Find(absl::string_view namespace_name) const {
  if (covers_all()) return 0;
  const auto it = std::lower_bound(
      names_.begin(), names_.end(), namespace_name,
      [](const std::string& name, absl::string_view wanted) { return name < wanted; });
  if (it == names_.end() || *it != namespace_name) return std::nullopt;
  return static_cast<size_t>(it - names_.begin());
}

std::string NamespaceSet::ToString() const {
  if (covers_all()) return "all namespaces";
  return absl::StrCat(names_.size() == 1 ? "namespace " : "namespaces ",
                      absl::StrJoin(names_, ", "));
}

}  // namespace kube::controller

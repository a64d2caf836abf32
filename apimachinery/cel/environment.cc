#include "apimachinery/cel/environment.h"

#include <utility>

namespace kube::cel {

void Environment::AddVariable(absl::string_view name, TypePtr type) {
  variables_.insert_or_assign(std::string(name), std::move(type));
}

TypePtr Environment::FindVariable(absl::string_view name) const {
  const auto found = variables_.find(name);
  return found == variables_.end() ? nullptr : found->second;
}

}  // namespace kube::cel

#include "controller/triggers/enqueue_by_index.h"

#include <utility>

namespace kube::controller::internal {

std::vector<meta::ObjectName> NamesReferringTo(
    const meta::ObjectName& object,
    absl::FunctionRef<std::vector<meta::ObjectName>(absl::string_view value)> names_of) {
  // Names have no slash, so the two kinds of values cannot be confused.
  std::vector<meta::ObjectName> names = names_of(object.ToString());
  if (object.namespace_name.empty()) return names;
  for (meta::ObjectName& name : names_of(object.name)) {
    if (name.namespace_name == object.namespace_name) names.push_back(std::move(name));
  }
  return names;
}

}  // namespace kube::controller::internal

#include "apimachinery/crd_schema/internal/erase_members.h"

#include <string>
#include <utility>
#include <vector>

#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"

namespace kube::crd_schema::internal {

void EraseMembers(Map<unstructured::Value>& object, const std::vector<std::string>& names) {
  if (names.empty()) return;
  Map<unstructured::Value> kept = Map<unstructured::Value>::Empty();
  auto name = names.begin();
  for (auto& [key, value] : object) {
    if (name != names.end() && key == *name) {
      ++name;
    } else {
      kept[key] = std::move(value);
    }
  }
  object = std::move(kept);
}

}  // namespace kube::crd_schema::internal

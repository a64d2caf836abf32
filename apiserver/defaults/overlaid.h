#ifndef APISERVER_DEFAULTS_OVERLAID_H_
#define APISERVER_DEFAULTS_OVERLAID_H_

#include <utility>

#include "apimachinery/types/map.h"

namespace kube::apiserver::internal {

// Returns the entries of both maps; if both have a key, the value of `over` counts. Linear, because
// it inserts keys in ascending order. Assigning the keys of one map in the other would move all
// entries behind each of them.
template <typename V, typename U>
Map<V> Overlaid(Map<V> base, const Map<U>& over) {
  if (over.empty()) return base;
  Map<V> merged = Map<V>::Empty();
  auto* next = base.begin();
  for (const auto& [key, value] : over) {
    for (; next != base.end() && next->key.view() < key.view(); ++next) {
      merged.insert_or_assign(next->key, std::move(next->value));
    }
    if (next != base.end() && next->key == key) ++next;
    merged.insert_or_assign(key, V(value));
  }
  for (; next != base.end(); ++next) merged.insert_or_assign(next->key, std::move(next->value));
  return merged;
}

}  // namespace kube::apiserver::internal

#endif  // APISERVER_DEFAULTS_OVERLAID_H_

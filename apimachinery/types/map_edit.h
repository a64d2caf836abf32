#ifndef APIMACHINERY_TYPES_MAP_EDIT_H_
#define APIMACHINERY_TYPES_MAP_EDIT_H_

// Many changes of one Map, each of whose entries moves once. Map's own erase and [] move all that
// stands behind: n of them cost n times n.

#include <cstddef>
#include <type_traits>
#include <vector>

#include "apimachinery/table/layout.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/map.h"

namespace kube::table {

// Erases the entries at whose index `gone` is true; it has as many elements as the map has entries.
void EraseMarkedFromMap(ListBlock*& block, Type type, const std::vector<bool>& gone);

// Moves the entries of `from` into `to`, which has none of its keys. `from` is null afterwards.
void MoveEntries(ListBlock*& from, ListBlock*& to, Type type);

// The pointer that a Map is.
template <typename V>
ListBlock*& BlockOf(Map<V>& map) {
  static_assert(std::is_standard_layout_v<Map<V>> && sizeof(Map<V>) == sizeof(ListBlock*));
  return reinterpret_cast<ListBlock*&>(map);
}

template <typename V>
void EraseMarked(Map<V>& map, const std::vector<bool>& gone) {
  EraseMarkedFromMap(BlockOf(map), TypeOf<V>(), gone);
}

template <typename V>
void MoveEntries(Map<V>& from, Map<V>& to) {
  MoveEntries(BlockOf(from), BlockOf(to), TypeOf<V>());
}

// Erases the entries for which `is_gone`, which may change the value of others, returns true.
// (std::erase_if)
template <typename V, typename Predicate>
void EraseIf(Map<V>& map, const Predicate& is_gone) {
  std::vector<bool> gone;
  size_t index = 0;
  for (typename Map<V>::Entry& entry : map) {
    if (is_gone(entry)) {
      if (gone.empty()) gone.resize(map.size());
      gone[index] = true;
    }
    ++index;
  }
  if (!gone.empty()) EraseMarked(map, gone);
}

}  // namespace kube::table

#endif  // APIMACHINERY_TYPES_MAP_EDIT_H_

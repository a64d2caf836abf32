#ifndef APIMACHINERY_TYPES_MAP_EDIT_H_
#define APIMACHINERY_TYPES_MAP_EDIT_H_

// Makes many changes to a Map in one pass. Map's own erase and operator[] move all later entries
// each time, so n of them take quadratic time; these functions move each entry once.

#include <cstddef>
#include <type_traits>
#include <vector>

#include "apimachinery/table/layout.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/map.h"

namespace kube::table {

// Erases the entries whose index is true in `gone`, which has one element per entry.
void EraseMarkedFromMap(ListBlock*& block, Type type, const std::vector<bool>& gone);

// Moves the entries of `from` into `to`. The maps must have no key in common. `from` is null
// afterwards.
void MoveEntries(ListBlock*& from, ListBlock*& to, Type type);

// Returns the pointer of which a Map consists.
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

// Erases the entries for which `is_gone` returns true, like std::erase_if. `is_gone` may change the
// values of entries.
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

#ifndef APIMACHINERY_PATCH_INTERNAL_MAP_EDITOR_H_
#define APIMACHINERY_PATCH_INTERNAL_MAP_EDITOR_H_

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"

namespace kube::patch::internal {

// Makes many changes to an object, in any order. In a Map, every member after an added or erased
// one moves. For large objects a MapEditor therefore collects the changes, and Commit makes them
// all in one pass: n changes of m members take O(m + n log(m + n)) time instead of O(m * n). Small
// objects are changed directly.
//
// Do not use the map itself between the first change and Commit. Thread-compatible.
class MapEditor {
 public:
  // `map` must outlive the editor.
  explicit MapEditor(Map<unstructured::Value>& map) : map_(map) {}

  // Returns null if there is no such member. The pointer is valid until the next change.
  unstructured::Value* Find(absl::string_view key);
  // Returns the member with this name; a new one is null.
  unstructured::Value& operator[](absl::string_view key);
  // Returns whether the member existed.
  bool Erase(absl::string_view key);

  // Makes the collected changes. If it is not called, they are lost, in a large object.
  void Commit();

 private:
  // Returns whether changes are collected; this begins with the first change of a large map.
  bool Collects();
  // Returns the entry of `map_`, also if it is marked as erased; null if there is none.
  Map<unstructured::Value>::Entry* FindEntry(absl::string_view key);
  bool IsGone(const Map<unstructured::Value>::Entry* entry) const;

  Map<unstructured::Value>& map_;
  bool collects_ = false;
  // By index of the entry; empty until an entry is erased.
  std::vector<bool> gone_;
  std::map<std::string, unstructured::Value, std::less<>> added_;
};

}  // namespace kube::patch::internal

#endif  // APIMACHINERY_PATCH_INTERNAL_MAP_EDITOR_H_

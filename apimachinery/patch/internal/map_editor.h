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

// Many changes of an object, in any order. Each member of a Map moves when others are added or
// erased before it; here changes of large objects are collected, and Commit makes them all in one
// pass: n changes of m members take O(m + n log(m + n)), not O(m * n). Small objects are changed at
// once.
//
// Between the first change and Commit the map itself is not to be used. Thread-compatible.
class MapEditor {
 public:
  // `map` outlives it.
  explicit MapEditor(Map<unstructured::Value>& map) : map_(map) {}

  // Null where there is none. Good until the next change.
  unstructured::Value* Find(absl::string_view key);
  // The member of that name, null if it is new.
  unstructured::Value& operator[](absl::string_view key);
  // Whether it was there.
  bool Erase(absl::string_view key);

  // Makes the changes. Without it a large object has lost some members, and others are null.
  void Commit();

 private:
  // Whether a change is to be collected: from the first one of a large map on.
  bool Collects();
  // The entry of `map_`, erased or not; null: it has none.
  Map<unstructured::Value>::Entry* FindEntry(absl::string_view key);
  bool IsGone(const Map<unstructured::Value>::Entry* entry) const;

  Map<unstructured::Value>& map_;
  bool collects_ = false;
  // By index; empty as long as nothing was erased.
  std::vector<bool> gone_;
  std::map<std::string, unstructured::Value, std::less<>> added_;
};

}  // namespace kube::patch::internal

#endif  // APIMACHINERY_PATCH_INTERNAL_MAP_EDITOR_H_

#ifndef APIMACHINERY_TYPES_MAP_H_
#define APIMACHINERY_TYPES_MAP_H_

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <iosfwd>
#include <map>
#include <type_traits>
#include <utility>

#include "absl/strings/string_view.h"
#include "apimachinery/table/layout.h"
#include "apimachinery/table/message.h"
#include "apimachinery/table/ops.h"
#include "apimachinery/table/print.h"
#include "apimachinery/types/lifetime.h"
#include "apimachinery/types/string.h"

namespace kube {

namespace internal {

// Met by std::map, std::unordered_map and abseil's maps.
template <typename M, typename V>
concept MapSource = requires(const M& map) {
  requires StringSource<typename M::key_type>;
  requires std::convertible_to<const typename M::mapped_type&, V>;
  { map.begin()->first } -> std::convertible_to<const typename M::key_type&>;
};

// An element of Map{{"key", value}}; the key may be any kind of text.
struct KeyView {
  template <StringSource K>
  constexpr KeyView(const K& key) : view(ViewOf(key)) {}  // NOLINT(google-explicit-constructor)
  absl::string_view view;
};
template <typename V>
struct MapInitializer {
  KeyView key;
  V value;
};

}  // namespace internal

// A map of an API object, in eight bytes: Go's map[string]V. The entries are an array sorted by
// key, the order in which Kubernetes writes them. Like a Go map, it distinguishes null from empty:
// see List.
//
//   pod.metadata.labels = {{"app", "web"}, {"tier", "front"}};
//   pod.metadata.annotations["touched-by"] = "demo";
//   if (const String* app = pod.metadata.labels.find("app")) out << "this is " << *app << "\n";
//   for (const auto& [key, value] : pod.metadata.labels) out << key << "=" << value << "\n";
//
// Unlike in a std::map, entries move if others are added or erased: references to them become
// invalid. In `labels["b"] = labels["a"]`, adding b may move a before it is read: write
// labels.insert_or_assign("b", labels["a"]), which copies a first.
//
// A look-up takes O(log n) comparisons; adding or erasing an entry moves the bytes of up to n
// others, which is fast for the sizes of API objects. Thread-compatible.
template <typename V>
class Map {
 public:
  struct Entry {
    const String key;
    V value;

    friend bool operator==(const Entry& a, const Entry& b) {
      return a.key == b.key && a.value == b.value;
    }
    friend std::ostream& operator<<(std::ostream& out, const Entry& entry) {
      return table::PrintEntry(out, &entry, table::TypeOf<V>());
    }
  };

  using key_type = String;
  using mapped_type = V;
  using value_type = Entry;
  using size_type = size_t;
  using iterator = Entry*;
  using const_iterator = const Entry*;

  constexpr Map() = default;
  // If entries have the same key, the last one counts.
  Map(std::initializer_list<internal::MapInitializer<V>> entries) {
    if (entries.size() != 0) Reserve(entries.size());
    for (const auto& [key, value] : entries) (*this)[key.view] = value;
  }
  // Converts from std::map or a similar container. V may be incomplete here, because a struct may
  // have a Map of its own type: the test for Map itself comes first.
  template <typename M>
  requires(!std::same_as<M, Map> && internal::MapSource<M, V>)
      Map(const M& entries)  // NOLINT(google-explicit-constructor)
      : block_(table::EmptyListBlock()) {
    if (!entries.empty()) Reserve(entries.size());
    for (const auto& [key, value] : entries) (*this)[key] = value;
  }

  Map(const Map& other) : block_(table::CopyMap(other.block_, table::TypeOf<V>())) {}
  Map(Map&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
  Map& operator=(const Map& other) {
    if (this != &other) *this = Map(other);
    return *this;
  }
  // `other` is null afterwards. It may be part of a value of this map.
  Map& operator=(Map&& other) noexcept {
    Map taken(std::move(other));
    std::swap(block_, taken.block_);
    return *this;
  }
  ~Map() {
    if (block_ != nullptr) table::DestroyMap(block_, table::TypeOf<V>());
  }

  // Returns a map that is empty, but not null: `labels: {}`.
  static Map Empty() {
    Map map;
    map.block_ = table::EmptyListBlock();
    return map;
  }

  // Returns whether the map is null: Go's nil map.
  bool is_null() const { return block_ == nullptr; }
  size_t size() const { return block_ == nullptr ? 0 : block_->size; }
  bool empty() const { return size() == 0; }

  // Iterate in ascending order of the keys.
  Entry* begin() KUBE_LIFETIME_BOUND {
    return block_ == nullptr ? nullptr : reinterpret_cast<Entry*>(block_->elements());
  }
  Entry* end() KUBE_LIFETIME_BOUND { return begin() + size(); }
  const Entry* begin() const KUBE_LIFETIME_BOUND { return const_cast<Map*>(this)->begin(); }
  const Entry* end() const KUBE_LIFETIME_BOUND { return begin() + size(); }

  // Returns the value at `key`, or null if there is no such entry.
  template <internal::StringSource K>
  V* find(const K& key) KUBE_LIFETIME_BOUND {
    return const_cast<V*>(std::as_const(*this).find(key));
  }
  template <internal::StringSource K>
  const V* find(const K& key) const KUBE_LIFETIME_BOUND {
    const char* value = table::FindInMap(block_, table::TypeOf<V>(), internal::ViewOf(key));
    return reinterpret_cast<const V*>(value);
  }
  template <internal::StringSource K>
  bool contains(const K& key) const {
    return find(key) != nullptr;
  }

  // Returns the value at `key`, or `otherwise`. Use it like Go's m[key], which does not add an
  // entry.
  template <internal::StringSource K>
  V value_or(const K& key, V otherwise) const {
    const V* value = find(key);
    return value != nullptr ? *value : std::move(otherwise);
  }

  // Returns the value at `key`. If there is no such entry, adds it with the zero value.
  template <internal::StringSource K>
  V& operator[](const K& key) KUBE_LIFETIME_BOUND {
    return *reinterpret_cast<V*>(
        table::FindOrInsertInMap(block_, table::TypeOf<V>(), internal::ViewOf(key)));
  }

  // Sets the value at `key`, adding the entry if necessary, and returns it.
  template <internal::StringSource K>
  V& insert_or_assign(const K& key, V value) KUBE_LIFETIME_BOUND {
    return (*this)[key] = std::move(value);
  }

  // Removes the entry; returns whether it existed.
  template <internal::StringSource K>
  bool erase(const K& key) {
    return table::EraseFromMap(block_, table::TypeOf<V>(), internal::ViewOf(key));
  }
  // Makes the map empty, not null.
  void clear() { *this = Empty(); }
  // Makes the map null.
  void reset() { *this = Map(); }

  // Converts to a std::map of types to which keys and values convert.
  template <typename K, typename U, typename Compare>
  requires(std::convertible_to<const String&, K>&& std::convertible_to<const V&, U>)
  operator std::map<K, U, Compare>() const {  // NOLINT(google-explicit-constructor)
    std::map<K, U, Compare> map;
    for (const Entry& entry : *this) map.emplace_hint(map.end(), entry.key, entry.value);
    return map;
  }

  // Returns whether keys and values are equal; null and empty are equal. apimachinery:
  // `equality.Semantic.DeepEqual`.
  bool operator==(const Map& other) const {
    return table::EqualMaps(block_, other.block_, table::TypeOf<V>());
  }

 private:
  friend struct table::RepOf;

  void Reserve(size_t capacity) { block_ = table::GrowMap(block_, capacity, table::TypeOf<V>()); }

  table::ListBlock* block_ = nullptr;
};

// Templates beside the class, not friends: see List.
template <typename H, typename V>
H AbslHashValue(H h, const Map<V>& map) {
  return H::combine(std::move(h), table::HashMap(table::RepOf::Block(map), table::TypeOf<V>(), 0));
}

// Writes {key: value, key: value} or `null`, for people to read.
template <typename V>
std::ostream& operator<<(std::ostream& out, const Map<V>& map) {
  return table::PrintMap(out, table::RepOf::Block(map), table::TypeOf<V>());
}

}  // namespace kube

#endif  // APIMACHINERY_TYPES_MAP_H_

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

// std::map, std::unordered_map and those of abseil.
template <typename M, typename V>
concept MapSource = requires(const M& map) {
  requires StringSource<typename M::key_type>;
  requires std::convertible_to<const typename M::mapped_type&, V>;
  { map.begin()->first } -> std::convertible_to<const typename M::key_type&>;
};

// What Map{{"key", value}} is a list of; the key may be any text.
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

// A map of an API object, in eight bytes: Go's map[string]V. The entries are one array sorted by
// key, the order in which Kubernetes writes them. As a Go map it tells null from empty: see List.
//
//   pod.metadata.labels = {{"app", "web"}, {"tier", "front"}};
//   pod.metadata.annotations["touched-by"] = "demo";
//   if (const String* app = pod.metadata.labels.find("app"); app != nullptr && *app == "web") ...
//   for (const auto& [key, value] : pod.metadata.labels) ...
//
// Unlike a std::map's, entries move when others are added or erased: references into it end then.
// In `labels["b"] = labels["a"]` adding b may move a away before it is read: write
// labels.insert_or_assign("b", labels["a"]), which copies a first.
//
// Looking up takes O(log n) comparisons, adding O(n) moves of 16 bytes and the value: fine for the
// sizes of API objects. Thread-compatible.
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
  // Of entries with the same key the last one counts.
  Map(std::initializer_list<internal::MapInitializer<V>> entries) {
    if (entries.size() != 0) Reserve(entries.size());
    for (const auto& [key, value] : entries) (*this)[key.view] = value;
  }
  // From a std::map, or any container like it. V may be incomplete, as it is while its own Map is
  // declared: Map itself is asked for first.
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
  // What was moved from is null. It may be part of a value of this one.
  Map& operator=(Map&& other) noexcept {
    Map taken(std::move(other));
    std::swap(block_, taken.block_);
    return *this;
  }
  ~Map() {
    if (block_ != nullptr) table::DestroyMap(block_, table::TypeOf<V>());
  }

  // Empty, but there: `labels: {}`.
  static Map Empty() {
    Map map;
    map.block_ = table::EmptyListBlock();
    return map;
  }

  // Whether this is null: Go's nil map.
  bool is_null() const { return block_ == nullptr; }
  size_t size() const { return block_ == nullptr ? 0 : block_->size; }
  bool empty() const { return size() == 0; }

  // Ascending by key.
  Entry* begin() KUBE_LIFETIME_BOUND {
    return block_ == nullptr ? nullptr : reinterpret_cast<Entry*>(block_->elements());
  }
  Entry* end() KUBE_LIFETIME_BOUND { return begin() + size(); }
  const Entry* begin() const KUBE_LIFETIME_BOUND { return const_cast<Map*>(this)->begin(); }
  const Entry* end() const KUBE_LIFETIME_BOUND { return begin() + size(); }

  // The value at `key`; null where there is none.
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

  // The value at `key`, or that one. (Go reads m[key]; here [] adds what was not there.)
  template <internal::StringSource K>
  V value_or(const K& key, V otherwise) const {
    const V* value = find(key);
    return value != nullptr ? *value : std::move(otherwise);
  }

  // The value at `key`, added with its zero value where it was not there.
  template <internal::StringSource K>
  V& operator[](const K& key) KUBE_LIFETIME_BOUND {
    return *reinterpret_cast<V*>(
        table::FindOrInsertInMap(block_, table::TypeOf<V>(), internal::ViewOf(key)));
  }

  // The same, with that value.
  template <internal::StringSource K>
  V& insert_or_assign(const K& key, V value) KUBE_LIFETIME_BOUND {
    return (*this)[key] = std::move(value);
  }

  // Whether it was there.
  template <internal::StringSource K>
  bool erase(const K& key) {
    return table::EraseFromMap(block_, table::TypeOf<V>(), internal::ViewOf(key));
  }
  // Empty afterwards, not null.
  void clear() { *this = Empty(); }
  // Null afterwards.
  void reset() { *this = Map(); }

  // To a std::map of what keys and values convert to.
  template <typename K, typename U, typename Compare>
  requires(std::convertible_to<const String&, K>&& std::convertible_to<const V&, U>)
  operator std::map<K, U, Compare>() const {  // NOLINT(google-explicit-constructor)
    std::map<K, U, Compare> map;
    for (const Entry& entry : *this) map.emplace_hint(map.end(), entry.key, entry.value);
    return map;
  }

  // Same keys, equal values; null and empty are equal. (equality.Semantic.DeepEqual)
  bool operator==(const Map& other) const {
    return table::EqualMaps(block_, other.block_, table::TypeOf<V>());
  }

 private:
  friend struct table::RepOf;

  void Reserve(size_t capacity) { block_ = table::GrowMap(block_, capacity, table::TypeOf<V>()); }

  table::ListBlock* block_ = nullptr;
};

// Templates beside the class: see List.
template <typename H, typename V>
H AbslHashValue(H h, const Map<V>& map) {
  return H::combine(std::move(h), table::HashMap(table::RepOf::Block(map), table::TypeOf<V>(), 0));
}

// For people: {key: value, key: value}, or `null`.
template <typename V>
std::ostream& operator<<(std::ostream& out, const Map<V>& map) {
  return table::PrintMap(out, table::RepOf::Block(map), table::TypeOf<V>());
}

}  // namespace kube

#endif  // APIMACHINERY_TYPES_MAP_H_

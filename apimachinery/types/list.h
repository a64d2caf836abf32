#ifndef APIMACHINERY_TYPES_LIST_H_
#define APIMACHINERY_TYPES_LIST_H_

#include <concepts>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <iosfwd>
#include <iterator>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include "apimachinery/table/layout.h"
#include "apimachinery/table/message.h"
#include "apimachinery/table/ops.h"
#include "apimachinery/table/print.h"
#include "apimachinery/types/lifetime.h"

namespace kube {

// A list of an API object, in eight bytes: Go's []T. It works like std::vector, and like a Go slice
// it distinguishes null from empty: a List is null at first and after reset(), and empty after
// clear(), List::Empty() or a conversion from an empty vector. JSON without omitempty shows the
// difference (null, []); operator== ignores it, as apimachinery does.
//
//   pod.spec.containers = {{.name = "main", .image = "nginx"}};
//   pod.spec.containers.push_back({.name = "sidecar"});
//   for (const corev1::Container& c : pod.spec.containers) out << c.name << "\n";
//
// Adding elements may move the others, as in a vector. Indices are not checked. A list has at most
// 2^30 - 1 elements; a longer one aborts the process. Thread-compatible.
template <typename T>
class List {
 public:
  using value_type = T;
  using size_type = size_t;
  using difference_type = ptrdiff_t;
  using reference = T&;
  using const_reference = const T&;
  using iterator = T*;
  using const_iterator = const T*;

  constexpr List() = default;
  List(std::initializer_list<T> elements) { Append(elements.begin(), elements.end()); }

  template <typename U>
  requires std::convertible_to<const U&, T> List(
      const std::vector<U>& elements)  // NOLINT(google-explicit-constructor)
      : block_(table::EmptyListBlock()) {
    Append(elements.begin(), elements.end());
  }
  template <std::input_iterator I>
  List(I first, I last) : block_(table::EmptyListBlock()) {
    Append(first, last);
  }

  List(const List& other) : block_(table::CopyList(other.block_, table::TypeOf<T>())) {}
  List(List&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
  List& operator=(const List& other) {
    if (this != &other) *this = List(other);
    return *this;
  }
  // `other` is null afterwards. It may be part of an element of this list.
  List& operator=(List&& other) noexcept {
    List taken(std::move(other));
    std::swap(block_, taken.block_);
    return *this;
  }
  List& operator=(std::initializer_list<T> elements) { return *this = List(elements); }
  ~List() {
    if (block_ != nullptr) table::DestroyList(block_, table::TypeOf<T>());
  }

  // Returns a list that is empty, but not null: `rules: []`.
  static List Empty() {
    List list;
    list.block_ = table::EmptyListBlock();
    return list;
  }

  // Returns whether the list is null: Go's nil slice.
  bool is_null() const { return block_ == nullptr; }
  size_t size() const { return block_ == nullptr ? 0 : block_->size; }
  bool empty() const { return size() == 0; }

  T* data() KUBE_LIFETIME_BOUND { return begin(); }
  const T* data() const KUBE_LIFETIME_BOUND { return begin(); }
  T* begin() KUBE_LIFETIME_BOUND {
    return block_ == nullptr ? nullptr : reinterpret_cast<T*>(block_->elements());
  }
  T* end() KUBE_LIFETIME_BOUND { return begin() + size(); }
  const T* begin() const KUBE_LIFETIME_BOUND { return const_cast<List*>(this)->begin(); }
  const T* end() const KUBE_LIFETIME_BOUND { return begin() + size(); }

  T& operator[](size_t i) KUBE_LIFETIME_BOUND { return begin()[i]; }
  const T& operator[](size_t i) const KUBE_LIFETIME_BOUND { return begin()[i]; }
  T& front() KUBE_LIFETIME_BOUND { return *begin(); }
  const T& front() const KUBE_LIFETIME_BOUND { return *begin(); }
  T& back() KUBE_LIFETIME_BOUND { return end()[-1]; }
  const T& back() const KUBE_LIFETIME_BOUND { return end()[-1]; }

  void reserve(size_t capacity) {
    if (capacity > this->capacity()) {
      block_ = table::GrowList(block_, capacity, table::TypeOf<T>());
    }
  }
  size_t capacity() const {
    return block_ != nullptr && block_->is_owned() ? block_->capacity() : 0;
  }

  // Adds an element at the end and returns it. `element` may be part of this list.
  T& push_back(const T& element) KUBE_LIFETIME_BOUND { return emplace_back(element); }
  T& push_back(T&& element) KUBE_LIFETIME_BOUND { return emplace_back(std::move(element)); }
  template <typename... Args>
  T& emplace_back(Args&&... args) KUBE_LIFETIME_BOUND {
    // Constructs the element aside, because the arguments may be in the block, then moves its bits
    // there.
    alignas(T) char bytes[sizeof(T)];
    new (static_cast<void*>(bytes)) T(std::forward<Args>(args)...);
    char* place = table::AppendToList(block_, table::TypeOf<T>());
    std::memcpy(place, bytes, sizeof(T));
    return *reinterpret_cast<T*>(place);
  }
  // Inserts before `position` and returns the position of the first new element.
  iterator insert(const_iterator position, T element) KUBE_LIFETIME_BOUND {
    T* gap = OpenGap(position, 1);
    *gap = std::move(element);
    return gap;
  }
  template <std::forward_iterator I>
  iterator insert(const_iterator position, I first, I last) KUBE_LIFETIME_BOUND {
    T* gap = OpenGap(position, static_cast<size_t>(std::distance(first, last)));
    for (T* to = gap; first != last; ++first, ++to) *to = *first;
    return gap;
  }
  void pop_back() { erase(end() - 1); }
  iterator erase(const_iterator position) KUBE_LIFETIME_BOUND {
    return erase(position, position + 1);
  }
  iterator erase(const_iterator first, const_iterator last) KUBE_LIFETIME_BOUND {
    const auto index = static_cast<size_t>(first - begin());
    table::EraseFromList(block_, index, static_cast<size_t>(last - first), table::TypeOf<T>());
    return begin() + index;
  }
  // Removes the elements beyond `size`, or adds elements whose members are all zero.
  void resize(size_t size) {
    if (size < this->size()) {
      erase(begin() + size, end());
    } else if (size > this->size()) {
      OpenGap(end(), size - this->size());
    }
  }
  // Makes the list empty, not null.
  void clear() { *this = Empty(); }
  // Makes the list null.
  void reset() { *this = List(); }

  // Converts to a vector of any type to which the elements convert.
  template <typename U>
  requires std::convertible_to<const T&, U>
  operator std::vector<U>() const {  // NOLINT(google-explicit-constructor)
    return std::vector<U>(begin(), end());
  }

  // Compares element by element; null and empty are equal. apimachinery:
  // `equality.Semantic.DeepEqual`.
  bool operator==(const List& other) const {
    return table::EqualLists(block_, other.block_, table::TypeOf<T>());
  }

 private:
  friend struct table::RepOf;

  template <typename I>
  void Append(I first, I last) {
    if constexpr (std::random_access_iterator<I>) reserve(static_cast<size_t>(last - first));
    for (; first != last; ++first) emplace_back(*first);
  }

  T* OpenGap(const_iterator position, size_t count) {
    if (count == 0) return const_cast<T*>(position);
    return reinterpret_cast<T*>(
        table::InsertInList(block_, static_cast<size_t>(position - std::as_const(*this).begin()),
                            count, table::TypeOf<T>()));
  }

  table::ListBlock* block_ = nullptr;
};

// The functions below are templates beside the class, not friends. Friends would be declared again
// for each T, and each compared with those of all other T: a tenth of the cost of including all
// kinds.

// Erases all elements for which `matches` returns true, in one pass, and returns their number. Like
// std::erase_if, but found by argument-dependent lookup.
template <typename T, std::predicate<const T&> P>
size_t erase_if(List<T>& list, P matches) {
  T* kept = list.begin();
  for (T& element : list) {
    if (matches(std::as_const(element))) continue;
    if (kept != &element) *kept = std::move(element);
    ++kept;
  }
  const auto erased = static_cast<size_t>(list.end() - kept);
  if (erased != 0) list.erase(kept, list.end());
  return erased;
}

template <typename H, typename T>
H AbslHashValue(H h, const List<T>& list) {
  return H::combine(std::move(h),
                    table::HashList(table::RepOf::Block(list), table::TypeOf<T>(), 0));
}

// Writes [a, b] or `null`, for people to read.
template <typename T>
std::ostream& operator<<(std::ostream& out, const List<T>& list) {
  return table::PrintList(out, table::RepOf::Block(list), table::TypeOf<T>());
}

}  // namespace kube

#endif  // APIMACHINERY_TYPES_LIST_H_

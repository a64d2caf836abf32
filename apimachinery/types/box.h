#ifndef APIMACHINERY_TYPES_BOX_H_
#define APIMACHINERY_TYPES_BOX_H_

#include <concepts>
#include <cstddef>
#include <iosfwd>
#include <new>
#include <type_traits>
#include <utility>

#include "apimachinery/table/layout.h"
#include "apimachinery/table/message.h"
#include "apimachinery/table/ops.h"
#include "apimachinery/table/print.h"
#include "apimachinery/types/lifetime.h"

namespace kube {

// An optional sub-object: what Go declares as *corev1.Probe. It owns its value: copying a Box
// copies the value, and the value of a const Box is const. For optional leaves use Opt<T>.
//
//   container.readiness_probe = corev1::Probe{.period_seconds = 5};
//   if (container.readiness_probe) container.readiness_probe->timeout_seconds = 1;
//   container.readiness_probe.reset();
//   container = {.readiness_probe = {{.period_seconds = 5}}};  // the type, or more braces
//
// `{}` and nullptr are an absent Box; `{{}}` is a Box with a value whose members are all zero.
//
// To replace a recursive struct by its own child (`schema = *schema.not_;`), copy the child first:
// the assignment destroys it, as with any owning pointer. Thread-compatible.
template <typename T>
class Box {
 public:
  using value_type = T;

  constexpr Box() = default;
  // A template, so that the inner braces of `{{}}` are no null pointer.
  template <std::same_as<std::nullptr_t> N>
  constexpr Box(N) {}  // NOLINT(google-explicit-constructor)

  // T may be incomplete here, because a struct may have a Box of its own type: the test for Box
  // itself comes first.
  template <typename U = T>
  requires(!std::same_as<std::remove_cvref_t<U>, Box> && std::convertible_to<U&&, T>)
      Box(U&& value)  // NOLINT(google-explicit-constructor)
      : rep_(table::BoxRep::Owned(table::Allocate(sizeof(T)))) {
    new (static_cast<void*>(rep_.value())) T(std::forward<U>(value));
  }

  Box(const Box& other) : rep_(table::CopyBox(other.rep_, table::TypeOf<T>())) {}
  Box(Box&& other) noexcept : rep_(std::exchange(other.rep_, {})) {}
  Box& operator=(const Box& other) {
    if (this != &other) *this = Box(other);
    return *this;
  }
  // `other` is absent afterwards. It may be part of this Box's value.
  Box& operator=(Box&& other) noexcept {
    Box taken(std::move(other));
    std::swap(rep_, taken.rep_);
    return *this;
  }
  ~Box() {
    if (rep_) table::DestroyBox(rep_, table::TypeOf<T>());
  }

  explicit operator bool() const { return static_cast<bool>(rep_); }
  bool has_value() const { return static_cast<bool>(rep_); }

  // Return the value. The Box must not be absent.
  T& operator*() KUBE_LIFETIME_BOUND { return *get(); }
  const T& operator*() const KUBE_LIFETIME_BOUND { return *get(); }
  T* operator->() KUBE_LIFETIME_BOUND { return get(); }
  const T* operator->() const KUBE_LIFETIME_BOUND { return get(); }

  // Return the value, or null if the Box is absent.
  T* get() KUBE_LIFETIME_BOUND { return reinterpret_cast<T*>(rep_.value()); }
  const T* get() const KUBE_LIFETIME_BOUND { return reinterpret_cast<const T*>(rep_.value()); }

  // Replaces the value by one whose members are all zero, and returns it.
  T& emplace() KUBE_LIFETIME_BOUND {
    const Box before(std::move(*this));
    rep_ = table::MakeBox(table::TypeOf<T>());
    return *get();
  }
  void reset() { *this = Box(); }

  // Returns true if both are absent, or both are present and equal.
  bool operator==(const Box& other) const {
    return table::EqualBoxes(rep_, other.rep_, table::TypeOf<T>());
  }
  bool operator==(const T& value) const { return *this && **this == value; }
  bool operator==(std::nullptr_t) const { return !*this; }

 private:
  friend struct table::RepOf;

  table::BoxRep rep_;
};

// A template beside the class, not a friend: see List.
template <typename H, typename T>
H AbslHashValue(H h, const Box<T>& box) {
  return H::combine(std::move(h), table::HashBox(table::RepOf::Box(box), table::TypeOf<T>(), 0));
}

// Writes the value, or `absent`, for people to read.
template <typename T>
std::ostream& operator<<(std::ostream& out, const Box<T>& box) {
  return table::PrintPointer(out, box.get(), table::TypeOf<T>());
}

}  // namespace kube

#endif  // APIMACHINERY_TYPES_BOX_H_

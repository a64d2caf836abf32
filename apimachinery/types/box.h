#ifndef APIMACHINERY_TYPES_BOX_H_
#define APIMACHINERY_TYPES_BOX_H_

#include <concepts>
#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

#include "apimachinery/types/internal/layout.h"
#include "apimachinery/types/internal/message.h"
#include "apimachinery/types/internal/ops.h"
#include "apimachinery/types/lifetime.h"

namespace kube {

// An optional sub-object: what Go writes as *corev1.Probe. It owns its value: a copy of a Box is a
// copy of the value, and the value of a const Box is const. Optional leaves are Opt<T>.
//
//   container.readiness_probe = corev1::Probe{.period_seconds = 5};
//   if (container.readiness_probe) Use(container.readiness_probe->period_seconds);
//   container.readiness_probe.reset();
//
// Thread-compatible.
template <typename T>
class Box {
 public:
  using value_type = T;

  constexpr Box() = default;
  constexpr Box(std::nullptr_t) {}  // NOLINT(google-explicit-constructor)

  template <typename U = T>
  requires(std::convertible_to<U&&, T> && !std::same_as<std::remove_cvref_t<U>, Box>)
      Box(U&& value)  // NOLINT(google-explicit-constructor)
      : rep_(internal::BoxRep::Owned(internal::Allocate(sizeof(T)))) {
    new (rep_.value()) T(std::forward<U>(value));
  }

  Box(const Box& other) : rep_(internal::CopyBox(other.rep_, internal::TypeOf<T>())) {}
  Box(Box&& other) noexcept : rep_(std::exchange(other.rep_, {})) {}
  Box& operator=(const Box& other) {
    if (this != &other) *this = Box(other);
    return *this;
  }
  Box& operator=(Box&& other) noexcept {
    std::swap(rep_, other.rep_);
    return *this;
  }
  ~Box() {
    if (rep_) internal::DestroyBox(rep_, internal::TypeOf<T>());
  }

  explicit operator bool() const { return static_cast<bool>(rep_); }
  bool has_value() const { return static_cast<bool>(rep_); }

  // The value, which must be there.
  T& operator*() KUBE_LIFETIME_BOUND { return *get(); }
  const T& operator*() const KUBE_LIFETIME_BOUND { return *get(); }
  T* operator->() KUBE_LIFETIME_BOUND { return get(); }
  const T* operator->() const KUBE_LIFETIME_BOUND { return get(); }

  // Null where there is none.
  T* get() KUBE_LIFETIME_BOUND { return std::launder(reinterpret_cast<T*>(rep_.value())); }
  const T* get() const KUBE_LIFETIME_BOUND {
    return std::launder(reinterpret_cast<const T*>(rep_.value()));
  }

  // A value of zeros instead of what was there.
  T& emplace() KUBE_LIFETIME_BOUND {
    *this = Box(T{});
    return *get();
  }
  void reset() { *this = Box(); }

  // Both absent, or both there and equal.
  friend bool operator==(const Box& a, const Box& b) {
    return internal::EqualBoxes(a.rep_, b.rep_, internal::TypeOf<T>());
  }
  friend bool operator==(const Box& a, const T& b) { return a && *a == b; }
  friend bool operator==(const Box& a, std::nullptr_t) { return !a; }

 private:
  internal::BoxRep rep_;
};

}  // namespace kube

#endif  // APIMACHINERY_TYPES_BOX_H_

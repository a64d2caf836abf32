#ifndef APIMACHINERY_TYPES_OPT_H_
#define APIMACHINERY_TYPES_OPT_H_

#include <concepts>
#include <iosfwd>
#include <optional>
#include <type_traits>
#include <utility>

#include "apimachinery/table/message.h"
#include "apimachinery/table/print.h"
#include "apimachinery/types/lifetime.h"

namespace kube {

template <typename T>
class Opt;

namespace internal {

template <typename U>
inline constexpr bool kIsOptional = std::same_as<U, std::nullopt_t>;
template <typename U>
inline constexpr bool kIsOptional<Opt<U>> = true;
template <typename U>
inline constexpr bool kIsOptional<std::optional<U>> = true;

// What becomes the T of an Opt. Pointers are true to C++: `host_users = "false"` is a mistake.
template <typename U, typename T>
concept OptSource = !kIsOptional<std::remove_cvref_t<U>> && std::convertible_to<U, T> &&
                    !(std::same_as<T, bool> && std::is_pointer_v<std::decay_t<U>>);

}  // namespace internal

// An optional leaf of an API object: what Go writes as *int32, *string, *metav1.Time. Absent
// differs from there and zero: `replicas` absent means the server's default, 0 means none. Optional
// sub-objects are Box<T>.
//
//   deployment.spec.replicas = 3;
//   int32_t want = deployment.spec.replicas.value_or(1);
//   if (claim.spec.storage_class_name.has_value()) ...   // "" is there
//   deployment.spec.replicas.reset();
//
// It works as std::optional does, and converts from and to it, but does not convert to bool:
// `if (pod.spec.host_users)` would read as the value. Of the value only a const reference is given
// out, because an absent one stays zero: assign, or use emplace(). No value is lost to mean
// "absent". Thread-compatible.
template <typename T>
class Opt {
 public:
  using value_type = T;

  constexpr Opt() = default;
  constexpr Opt(std::nullopt_t) {}  // NOLINT(google-explicit-constructor)

  template <internal::OptSource<T> U = T>
  constexpr Opt(U&& value)  // NOLINT(google-explicit-constructor)
      : value_(std::forward<U>(value)), present_(true) {}

  template <typename U>
  requires std::convertible_to<const U&, T>
  constexpr Opt(const std::optional<U>& value)  // NOLINT(google-explicit-constructor)
      : present_(value.has_value()) {
    if (present_) value_ = *value;
  }

  constexpr bool has_value() const { return present_; }

  // The value; the zero value where there is none. (Go would panic; ptr.Deref(p, zero))
  constexpr const T& operator*() const KUBE_LIFETIME_BOUND { return value_; }
  constexpr const T* operator->() const KUBE_LIFETIME_BOUND { return &value_; }

  // (ptr.Deref)
  constexpr T value_or(T otherwise) const { return present_ ? value_ : std::move(otherwise); }

  // Makes it there: zero, or as it was.
  constexpr T& emplace() KUBE_LIFETIME_BOUND {
    present_ = true;
    return value_;
  }
  constexpr void reset() { *this = Opt(); }

  // To a std::optional of what the value converts to.
  template <typename U>
  requires std::convertible_to<const T&, U>
  constexpr operator std::optional<U>() const {  // NOLINT(google-explicit-constructor)
    return present_ ? std::optional<U>(static_cast<U>(value_)) : std::nullopt;
  }

  // Both absent, or both there and equal. (ptr.Equal)
  friend constexpr bool operator==(const Opt& a, const Opt& b) {
    return a.present_ == b.present_ && a.value_ == b.value_;
  }
  template <typename U>
  friend constexpr bool operator==(const Opt& a, const std::optional<U>& b) {
    return a.present_ == b.has_value() && (!a.present_ || a.value_ == *b);
  }
  // Both ways: the standard's own, for an optional and any other type, would come first.
  template <typename U>
  friend constexpr bool operator==(const std::optional<U>& a, const Opt& b) {
    return b.has_value() == a.has_value() && (!b.has_value() || *b == *a);
  }
  // There, and equal.
  template <typename U>
  requires(!internal::kIsOptional<U> &&
           requires(const T& a, const U& b) {
             { a == b } -> std::convertible_to<bool>;
           }) friend constexpr bool
  operator==(const Opt& a, const U& b) {
    return a.present_ && a.value_ == b;
  }
  friend constexpr bool operator==(const Opt& a, std::nullopt_t) { return !a.present_; }

  template <typename H>
  friend H AbslHashValue(H h, const Opt& opt) {
    return H::combine(std::move(h), opt.value_, opt.present_);
  }
  // For people: the value, or `absent`.
  friend std::ostream& operator<<(std::ostream& out, const Opt& opt) {
    return table::PrintPointer(out, opt.present_ ? &opt.value_ : nullptr, table::TypeOf<T>());
  }

 private:
  // Zero while absent.
  T value_{};
  bool present_ = false;
};

}  // namespace kube

#endif  // APIMACHINERY_TYPES_OPT_H_

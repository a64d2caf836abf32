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

// A type from which the value of an Opt<T> can be made. Pointers would convert to bool: `host_users
// = "false"` is a mistake, so they are excluded.
template <typename U, typename T>
concept OptSource = !kIsOptional<std::remove_cvref_t<U>> && std::convertible_to<U, T> &&
                    !(std::same_as<T, bool> && std::is_pointer_v<std::decay_t<U>>);

}  // namespace internal

// An optional leaf of an API object: what Go declares as *int32, *string or *metav1.Time. Absent is
// different from zero: if `replicas` is absent, the server uses its default; 0 means no replicas.
// For optional sub-objects use Box<T>.
//
//   deployment.spec.replicas = 3;
//   const int32_t want = deployment.spec.replicas.value_or(1);
//   deployment.spec.replicas.reset();
//   const bool has_class = claim.spec.storage_class_name.has_value();  // also if it is ""
//
// It works like std::optional and converts from and to it, but not to bool, since `if
// (pod.spec.host_users)` would look like a test of the value. All values of T are possible: absence
// is stored beside them. Access to the value is read-only, because an absent value must stay zero:
// assign a new value, or use emplace(). Thread-compatible.
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

  // Return the value, or the zero value if absent, where Go would panic. k8s.io/utils:
  // `ptr.Deref(p, zero)`.
  constexpr const T& operator*() const KUBE_LIFETIME_BOUND { return value_; }
  constexpr const T* operator->() const KUBE_LIFETIME_BOUND { return &value_; }

  // Returns the value, or `otherwise` if absent. k8s.io/utils: `ptr.Deref`.
  constexpr T value_or(T otherwise) const { return present_ ? value_ : std::move(otherwise); }

  // Returns the value for changing. If it was absent, it is present with the zero value.
  constexpr T& emplace() KUBE_LIFETIME_BOUND {
    present_ = true;
    return value_;
  }
  constexpr void reset() { *this = Opt(); }

  // Converts to a std::optional of any type to which the value converts.
  template <typename U>
  requires std::convertible_to<const T&, U>
  constexpr operator std::optional<U>() const {  // NOLINT(google-explicit-constructor)
    return present_ ? std::optional<U>(static_cast<U>(value_)) : std::nullopt;
  }

  // Returns true if both are absent, or both are present and equal. k8s.io/utils: `ptr.Equal`.
  friend constexpr bool operator==(const Opt& a, const Opt& b) {
    return a.present_ == b.present_ && a.value_ == b.value_;
  }
  template <typename U>
  friend constexpr bool operator==(const Opt& a, const std::optional<U>& b) {
    return a.present_ == b.has_value() && (!a.present_ || a.value_ == *b);
  }
  // Needed for both orders of operands: otherwise the standard library's operator for an optional
  // and any type would be chosen.
  template <typename U>
  friend constexpr bool operator==(const std::optional<U>& a, const Opt& b) {
    return b.has_value() == a.has_value() && (!b.has_value() || *b == *a);
  }
  // Returns true if the value is present and equal.
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
  // Writes the value, or `absent`, for people to read.
  friend std::ostream& operator<<(std::ostream& out, const Opt& opt) {
    return table::PrintPointer(out, opt.present_ ? &opt.value_ : nullptr, table::TypeOf<T>());
  }

 private:
  // Zero if absent.
  T value_{};
  bool present_ = false;
};

}  // namespace kube

#endif  // APIMACHINERY_TYPES_OPT_H_

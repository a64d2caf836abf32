#ifndef APIMACHINERY_TYPES_OPT_H_
#define APIMACHINERY_TYPES_OPT_H_

#include <concepts>
#include <optional>
#include <type_traits>
#include <utility>

#include "apimachinery/types/lifetime.h"

namespace kube {

// An optional leaf of an API object: what Go writes as *int32, *string, *metav1.Time. Absent
// differs from there and zero: `replicas` absent means the server's default, 0 means none. Optional
// sub-objects are Box<T>.
//
//   deployment.spec.replicas = 3;
//   int32_t want = deployment.spec.replicas.value_or(1);
//   if (claim.spec.storage_class_name.has_value()) ...   // "" is there
//   deployment.spec.replicas.reset();
//
// It works as std::optional does, but does not convert to bool: `if (pod.spec.host_users)` would
// read as the value. No value is lost to mean "absent". Thread-compatible.
template <typename T>
class Opt {
 public:
  using value_type = T;

  constexpr Opt() = default;
  constexpr Opt(std::nullopt_t) {}  // NOLINT(google-explicit-constructor)

  template <typename U = T>
  requires(std::convertible_to<U&&, T> && !std::same_as<std::remove_cvref_t<U>, Opt> &&
           !std::same_as<
               std::remove_cvref_t<U>,
               std::optional<T>>) constexpr Opt(U&& value)  // NOLINT(google-explicit-constructor)
      : value_(std::forward<U>(value)), present_(true) {}

  constexpr Opt(const std::optional<T>& value)  // NOLINT(google-explicit-constructor)
      : value_(value.has_value() ? *value : T()), present_(value.has_value()) {}

  constexpr Opt(const Opt&) = default;
  constexpr Opt(Opt&& other) noexcept
      : value_(std::exchange(other.value_, T())), present_(std::exchange(other.present_, false)) {}
  constexpr Opt& operator=(const Opt&) = default;
  constexpr Opt& operator=(Opt&& other) noexcept {
    if (this != &other) {
      value_ = std::exchange(other.value_, T());
      present_ = std::exchange(other.present_, false);
    }
    return *this;
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

  // (ptr.Equal)
  friend constexpr bool operator==(const Opt& a, const Opt& b) {
    return a.present_ == b.present_ && a.value_ == b.value_;
  }
  friend constexpr bool operator==(const Opt& a, const T& b) { return a.present_ && a.value_ == b; }
  friend constexpr bool operator==(const Opt& a, std::nullopt_t) { return !a.present_; }

  template <typename H>
  friend H AbslHashValue(H h, const Opt& opt) {
    return H::combine(std::move(h), opt.value_, opt.present_);
  }

 private:
  // Zero while absent.
  T value_{};
  bool present_ = false;
};

}  // namespace kube

#endif  // APIMACHINERY_TYPES_OPT_H_

#ifndef APIMACHINERY_TYPES_INTERNAL_RAW_VALUE_H_
#define APIMACHINERY_TYPES_INTERNAL_RAW_VALUE_H_

#include <concepts>
#include <cstddef>
#include <utility>

#include "absl/strings/string_view.h"
#include "apimachinery/table/layout.h"
#include "apimachinery/types/lifetime.h"
#include "apimachinery/types/string.h"

namespace kube::internal {

// The common part of RawJson, RawExtension and FieldsV1: Go's []byte, which may be null or empty,
// in sixteen bytes.
class RawValue {
 public:
  constexpr RawValue() = default;

  // The result is not null, even if `bytes` is empty.
  template <StringSource T>
  requires(!std::derived_from<T, RawValue>)
      RawValue(const T& bytes)  // NOLINT(google-explicit-constructor)
      : RawValue(ViewOf(bytes).data(), ViewOf(bytes).size()) {}
  RawValue(const char* data, size_t size)
      : rep_(size == 0 ? table::StringRep::PresentEmpty() : table::StringRep::Copy(data, size)) {}

  RawValue(const RawValue& other)
      : rep_(other.rep_.is_inline()
                 ? other.rep_
                 : table::StringRep::Copy(other.rep_.data(), other.rep_.size())) {}
  RawValue(RawValue&& other) noexcept : rep_(std::exchange(other.rep_, {})) {}
  RawValue& operator=(const RawValue& other) {
    if (this != &other) *this = RawValue(other);
    return *this;
  }
  // `other` is null afterwards.
  RawValue& operator=(RawValue&& other) noexcept {
    const table::StringRep rep = std::exchange(other.rep_, {});
    std::exchange(rep_, rep).Destroy();
    return *this;
  }
  ~RawValue() { rep_.Destroy(); }

  // Returns whether it is null: Go's nil slice.
  bool is_null() const { return rep_.is_zero(); }

  // Has no zero at its end. Valid until this object is assigned to or destroyed.
  const char* data() const KUBE_LIFETIME_BOUND { return rep_.data(); }
  size_t size() const { return rep_.size(); }
  bool empty() const { return size() == 0; }
  absl::string_view view() const KUBE_LIFETIME_BOUND { return {data(), size()}; }

  // Makes it null.
  void reset() { *this = RawValue(); }

  template <typename H>
  friend H AbslHashValue(H h, const RawValue& value) {
    return H::combine(std::move(h), value.view());
  }

 private:
  table::StringRep rep_;
};
static_assert(sizeof(RawValue) == sizeof(table::StringRep));

}  // namespace kube::internal

#endif  // APIMACHINERY_TYPES_INTERNAL_RAW_VALUE_H_

#ifndef APIMACHINERY_TYPES_BYTES_H_
#define APIMACHINERY_TYPES_BYTES_H_

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "apimachinery/table/layout.h"
#include "apimachinery/types/lifetime.h"
#include "apimachinery/types/string.h"

namespace kube {

// Bytes of an API object, in sixteen bytes of memory: Go's []byte, base64 in JSON. Like a Go slice,
// they distinguish null from empty: Bytes are null at first and after reset(), and empty after the
// assignment of an empty text. JSON without omitempty shows the difference (null, ""); operator==
// ignores it.
//
//   secret.data["tls.key"] = pem;                    // also from either string view and literals
//   const std::string key = secret.data["tls.key"];  // also to either string view
//   const std::vector<uint8_t> logo = config_map.binary_data["logo.png"];
//
// They can only be assigned as a whole; ownership and sharing are as in String. Only their size is
// printed, so that secrets do not get into logs. Thread-compatible.
class Bytes {
 public:
  constexpr Bytes() = default;

  template <internal::StringSource T>
  requires(!std::same_as<T, Bytes>) Bytes(const T& bytes)  // NOLINT(google-explicit-constructor)
      : Bytes(internal::ViewOf(bytes).data(), internal::ViewOf(bytes).size()) {}
  Bytes(const std::vector<uint8_t>& bytes)  // NOLINT(google-explicit-constructor)
      : Bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size()) {}

  Bytes(const char* data, size_t size)
      : rep_(size == 0 ? table::StringRep::PresentEmpty() : table::StringRep::Copy(data, size)) {}

  Bytes(const Bytes& other)
      : rep_(other.rep_.is_inline()
                 ? other.rep_
                 : table::StringRep::Copy(other.rep_.data(), other.rep_.size())) {}
  Bytes(Bytes&& other) noexcept : rep_(std::exchange(other.rep_, {})) {}
  Bytes& operator=(const Bytes& other) {
    if (this != &other) *this = Bytes(other);
    return *this;
  }
  // `other` is null afterwards.
  Bytes& operator=(Bytes&& other) noexcept {
    const table::StringRep rep = std::exchange(other.rep_, {});
    std::exchange(rep_, rep).Destroy();
    return *this;
  }
  ~Bytes() { rep_.Destroy(); }

  // Returns Bytes that are empty, but not null.
  static Bytes Empty() { return Bytes("", 0); }

  // Returns whether they are null: Go's nil slice.
  bool is_null() const { return rep_.is_zero(); }
  size_t size() const { return rep_.size(); }
  bool empty() const { return size() == 0; }
  // Valid until the Bytes are assigned to or destroyed.
  const char* data() const KUBE_LIFETIME_BOUND { return rep_.data(); }
  absl::string_view view() const KUBE_LIFETIME_BOUND { return {data(), size()}; }

  // Makes them null.
  void reset() { *this = Bytes(); }

  // Convert to std::string, absl::string_view and std::string_view.
  template <std::same_as<std::string> T>
  operator T() const {  // NOLINT(google-explicit-constructor)
    return T(data(), size());
  }
  template <typename T>
  requires(std::same_as<T, absl::string_view> || std::same_as<T, std::string_view>) operator T()
      const KUBE_LIFETIME_BOUND {  // NOLINT(google-explicit-constructor)
    return T(data(), size());
  }
  operator std::vector<uint8_t>() const {  // NOLINT(google-explicit-constructor)
    return std::vector<uint8_t>(data(), data() + size());
  }

  // Null and empty are equal. apimachinery: `equality.Semantic.DeepEqual`.
  friend bool operator==(const Bytes& a, const Bytes& b) { return a.view() == b.view(); }
  template <internal::StringSource T>
  requires(!std::same_as<T, Bytes> && !std::same_as<T, String>) friend bool operator==(
      const Bytes& a, const T& b) {
    return a.view() == internal::ViewOf(b);
  }

  template <typename H>
  friend H AbslHashValue(H h, const Bytes& bytes) {
    return H::combine(std::move(h), bytes.view());
  }
  // Writes the size, as `<12 bytes>`.
  friend std::ostream& operator<<(std::ostream& out, const Bytes& bytes);

 private:
  table::StringRep rep_;
};
static_assert(sizeof(Bytes) == 16);

}  // namespace kube

#endif  // APIMACHINERY_TYPES_BYTES_H_

#ifndef APIMACHINERY_TYPES_STRING_H_
#define APIMACHINERY_TYPES_STRING_H_

#include <compare>
#include <concepts>
#include <cstddef>
#include <iosfwd>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "absl/strings/string_view.h"
#include "apimachinery/table/layout.h"
#include "apimachinery/types/lifetime.h"

namespace kube {

namespace internal {

// A type from which a String can be made, and with which it can be compared: strings, either string
// view and literals, even if the two string views are different types.
template <typename T>
concept StringSource =
    !std::same_as<T, std::nullptr_t> && (std::convertible_to<const T&, std::string_view> ||
                                         std::convertible_to<const T&, absl::string_view>);

template <StringSource T>
constexpr absl::string_view ViewOf(const T& text) {
  if constexpr (std::convertible_to<const T&, absl::string_view>) {
    return text;
  } else {
    const std::string_view view = text;
    return absl::string_view(view.data(), view.size());
  }
}

std::string Concat(absl::string_view a, absl::string_view b);

}  // namespace internal

// The text of an API object, in sixteen bytes: up to fifteen characters inside, more in heap memory
// of exactly their size. Like Go's string it may hold any bytes, has no zero at its end, and is
// UTF-8 by convention.
//
//   String name = "web";      // from literals, std::string and either string view
//   std::string text = name;  // also to either string view
//   const std::string key = pod.metadata.namespace_ + "/" + pod.metadata.name;
//   if (pod.metadata.name == "web-0") absl::StrAppend(&text, ": ", pod.metadata.name.view());
//
// `ready ? pod.metadata.name : text` is ambiguous if `text` is a std::string or a view: write
// pod.metadata.name.view().
//
// A String can only be assigned as a whole: no method changes a character or appends. In an object
// from a cache it may refer to memory that objects share; a copy always owns its memory.
//
// Thread-compatible. A text must be smaller than 4 GiB; a larger one aborts the process. No API
// object comes near, and responses of servers are limited long before.
class String {
 public:
  constexpr String() = default;

  template <internal::StringSource T>
  requires(!std::same_as<T, String>) String(const T& text)  // NOLINT(google-explicit-constructor)
      : String(internal::ViewOf(text).data(), internal::ViewOf(text).size()) {}

  String(const char* data, size_t size) : rep_(table::StringRep::Copy(data, size)) {}

  String(const String& other)
      : rep_(other.rep_.is_inline()
                 ? other.rep_
                 : table::StringRep::Copy(other.rep_.data(), other.rep_.size())) {}
  String(String&& other) noexcept : rep_(std::exchange(other.rep_, {})) {}
  String& operator=(const String& other) {
    if (this != &other) *this = String(other);
    return *this;
  }
  // `other` is empty afterwards.
  String& operator=(String&& other) noexcept {
    const table::StringRep rep = std::exchange(other.rep_, {});
    std::exchange(rep_, rep).Destroy();
    return *this;
  }
  ~String() { rep_.Destroy(); }

  // Has no zero at its end. Valid until the String is assigned to or destroyed.
  const char* data() const KUBE_LIFETIME_BOUND { return rep_.data(); }
  // The size in bytes.
  size_t size() const { return rep_.size(); }
  bool empty() const { return size() == 0; }

  absl::string_view view() const KUBE_LIFETIME_BOUND { return {data(), size()}; }

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

  // Compare by bytes, as Go does.
  friend bool operator==(const String& a, const String& b) { return a.view() == b.view(); }
  friend std::strong_ordering operator<=>(const String& a, const String& b) {
    return a.view().compare(b.view()) <=> 0;
  }
  template <internal::StringSource T>
  requires(!std::same_as<T, String>) friend bool operator==(const String& a, const T& b) {
    return a.view() == internal::ViewOf(b);
  }
  template <internal::StringSource T>
  requires(!std::same_as<T, String>) friend std::strong_ordering operator<=>(const String& a,
                                                                             const T& b) {
    return a.view().compare(internal::ViewOf(b)) <=> 0;
  }

  friend std::string operator+(const String& a, const String& b) {
    return internal::Concat(a.view(), b.view());
  }
  template <internal::StringSource T>
  requires(!std::same_as<T, String>) friend std::string operator+(const String& a, const T& b) {
    return internal::Concat(a.view(), internal::ViewOf(b));
  }
  template <internal::StringSource T>
  requires(!std::same_as<T, String>) friend std::string operator+(const T& a, const String& b) {
    return internal::Concat(internal::ViewOf(a), b.view());
  }

  // Hashes like the equal string view.
  template <typename H>
  friend H AbslHashValue(H h, const String& text) {
    return H::combine(std::move(h), text.view());
  }
  // Writes the text unchanged.
  friend std::ostream& operator<<(std::ostream& out, const String& text);

 private:
  table::StringRep rep_;
};
static_assert(sizeof(String) == 16);

}  // namespace kube

// Hashes like the equal string view, so that standard containers can be searched with either.
template <>
struct std::hash<kube::String> {
  size_t operator()(const kube::String& text) const noexcept {
    return std::hash<std::string_view>()(std::string_view(text.data(), text.size()));
  }
};

#endif  // APIMACHINERY_TYPES_STRING_H_

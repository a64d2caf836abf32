#ifndef CONTROLLER_WORKQUEUE_KEY_TRAITS_H_
#define CONTROLLER_WORKQUEUE_KEY_TRAITS_H_

#include <charconv>
#include <concepts>
#include <cstddef>
#include <string>

#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "apimachinery/meta/object_name.h"

namespace kube::workqueue {

// Converts keys to text and back. A queue stores keys as text, which takes less memory and is what
// logs show. Two keys are equal if their texts are equal.
//
// Defined for strings, integers and meta::ObjectName. Specialise it for other types:
//
//   template <>
//   struct kube::workqueue::KeyTraits<Shard> {
//     static std::string ToText(const Shard& key) { return absl::StrCat(key.id, "@", key.zone); }
//     static Shard FromText(absl::string_view text) {
//       ...
//     }
//   };
template <typename Key>
struct KeyTraits;

template <typename Key>
concept QueueKey = requires(const Key& key, absl::string_view text) {
  {absl::string_view(KeyTraits<Key>::ToText(key))};
  { KeyTraits<Key>::FromText(text) } -> std::convertible_to<Key>;
};

// A short-lived text that is stored in place while it is as short as typical names.
class ShortText {
 public:
  void Append(absl::string_view part);
  void Append(char c) { Append(absl::string_view(&c, 1)); }
  operator absl::string_view() const {  // NOLINT: it is one
    return long_.empty() ? absl::string_view(short_, size_) : absl::string_view(long_);
  }

 private:
  // Room for "namespace/name" with 63 characters each.
  char short_[127];
  unsigned char size_ = 0;
  std::string long_;
};

template <>
struct KeyTraits<std::string> {
  static absl::string_view ToText(const std::string& key) { return key; }
  static std::string FromText(absl::string_view text) { return std::string(text); }
};

// "namespace/name", or "name" for cluster-scoped objects. A namespace that contains a slash is not
// restored correctly; no server has one.
template <>
struct KeyTraits<meta::ObjectName> {
  static ShortText ToText(const meta::ObjectName& key);
  static meta::ObjectName FromText(absl::string_view text);
};

template <std::integral Key>
struct KeyTraits<Key> {
  static ShortText ToText(Key key) {
    char digits[24];
    const std::to_chars_result end = std::to_chars(digits, digits + sizeof(digits), +key);
    ShortText text;
    text.Append(absl::string_view(digits, end.ptr - digits));
    return text;
  }
  static Key FromText(absl::string_view text) {
    decltype(+Key()) key = 0;
    KUBE_CHECK(std::from_chars(text.data(), text.data() + text.size(), key).ec == std::errc());
    return static_cast<Key>(key);
  }
};

}  // namespace kube::workqueue

#endif  // CONTROLLER_WORKQUEUE_KEY_TRAITS_H_

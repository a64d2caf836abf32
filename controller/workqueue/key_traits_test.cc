#include "controller/workqueue/key_traits.h"

#include <cstdint>
#include <limits>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/meta/object_name.h"
#include "gtest/gtest.h"

struct Shard {
  std::string zone;
  int id = 0;
  friend bool operator==(const Shard&, const Shard&) = default;
};

// A key type of the user, as key_traits.h describes it.
template <>
struct kube::workqueue::KeyTraits<Shard> {
  static std::string ToText(const Shard& key) { return absl::StrCat(key.id, "@", key.zone); }
  static Shard FromText(absl::string_view text) {
    const size_t at = text.find('@');
    return {.zone = std::string(text.substr(at + 1)),
            .id = KeyTraits<int>::FromText(text.substr(0, at))};
  }
};

namespace kube::workqueue {
namespace {

template <QueueKey Key>
void ExpectRoundTrip(const Key& key, absl::string_view text) {
  const auto made = KeyTraits<Key>::ToText(key);
  EXPECT_EQ(absl::string_view(made), text);
  EXPECT_EQ(KeyTraits<Key>::FromText(text), key);
}

TEST(KeyTraitsTest, RoundTrip_TextsAndNumbers_KeepsTheKey) {
  ExpectRoundTrip<std::string>("a/b", "a/b");
  ExpectRoundTrip<std::string>("", "");
  ExpectRoundTrip<int>(0, "0");
  ExpectRoundTrip<int64_t>(std::numeric_limits<int64_t>::min(), "-9223372036854775808");
  ExpectRoundTrip<uint64_t>(std::numeric_limits<uint64_t>::max(), "18446744073709551615");
  ExpectRoundTrip<int8_t>(-128, "-128");
  ExpectRoundTrip<bool>(true, "1");
}

TEST(KeyTraitsTest, RoundTrip_ObjectNamesOfAnyLength_KeepsTheKey) {
  ExpectRoundTrip<meta::ObjectName>({.namespace_name = "prod", .name = "web-0"}, "prod/web-0");
  ExpectRoundTrip<meta::ObjectName>({.name = "node-1"}, "node-1");
  ExpectRoundTrip<meta::ObjectName>({}, "");
  for (const size_t length : {62, 63, 64, 126, 127, 128, 253}) {
    const std::string name(length, 'n');
    ExpectRoundTrip<meta::ObjectName>({.name = name}, name);
    ExpectRoundTrip<meta::ObjectName>({.namespace_name = std::string(63, 's'), .name = name},
                                      absl::StrCat(std::string(63, 's'), "/", name));
  }
}

TEST(KeyTraitsTest, RoundTrip_CustomKeyType_KeepsTheKey) {
  ExpectRoundTrip<Shard>({"eu", 7}, "7@eu");
}

TEST(ShortTextTest, Append_BeyondTheInlineSize_KeepsAllText) {
  for (size_t first = 0; first < 140; ++first) {
    ShortText text;
    text.Append(std::string(first, 'a'));
    text.Append('/');
    text.Append("");
    text.Append(std::string(60, 'b'));
    EXPECT_EQ(absl::string_view(text),
              absl::StrCat(std::string(first, 'a'), "/", std::string(60, 'b')));
  }
}

}  // namespace
}  // namespace kube::workqueue

#include "apimachinery/types/bytes.h"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/hash/hash.h"
#include "absl/strings/string_view.h"
#include "apimachinery/types/string.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube {
namespace {

constexpr char kLong[] = "bytes, and more than fifteen of them";

TEST(BytesTest, TellNullFromEmpty) {
  Bytes null;
  EXPECT_TRUE(null.is_null());
  EXPECT_TRUE(null.empty());
  const Bytes present[] = {
      "",           std::string(), std::string_view(), absl::string_view(), std::vector<uint8_t>(),
      Bytes("", 0), Bytes::Empty()};
  for (const Bytes& bytes : present) {
    EXPECT_FALSE(bytes.is_null());
    EXPECT_TRUE(bytes.empty());
    EXPECT_EQ(bytes.size(), 0u);
    EXPECT_EQ(bytes, null);
    const Bytes copy = bytes;
    EXPECT_FALSE(copy.is_null());
    EXPECT_EQ(absl::Hash<Bytes>()(bytes), absl::Hash<Bytes>()(null));
  }
  null = "";
  EXPECT_FALSE(null.is_null());
  null.reset();
  EXPECT_TRUE(null.is_null());
}

TEST(BytesTest, ConvertFromAndTo) {
  for (const char* text : {"short", kLong}) {
    const std::string want = text;
    const std::vector<uint8_t> vector(want.begin(), want.end());
    const Bytes all[] = {text,
                         want,
                         std::string_view(want),
                         absl::string_view(want),
                         vector,
                         Bytes(want.data(), want.size()),
                         String(text)};
    for (const Bytes& bytes : all) {
      const std::string to_string = bytes;
      const std::string_view to_std_view = bytes;
      const absl::string_view to_absl_view = bytes;
      const std::vector<uint8_t> to_vector = bytes;
      EXPECT_EQ(to_string, want);
      EXPECT_EQ(to_std_view, want);
      EXPECT_EQ(to_absl_view, want);
      EXPECT_EQ(bytes.view(), want);
      EXPECT_EQ(to_vector, vector);
      EXPECT_EQ(bytes.size(), want.size());
    }
  }
}

TEST(BytesTest, Compare) {
  const Bytes bytes = "abc";
  EXPECT_EQ(bytes, "abc");
  EXPECT_EQ("abc", bytes);
  EXPECT_EQ(bytes, std::string("abc"));
  EXPECT_EQ(std::string_view("abc"), bytes);
  EXPECT_EQ(bytes, absl::string_view("abc"));
  EXPECT_EQ(bytes, String("abc"));
  EXPECT_EQ(String("abc"), bytes);
  EXPECT_NE(bytes, "abd");
  EXPECT_NE(bytes, Bytes("abcd"));
  EXPECT_EQ(Bytes(std::string("\0a", 2)), Bytes("\0a", 2));
}

TEST(BytesTest, CopyAndMove) {
  for (const char* text : {"short", kLong}) {
    Bytes a = text;
    Bytes b = a;
    Bytes c = std::move(a);
    EXPECT_TRUE(a.is_null());  // NOLINT(bugprone-use-after-move): that it is null is promised
    EXPECT_EQ(c, text);
    b = "other bytes, and more than fifteen of them";
    b = std::move(c);
    EXPECT_EQ(b, text);
    EXPECT_TRUE(c.is_null());  // NOLINT(bugprone-use-after-move)
    Bytes& self = b;
    b = self;
    b = std::move(self);
    EXPECT_EQ(b, text);
    const Bytes& constant = b;
    const Bytes copy = std::move(constant);  // NOLINT: a copy
    EXPECT_EQ(b, text);
    EXPECT_EQ(copy, text);
  }
}

TEST(BytesTest, ArePrintedWithoutTheirContent) {
  std::ostringstream out;
  out << Bytes("password") << Bytes();
  EXPECT_EQ(out.str(), "<8 bytes><0 bytes>");
}

TEST(BytesTest, ZeroBitsAreNull) {
  alignas(Bytes) char bits[sizeof(Bytes)] = {};
  EXPECT_TRUE(reinterpret_cast<const Bytes*>(bits)->is_null());
}

static_assert(!std::convertible_to<std::nullptr_t, Bytes>);
static_assert(!std::convertible_to<int, Bytes>);
static_assert(!std::convertible_to<Bytes, bool>);
static_assert(std::is_nothrow_move_constructible_v<Bytes>);

}  // namespace
}  // namespace kube

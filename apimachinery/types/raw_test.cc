#include "apimachinery/types/raw.h"

#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/hash/hash_testing.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "tests/oracle/go_cases.h"

namespace kube {
namespace {

static_assert(std::is_standard_layout_v<RawJson> && std::is_standard_layout_v<RawExtension> &&
              std::is_standard_layout_v<FieldsV1>);
static_assert(!std::is_convertible_v<RawJson, FieldsV1>);
static_assert(!std::is_convertible_v<FieldsV1, RawExtension>);

const char kLong[] = R"({"f:metadata":{"f:labels":{".":{},"f:app":{}}}})";

template <typename T>
std::string Printed(const T& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

template <typename T>
class RawTest : public testing::Test {};
using RawTypes = testing::Types<RawJson, RawExtension, FieldsV1>;
TYPED_TEST_SUITE(RawTest, RawTypes);

TYPED_TEST(RawTest, NullAndEmpty) {
  TypeParam value;
  EXPECT_TRUE(value.is_null());
  EXPECT_TRUE(value.empty());
  EXPECT_EQ(Printed(value), "null");
  value = "";
  EXPECT_FALSE(value.is_null());
  EXPECT_TRUE(value.empty());
  EXPECT_EQ(value, TypeParam());
  const TypeParam copy = value;
  EXPECT_FALSE(copy.is_null());
  value = "{}";
  value.reset();
  EXPECT_TRUE(value.is_null());
}

TYPED_TEST(RawTest, CopyAndMove) {
  for (const std::string& text : {std::string("{}"), std::string(kLong)}) {
    TypeParam value = text;
    TypeParam copy = value;
    EXPECT_EQ(copy.view(), text);
    EXPECT_EQ(copy, value);
    TypeParam moved = std::move(value);
    EXPECT_TRUE(value.is_null());  // NOLINT(bugprone-use-after-move)
    EXPECT_EQ(moved.view(), text);
    copy = std::move(moved);
    EXPECT_TRUE(moved.is_null());  // NOLINT(bugprone-use-after-move)
    const TypeParam& same = copy;
    copy = same;
    EXPECT_EQ(copy.view(), text);
    EXPECT_EQ(Printed(copy), text);
  }
}

TYPED_TEST(RawTest, BytesDecide) {
  EXPECT_NE(TypeParam(R"({"a":1})"), TypeParam(R"({ "a": 1 })"));
  EXPECT_EQ(TypeParam(absl::string_view("a\0b", 3)).size(), 3u);
  EXPECT_TRUE(absl::VerifyTypeImplementsAbslHashCorrectly(
      std::vector<TypeParam>{TypeParam(), "", "{}", "{ }", kLong}));
}

TEST(RawExtensionTest, ContentType) {
  struct Row {
    const char* name;
    RawExtension value;
    const char* content_type;
    const char* printed;
  };
  for (const Row& row : {
           Row{"null", {}, "application/json", "null"},
           Row{"object", "{}", "application/json", "{}"},
           Row{"space before", " 1", "application/json", " 1"},
           Row{"protobuf", std::string("k8s\0\n", 5), "application/vnd.kubernetes.protobuf",
               "5 bytes"},
           Row{"nearly protobuf", "k8s", "", "3 bytes"},
           Row{"CBOR", "\xd9\xd9\xf7\xa0", "application/cbor", "4 bytes"},
           Row{"empty", "", "", "0 bytes"},
           Row{"YAML", "a: b", "", "4 bytes"},
       }) {
    SCOPED_TRACE(row.name);
    EXPECT_EQ(row.value.content_type(), row.content_type);
    EXPECT_EQ(Printed(row.value), row.printed);
  }
}

TEST(RawExtensionTest, Go) {
  oracle::GoCases cases("values_oracle");
  for (int first = 0; first < 256; ++first) {
    const std::string text(1, static_cast<char>(first));
    const bool json = RawExtension(text).content_type() == "application/json";
    // Go writes text that it takes for JSON unchanged, even if it is not JSON.
    cases.Add("content_type", text, json ? oracle::Hex(text) : oracle::GoCases::kError);
  }
  cases.Check();
}

}  // namespace
}  // namespace kube

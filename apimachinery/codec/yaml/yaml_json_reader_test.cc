#include "apimachinery/codec/yaml/yaml_json_reader.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"

namespace kube::codec::internal {
namespace {

TEST(ReadJsonTest, ReadsValues) {
  const absl::StatusOr<JsonValue> root =
      ReadJson(" {\"a\" : [null, true , false,-1.50E+3],\"a\":\"\\u00e9\\ud83d\\ude00\\/\\n\"} ");
  ASSERT_TRUE(root.ok()) << root.status();
  ASSERT_EQ(root->children.size(), 2u);
  const JsonValue& list = root->children[0];
  EXPECT_EQ(list.key, "a");
  ASSERT_EQ(list.children.size(), 4u);
  EXPECT_EQ(list.children[0].kind, JsonValue::Kind::kNull);
  EXPECT_EQ(list.children[1].kind, JsonValue::Kind::kTrue);
  EXPECT_EQ(list.children[2].kind, JsonValue::Kind::kFalse);
  EXPECT_EQ(list.children[3].text, "-1.50E+3");
  EXPECT_EQ(root->children[1].text, "\xC3\xA9\xF0\x9F\x98\x80/\n");
}

TEST(ReadJsonTest, Refuses) {
  const struct {
    const char* json;
    const char* message;
  } cases[] = {
      {"", "offset 0: expected a value"},
      {"nul", "offset 0: expected a value"},
      {"01", "offset 1: unexpected data after the value"},
      {"-", "offset 1: expected a value"},
      {"1.", "offset 2: expected a digit"},
      {"1e+", "offset 3: expected a digit"},
      {"[1,]", "offset 3: expected a value"},
      {"[1 2]", "offset 3: expected ',' or ']'"},
      {"{a:1}", "offset 1: expected a key"},
      {"{\"a\" 1}", "offset 5: expected ':'"},
      {"{\"a\":1", "offset 6: expected ',' or '}'"},
      {"\"a", "offset 2: unterminated string"},
      {"\"a\n\"", "offset 2: control character in a string"},
      {"\"\\x\"", "offset 2: unknown escape"},
      {"\"\\u12g4\"", "offset 5: expected a hexadecimal digit"},
      {"\"\\ud800\"", "offset 7: unpaired surrogate"},
      {"\"\\ud800\\u0041\"", "offset 13: unpaired surrogate"},
      {"\"\xFF\"", "offset 1: text is not UTF-8"},
  };
  for (const auto& test : cases) {
    EXPECT_EQ(ReadJson(test.json).status(), absl::InvalidArgumentError(test.message)) << test.json;
  }
}

}  // namespace
}  // namespace kube::codec::internal

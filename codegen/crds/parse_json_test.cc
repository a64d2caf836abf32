#include "codegen/crds/parse_json.h"

#include <string>

#include "absl/status/statusor.h"
#include "codegen/crds/yaml_value.h"
#include "gtest/gtest.h"

namespace kube::codegen {
namespace {

TEST(ParseJson, Values) {
  const struct {
    const char* json;
    const char* yaml;
  } kRows[] = {
      {"true", "true\n"},
      {" false ", "false\n"},
      {"null", "null\n"},
      {"-12", "-12\n"},
      {"123456789012345678901234567890", "123456789012345678901234567890\n"},
      {"1e2", "100\n"},
      {"-0.25E-1", "-0.025\n"},
      {R"("a\"\\\/\b\f\n\r\t")", "\"a\\\"\\\\/\\b\\f\\n\\r\\t\"\n"},
      {R"("\u00fc\u20ac\ud83d\ude00")", "\"\xC3\xBC\xE2\x82\xAC\\U0001F600\"\n"},
      {"{}", "{}\n"},
      {"[ ]", "[]\n"},
      {R"({"b": [1, "x", {"c": null}], "a": {}})", "a: {}\nb:\n- 1\n- x\n- c: null\n"},
  };
  for (const auto& row : kRows) {
    const absl::StatusOr<YamlValue> value = ParseJson(row.json);
    ASSERT_TRUE(value.ok()) << value.status();
    EXPECT_EQ(PrintYaml(*value), row.yaml) << row.json;
  }
}

TEST(ParseJson, RefusesWhatIsNone) {
  for (const std::string json : {"",        "small",       "'a'",         "\"a",
                                 "\"\\x\"", "\"\\u12g4\"", "\"\\ud83d\"", "\"\\ude00\"",
                                 "01",      "1.",          "-",           "+1",
                                 "1e",      ".5",          "tru",         "[1,]",
                                 "[1",      "{\"a\"}",     "{\"a\":1,}",  "{a:1}",
                                 "1 2",     "\"\n\""}) {
    EXPECT_FALSE(ParseJson(json).ok()) << json;
  }
  EXPECT_FALSE(ParseJson(std::string(1000, '[')).ok());
  EXPECT_EQ(ParseJson("small").status().message(),
            "\"small\": it is not JSON at byte 1; a string has quotes in them: \"\\\"a\\\"\"");
}

}  // namespace
}  // namespace kube::codegen

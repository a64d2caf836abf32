#include "apimachinery/codec/yaml/json_to_yaml.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace kube::codec {
namespace {

TEST(JsonToYamlTest, WritesAsSigsYaml) {
  const std::string words = "words that go on and on until the line is much too long to be ";
  const struct {
    const char* name;
    std::string json;
    std::string yaml;
  } cases[] = {
      {"null", "null", "null\n"},
      {"string", "\"a\"", "a\n"},
      {"empty string", "\"\"", "\"\"\n"},
      {"empty map", "{}", "{}\n"},
      {"empty list", " [ ] ", "[]\n"},
      {"list in map", R"({"a":[1,{"b":2,"c":[]}]})", "a:\n- 1\n- b: 2\n  c: []\n"},
      {"list in list", "[[1,2],[[3]]]", "- - 1\n  - 2\n- - - 3\n"},
      {"map in map", R"({"a":{"b":{}}})", "a:\n  b: {}\n"},
      {"natural order", R"({"a10":1,"a9":2,"A":3,"_":4})", "_: 4\nA: 3\na9: 2\na10: 1\n"},
      {"last of equal keys", R"({"a":1,"b":0,"a":2})", "a: 2\nb: 0\n"},
      {"words of YAML 1.1", R"(["yes","n","~","on","truE"])",
       "- \"yes\"\n- \"n\"\n- \"~\"\n- \"on\"\n- truE\n"},
      {"numbers as text", R"(["1","0x1F","1e3","1_0","08","1:30","2001-01-01","v1"])",
       "- \"1\"\n- \"0x1F\"\n- \"1e3\"\n- \"1_0\"\n- \"08\"\n- \"1:30\"\n- \"2001-01-01\"\n- v1\n"},
      {"numbers", "[1.0,1e6,0.1,-0,18446744073709551615,18446744073709551616]",
       "- 1\n- 1e+06\n- 0.1\n- 0\n- 18446744073709551615\n- 1.8446744073709552e+19\n"},
      {"number beyond doubles", "[1e999]", "- 1e999\n"},
      {"markup", R"(["- a","a: b","a #b","#","*x","a:b",", "])",
       "- '- a'\n- 'a: b'\n- 'a #b'\n- '#'\n- '*x'\n- a:b\n- ', '\n"},
      {"quotes", R"(["it's","'"," a","\"x\""])", "- it's\n- ''''\n- ' a'\n- '\"x\"'\n"},
      {"escapes", R"(["\t","\u0000\u0007","é","\ud83d\ude00","\u2028\u0001"])",
       "- \"\\t\"\n- \"\\0\\a\"\n- é\n- \"\\U0001F600\"\n- \"\\L\\x01\"\n"},
      {"byte order mark first", R"(["\ufeffa "])", "- \"\\uFEFF\\x61\\x20\"\n"},
      {"literals", R"({"a":"x\ny","b":"x\n","c":"x\n\n","d":" x\n","e":"x \ny"})",
       "a: |-\n  x\n  y\nb: |\n  x\nc: |+\n  x\n\nd: |2\n   x\ne: \"x \\ny\"\n"},
      {"literal at the root", "\"a\\nb\\n\"", "|\n  a\n  b\n"},
      {"folded", absl::StrCat("{\"a\":\"", words, words, "end\"}"),
       "a: words that go on and on until the line is much too long to be words that go on\n"
       "  and on until the line is much too long to be end\n"},
      {"long key", absl::StrCat("{\"", std::string(129, 'k'), "\":[1]}"),
       absl::StrCat("? ", std::string(129, 'k'), "\n: - 1\n")},
      {"key of two lines", R"({"a\nb":1})", "? |-\n  a\n  b\n: 1\n"},
      {"merge key", R"({"<<":1})", "<<: 1\n"},
  };
  for (const auto& test : cases) {
    SCOPED_TRACE(test.name);
    const absl::StatusOr<std::string> yaml = JsonToYaml(test.json);
    ASSERT_TRUE(yaml.ok()) << yaml.status();
    EXPECT_EQ(*yaml, test.yaml);
  }
}

TEST(JsonToYamlTest, RefusesWhatIsNotJson) {
  const absl::StatusOr<std::string> yaml = JsonToYaml("{\"a\":}");
  EXPECT_EQ(yaml.status(),
            absl::InvalidArgumentError("convert JSON to YAML: offset 5: expected a value"));
  EXPECT_TRUE(JsonToYaml(std::string(400, '[') + std::string(400, ']')).ok());
  EXPECT_FALSE(JsonToYaml(std::string(401, '[') + std::string(401, ']')).ok());
}

}  // namespace
}  // namespace kube::codec

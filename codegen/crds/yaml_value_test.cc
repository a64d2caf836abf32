#include "codegen/crds/yaml_value.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::codegen {
namespace {

// What follows "a:" where the member is a text. Go's sigs.k8s.io/yaml says the same of each, and
// tests/kitchen_sink/crds asks it about whole files.
TEST(YamlValue, Texts) {
  const struct {
    const char* text;
    const char* want;
  } kRows[] = {
      {"plain", " plain"},
      {"two words", " two words"},
      {"", " \"\""},
      {"yes", " \"yes\""},
      {"Off", " \"Off\""},
      {"y", " \"y\""},
      {"~", " \"~\""},
      {"null", " \"null\""},
      {"nullable", " nullable"},
      {"1", " \"1\""},
      {"-1.5e3", " \"-1.5e3\""},
      {"0x1F", " \"0x1F\""},
      {"1_000", " \"1_000\""},
      {"1:30", " \"1:30\""},
      {".inf", " \".inf\""},
      {"1.2.3", " 1.2.3"},
      {"v1", " v1"},
      {".spec.replicas", " .spec.replicas"},
      {"2001-01-01", " \"2001-01-01\""},
      {"2001-01-01T10:00:00Z", " \"2001-01-01T10:00:00Z\""},
      {" a", " ' a'"},
      {"a ", " 'a '"},
      {"- a", " '- a'"},
      {"-a", " -a"},
      {"a: b", " 'a: b'"},
      {"a:", " 'a:'"},
      {"a:b", " a:b"},
      {"a #b", " 'a #b'"},
      {"a#b", " a#b"},
      {"[a]", " '[a]'"},
      {"*", " '*'"},
      {"it's", " it's"},
      {"'a'", " '''a'''"},
      {"---", " '---'"},
      {"^(\\+|-)?$", " ^(\\+|-)?$"},
      {"tab\there", " \"tab\\there\""},
      {"\a\x7f", " \"\\a\\x7F\""},
      {"gr\xC3\xBC\xC3\x9F", " gr\xC3\xBC\xC3\x9F"},
      {"\xE2\x80\xA8", " \"\\L\""},
      {"\xF0\x9F\x98\x80", " \"\\U0001F600\""},
      {"one\ntwo", " |-\n  one\n  two"},
      {"one\n\ntwo\n", " |\n  one\n\n  two"},
      {"one\n\n", " |+\n  one\n"},
      {" one\ntwo", " |2-\n   one\n  two"},
      {"one \ntwo", " \"one \\ntwo\""},
      {"one\ntwo ", " \"one\\ntwo \""},
      {"one\n\ttwo", " \"one\\n\\ttwo\""},
  };
  for (const auto& row : kRows) {
    YamlValue value;
    value["a"] = YamlValue::String(row.text);
    EXPECT_EQ(PrintYaml(value), absl::StrCat("a:", row.want, "\n"));
  }
}

TEST(YamlValue, Numbers) {
  const struct {
    double number;
    const char* want;
  } kRows[] = {{0, "0"},
               {-3, "-3"},
               {0.5, "0.5"},
               {1000000, "1000000"},
               {5e9, "5000000000"},
               {1234567.5, "1.2345675e+06"},
               {0.00001, "1e-05"},
               {0.0001, "0.0001"},
               {1e21, "1e+21"}};
  for (const auto& row : kRows) {
    EXPECT_EQ(PrintYaml(YamlValue::Number(row.number)), absl::StrCat(row.want, "\n"));
  }
}

TEST(YamlValue, Blocks) {
  YamlValue value;
  value["map"]["inner"] = YamlValue::Bool(true);
  value["empty_map"] = {};
  value["empty_list"] = YamlValue::List();
  YamlValue& list = value["list"] = YamlValue::List();
  list.Add(YamlValue::Integer(1));
  YamlValue& item = list.Add({});
  item["a"] = YamlValue::String("x\ny");
  item["b"] = YamlValue::List();
  item["b"].Add(YamlValue::Bool(false));
  list.Add(YamlValue::List()).Add(YamlValue::Integer(2));
  EXPECT_EQ(PrintYaml(value), R"(empty_list: []
empty_map: {}
list:
- 1
- a: |-
    x
    y
  b:
  - false
- - 2
map:
  inner: true
)");
}

TEST(YamlValue, Keys) {
  YamlValue value;
  for (const char* key :
       {"a10", "a2", "A", "b", "_", "-", "1", "yes", "a", "a.b", "aB", "a110", "a12", "x-y", "x"}) {
    value[key] = YamlValue::Bool(true);
  }
  std::vector<std::string> keys;
  for (const auto& [key, member] : value.members) keys.push_back(key);
  EXPECT_THAT(keys, testing::ElementsAre("-", "_", "1", "A", "a", "a.b", "a2", "a10", "a12", "a110",
                                         "aB", "b", "x", "x-y", "yes"));
  value.members.clear();
  value["yes"] = YamlValue::Bool(true);
  EXPECT_EQ(PrintYaml(value), "\"yes\": true\n");
}

}  // namespace
}  // namespace kube::codegen

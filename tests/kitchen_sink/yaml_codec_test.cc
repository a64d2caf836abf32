#include <gtest/gtest.h>

#include <set>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/yaml/json_to_yaml.h"
#include "apimachinery/codec/yaml/yaml_to_json.h"
#include "tests/kitchen_sink/yaml_cases.h"

namespace kube::codec {
namespace {

// Where we differ from Go, as yaml_to_json.h and json_to_yaml.h say.
const std::set<absl::string_view>& Differences() {
  static const std::set<absl::string_view> kNames = {
      R"(Scalars: "\n\t\"\\\x41\u00e9\U0001F600\0\e\/")",  // \/ is taken
      "Documents: JSON with tabs",                         // is for DecodeJson
      R"(Write text "\ud83d\ude00")",                      // is taken
  };
  return kNames;
}

TEST(YamlCodecTest, ReadsAsGo) {
  for (const oracle::YamlReadCase& c : oracle::YamlReadCases()) {
    if (Differences().contains(c.name)) continue;
    SCOPED_TRACE(c.name);
    const absl::StatusOr<JsonFromYaml> json = YamlToJson(c.yaml);
    if (c.json.empty()) {
      EXPECT_FALSE(json.ok()) << json->json;
    } else if (json.ok()) {
      // Nothing is escaped for the sake of HTML.
      EXPECT_EQ(json->json, absl::StrReplaceAll(
                                c.json, {{"\\u003c", "<"}, {"\\u003e", ">"}, {"\\u0026", "&"}}));
    } else {
      ADD_FAILURE() << json.status();
    }
  }
}

TEST(YamlCodecTest, WritesAsGo) {
  for (const oracle::YamlWriteCase& c : oracle::YamlWriteCases()) {
    if (Differences().contains(c.name)) continue;
    SCOPED_TRACE(c.name);
    const absl::StatusOr<std::string> yaml = JsonToYaml(c.json);
    if (c.yaml.empty()) {
      EXPECT_FALSE(yaml.ok()) << *yaml;
    } else if (yaml.ok()) {
      EXPECT_EQ(*yaml, c.yaml);
    } else {
      ADD_FAILURE() << yaml.status();
    }
  }
}

}  // namespace
}  // namespace kube::codec

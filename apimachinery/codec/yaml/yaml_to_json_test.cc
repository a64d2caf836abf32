#include "apimachinery/codec/yaml/yaml_to_json.h"

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace kube::codec {
namespace {

TEST(YamlToJsonTest, ReadsAsSigsYaml) {
  const struct {
    const char* name;
    const char* yaml;
    const char* json;
  } cases[] = {
      {"nothing", "", "null"},
      {"comments", "# a\n\n# b", "null"},
      {"separator", "---\n", "null"},
      {"first of two", "a: 1\n---\nb: [", R"({"a":1})"},
      {"words of YAML 1.1", "[yes, N, On, ~, Null, truE]", R"([true,false,true,null,null,"truE"])"},
      {"integers", "[0x1F, 0b11, 0o17, 017, 1_000, +5, -0]", "[31,3,15,15,1000,5,0]"},
      {"floats", "[1e3, .5, 08, 1e-7, 1e21, 18446744073709551616]",
       "[1000,0.5,8,1e-7,1e+21,18446744073709552000]"},
      {"large integers", "[9223372036854775807, 18446744073709551615]",
       "[9223372036854775807,18446744073709551615]"},
      {"dates are text", "[2001-01-01, 1:30, !!timestamp 2001-01-01]",
       R"(["2001-01-01","1:30","2001-01-01"])"},
      {"quoted is text", "['1', \"yes\", '']", R"(["1","yes",""])"},
      {"tags", "[!!str 1, !!int \"3\" , !!float 2, !!binary aGk= , !x 1]", R"(["1",3,2,"hi","1"])"},
      {"keys", "1: a\nyes: b\n1.50: c\n2001-01-01: d",
       R"({"1":"a","1.5":"c","2001-01-01":"d","true":"b"})"},
      {"escapes", R"("\N\_\x41\u00e9\U0001F600\/\e")", "\"\u0085\u00A0A\u00E9\U0001F600/\\u001b\""},
      {"escapes as encoding/json writes them", R"("\b\f\n\x01\x7f\L\P<&>")",
       "\"\\b\\f\\n\\u0001\x7f\\u2028\\u2029<&>\""},
      {"folding", "a: x\n  y\n\n  z\nb: \"x \\\n  y\n\n  z\"", R"({"a":"x y\nz","b":"x y\nz"})"},
      {"blocks", "a: |+\n  x\n\nb: >-\n  x\n  y\nc: |2\n    x\n",
       R"({"a":"x\n\n","b":"x y","c":"  x\n"})"},
      {"merge", "a: &x {k: 1, l: 2}\nb:\n  l: 3\n  <<: *x\nc: {<<: [*x, {k: 4}]}",
       R"({"a":{"k":1,"l":2},"b":{"k":1,"l":2},"c":{"k":1,"l":2}})"},
      {"merge with a tag", "a: &x {k: 1}\nb: {! <<: *x}", R"({"a":{"k":1},"b":{"k":1}})"},
      {"tabs in brackets", "{\n\t\"a\": [\n\t\t1\n\t]\n}", R"({"a":[1]})"},
      {"blocks with anchors and tags", "- &a |\n  x\n- !!str >\n  y\n- *a",
       R"(["x\n","y\n","x\n"])"},
      {"handles of tags", "%TAG !y! tag:yaml.org,2002:\n---\n!y!int \"3\"", "3"},
      {"key without a space", "{?a : b}", R"({"a":"b"})"},
      {"escaped quote", R"(["it\'s"])", R"(["it's"])"},
      {"line breaks",
       "\xEF\xBB\xBF"
       "a: 1\r\nb: 2\rc: 3\xC2\x85"
       "d: 4",
       R"({"a":1,"b":2,"c":3,"d":4})"},
      {"last of equal keys", "{a: 1, a: 2}", R"({"a":2})"},
      {"JSON", R"({"a":[1,"b\n",null,{}]})", R"({"a":[1,"b\n",null,{}]})"},
  };
  for (const auto& test : cases) {
    SCOPED_TRACE(test.name);
    const absl::StatusOr<JsonFromYaml> json = YamlToJson(test.yaml);
    ASSERT_TRUE(json.ok()) << json.status();
    EXPECT_EQ(json->json, test.json);
  }
}

TEST(YamlToJsonTest, Refuses) {
  const struct {
    const char* name;
    std::string yaml;
    const char* message;
  } cases[] = {
      {"infinity", "a: .inf", "line 1, column 4: unsupported value for JSON: .inf"},
      {"null as a key", "~: 1", "line 1, column 1: null is not supported as a key"},
      {"list as a key", "[a]: 1", "line 1, column 1: a map or a list is not supported as a key"},
      {"wrong tag", "!!int x", "line 1, column 1: cannot decode !!str `x` as a !!int"},
      {"alias of itself", "a: &a\n- *a", "line 2, column 3: anchor's value contains itself"},
      {"no anchor", "a:\n- *b", "line 2, column 3: unknown anchor referenced"},
      {"merge of text", "<<: a",
       "line 1, column 5: map merge requires map or sequence of maps as the value"},
      {"control character", "a: 1\nb: \x01",
       "line 2, column 4: control characters are not allowed"},
      {"not UTF-8", "\xC3(", "line 1, column 1: text is not UTF-8"},
      {"UTF-16",
       "\xFF\xFE"
       "a",
       "line 1, column 1: text is UTF-16, not UTF-8"},
      {"no colon", "a: 1\nb", "line 2, column 1: could not find expected ':'"},
      {"no closing quote", "a: 'b\n", "line 1, column 4: found unexpected end of stream"},
      {"text after the document", "\"a\" b",
       "line 1, column 5: did not find expected document start"},
      {"tab as indentation", "a:\n\tb: 1",
       "line 2, column 1: found character that cannot start any token"},
      {"other version", "%YAML 1.2\n---\na", "line 1, column 1: found incompatible YAML document"},
      {"empty item", "[a,,b]", "line 1, column 4: did not find expected node content"},
      {"depth", std::string(401, '[') + std::string(401, ']'),
       "line 1, column 401: nested too deep"},
      {"two colons", "a: b: c", "line 1, column 5: mapping values are not allowed in this context"},
  };
  for (const auto& test : cases) {
    SCOPED_TRACE(test.name);
    EXPECT_EQ(YamlToJson(test.yaml).status(),
              absl::InvalidArgumentError(absl::StrCat("convert YAML to JSON: ", test.message)));
  }
}

TEST(YamlToJsonTest, StrictRefusesKeysTwice) {
  const absl::Status status = YamlToJson("a: 1\nb: {c: 1, c: 2}", {.strict = true}).status();
  EXPECT_EQ(status.message(),
            "convert YAML to JSON: line 2, column 11: key \"c\" already set in map");
  EXPECT_FALSE(YamlToJson("x: &x {a: 1}\ny: {<<: *x, a: 2}", {.strict = true}).ok());
  EXPECT_TRUE(YamlToJson("a: {b: 1}\nb: {b: 1}", {.strict = true}).ok());
}

TEST(YamlToJsonTest, BoundsAliases) {
  // Each line contains the previous line nine times.
  std::string nodes = "a0: &a0 [x,x,x,x,x,x,x,x,x]\n";
  for (int i = 1; i < 10; ++i) {
    absl::StrAppend(&nodes, "a", i, ": &a", i, " [");
    for (int k = 0; k < 9; ++k) absl::StrAppend(&nodes, "*a", i - 1, " ,");
    absl::StrAppend(&nodes, "]\n");
  }
  EXPECT_FALSE(YamlToJson(nodes).ok());
  // Only a few nodes, but long ones.
  std::string bytes = absl::StrCat("a: &a ", std::string(1 << 20, 'x'), "\nb:\n");
  for (int i = 0; i < 70; ++i) bytes += "- *a\n";
  EXPECT_FALSE(YamlToJson(bytes).ok());
}

TEST(YamlToJsonTest, FindsPositions) {
  const absl::StatusOr<JsonFromYaml> json =
      YamlToJson("spec:\n  ports:\n  - 80\n  name: &n web\nkind: *n\n", {.first_line = 10});
  ASSERT_TRUE(json.ok()) << json.status();
  ASSERT_EQ(json->json, R"({"kind":"web","spec":{"name":"web","ports":[80]}})");
  const struct {
    const char* name;
    size_t offset;
    YamlPosition want;
  } cases[] = {
      {"start", 0, {10, 1}},
      {"key", 1, {14, 1}},
      {"within a key", 4, {14, 1}},
      {"alias", 8, {13, 9}},
      {"map", 21, {11, 3}},
      {"inner key", 22, {13, 3}},
      {"item", 44, {12, 5}},
      {"within an item", 45, {12, 5}},
      {"beyond the end", 999, {12, 5}},
  };
  for (const auto& test : cases) {
    SCOPED_TRACE(test.name);
    EXPECT_EQ(json->positions.Find(test.offset).line, test.want.line);
    EXPECT_EQ(json->positions.Find(test.offset).column, test.want.column);
  }
  EXPECT_EQ(YamlPositions().Find(3).line, 1);
}

TEST(YamlToJsonTest, ErrorsCountFromTheFirstLine) {
  for (const char* yaml : {"a: \x01", "a: b: c", "a: .inf"}) {
    const absl::Status status = YamlToJson(yaml, {.first_line = 7}).status();
    EXPECT_NE(std::string(status.message()).find("line 7, "), std::string::npos) << status;
  }
}

TEST(LooksLikeJsonTest, WantsABrace) {
  EXPECT_TRUE(LooksLikeJson(" \n\xC2\xA0{"));
  EXPECT_FALSE(LooksLikeJson("a: {}"));
  EXPECT_FALSE(LooksLikeJson(" [{"));
  EXPECT_FALSE(LooksLikeJson(" "));
}

TEST(YamlToJsonTest, FindsThePlaceInTheYaml_AsInTheHeader) {
  absl::StatusOr<JsonFromYaml> pod = YamlToJson("kind: Pod\n", {.strict = true});
  ASSERT_TRUE(pod.ok()) << pod.status();
  // pod->json is {"kind":"Pod"}; a decoder of it fails at byte 8:
  YamlPosition where = pod->positions.Find(8);  // line 1, column 7
  EXPECT_EQ(pod->json, R"({"kind":"Pod"})");
  EXPECT_EQ(where.line, 1);
  EXPECT_EQ(where.column, 7);
}

}  // namespace
}  // namespace kube::codec

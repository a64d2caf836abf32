#include "apimachinery/codec/json/json_decoder.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/codec/testing/decoded_object.h"
#include "tests/kitchen_sink/cases.h"
#include "tests/kitchen_sink/kitchen_messages.h"
#include "tests/kitchen_sink/kitchen_oracle.h"
#include "tests/oracle/oracle.h"

// This test is built twice: with vector instructions, and with portable loops.

namespace kube::codec::internal {
namespace {

using oracle::KitchenCase;
using oracle::KitchenOracle;

// The type's name in tests/kitchen_sink.
class KitchenObject : public DecodedObject {
 public:
  explicit KitchenObject(absl::string_view type) : DecodedObject(oracle::KitchenMessage(type)) {}
};

std::string Recode(absl::string_view type, const std::vector<std::string>& texts) {
  return internal::Recode(oracle::KitchenMessage(type), texts);
}

bool IsError(absl::string_view json) { return absl::StartsWith(json, "error: "); }

TEST(JsonDecoderTest, EveryKitchenCase) {
  for (const KitchenCase& c : oracle::KitchenCases()) {
    const std::string got = Recode(c.type, {std::string(c.json)});
    if (c.want.empty()) {
      EXPECT_TRUE(IsError(got)) << c.name << ": " << got;
    } else {
      EXPECT_EQ(got, std::string(c.want)) << c.name;
    }
  }
}

// ---- Existing values

struct MergeCase {
  const char* name;
  const char* type;
  std::vector<std::string> texts;
};

// Go is asked about each.
std::vector<MergeCase> MergeCases() {
  return {
      {"a value is replaced", "Plain", {R"({"text":"a","small":1})", R"({"text":"b"})"}},
      {"a long text by a short one",
       "Plain",
       {R"({"text":"longer than any inline text"})", R"({"text":"b"})"}},
      {"null leaves a text", "Plain", {R"({"text":"a"})", R"({"text":null})"}},
      {"null leaves numbers",
       "Plain",
       {R"({"flag":true,"small":1,"big":2,"real":3})",
        R"({"flag":null,"small":null,"big":null,"real":null})"}},
      {"null removes bytes", "Never", {R"({"data":"YQ=="})", R"({"data":null})"}},
      {"empty bytes", "Never", {R"({"data":"YQ=="})", R"({"data":""})"}},
      {"null makes times zero",
       "Never",
       {R"({"time":"2020-01-01T00:00:00Z","microTime":"2020-01-01T00:00:00.000001Z"})",
        R"({"time":null,"microTime":null})"}},
      {"a duration has no null", "Plain", {R"({"duration":"1s"})", R"({"duration":null})"}},
      {"null for an integer or text", "Never", {R"({"intOrString":5})", R"({"intOrString":null})"}},
      {"null for a text or integer",
       "Never",
       {R"({"intOrString":"5"})", R"({"intOrString":null})"}},
      {"an integer after a text", "Never", {R"({"intOrString":"a"})", R"({"intOrString":7})"}},
      {"null leaves raw values",
       "Never",
       {R"({"rawExtension":{"a":1},"fieldsV1":{"b":1},"rawJson":[1]})",
        R"({"rawExtension":null,"fieldsV1":null,"rawJson":null})"}},
      {"null leaves a struct", "Plain", {R"({"point":{"x":1}})", R"({"point":null})"}},
      {"null removes a list type", "Never", {R"({"verbs":["a"]})", R"({"verbs":null})"}},
      {"null removes pointers",
       "OptionalNever",
       {R"({"text":"a","flag":true,"small":1,"big":2,"real":3,"time":"2020-01-01T00:00:00Z",)"
        R"("microTime":"2020-01-01T00:00:00.000001Z","duration":"1s","quantity":"1",)"
        R"("intOrString":1,"rawExtension":{},"fieldsV1":{},"rawJson":1,"point":{"x":1}})",
        R"({"text":null,"flag":null,"small":null,"big":null,"real":null,"time":null,)"
        R"("microTime":null,"duration":null,"quantity":null,)"
        R"("intOrString":null,"rawExtension":null,"fieldsV1":null,"rawJson":null,"point":null})"}},
      {"a pointer after null is new",
       "Optional",
       {R"({"rawExtension":{"a":1},"point":{"x":1,"y":2}})",
        R"({"rawExtension":null,"point":null})", R"({"rawExtension":{},"point":{"y":3}})"}},
      {"pointers are kept",
       "Optional",
       {R"({"point":{"x":1,"y":2},"intOrString":"a"})", R"({"point":{"y":3},"intOrString":null})"}},
      {"structs merge",
       "Structs",
       {R"({"value":{"x":1,"y":2},"box":{"label":"l","x":1},"deep":{"two":{"before":1}}})",
        R"({"value":{"y":3},"box":{"x":2},"deep":{"two":{"three":{"texts":["a"]}},"after":2}})"}},
      {"inline structs merge",
       "Probe",
       {R"({"exec":{"command":["a"]},"periodSeconds":1})", R"({"httpGet":{"port":1}})"}},
      {"lists overlay by index",
       "Lists",
       {R"({"points":[{"x":1,"y":1},{"x":2,"y":2},{"x":3,"y":3}],"texts":["a","b","c"]})",
        R"({"points":[{"x":9},{}],"texts":["z"]})"}},
      {"a list grows",
       "Lists",
       {R"({"points":[{"x":1,"y":1}],"texts":["a"]})",
        R"({"points":[{"x":9},{"y":8},{"y":7},{"y":6},{"y":5}],"texts":["x","y","z","w","v"]})"}},
      {"null elements overlay",
       "Lists",
       {R"({"points":[{"x":1,"y":1}],"texts":["a","b"]})",
        R"({"points":[null,null],"texts":[null,"c",null],"quantities":[null]})"}},
      {"a list becomes empty", "ListsNever", {R"({"texts":["a"]})", R"({"texts":[]})"}},
      {"a list becomes null", "ListsNever", {R"({"texts":["a"]})", R"({"texts":null})"}},
      {"a list after empty is new",
       "Lists",
       {R"({"points":[{"x":1}]})", R"({"points":[]})", R"({"points":[{"y":1}]})"}},
      {"maps are kept, values replaced",
       "Maps",
       {R"({"texts":{"a":"1","c":"3"},"points":{"p":{"x":1,"y":1}}})",
        R"({"texts":{"b":"2","a":"9"},"points":{"p":{"y":2},"o":null}})"}},
      {"a map becomes empty, and is not",
       "MapsNever",
       {R"({"texts":{"a":"1"}})", R"({"texts":{}})"}},
      {"a map becomes null", "MapsNever", {R"({"texts":{"a":"1"}})", R"({"texts":null})"}},
      {"null values of a map",
       "Maps",
       {R"({"texts":{"a":null},"points":{"a":null},"quantities":{"q":null}})"}},
      {"null of a map for what is there",
       "Maps",
       {R"({"texts":{"a":"1"},"points":{"a":{"x":1}}})",
        R"({"texts":{"a":null},"points":{"a":null}})"}},
      {"a field twice", "Plain", {R"({"text":"a","text":"b","point":{"x":1},"point":{"y":2}})"}},
      {"a list twice in one text",
       "Lists",
       {R"({"points":[{"x":1,"y":1},{"x":2}],"points":[{"x":3}]})"}},
      {"a map twice in one text", "Maps", {R"({"texts":{"a":"1","a":"2"},"texts":{"b":"3"}})"}},
      {"keys in no order",
       "Maps",
       {R"({"texts":{"m":"1","b":"2","z":"3","a":"4","n":"5","":"6","aa":"7","m":"8"}})"}},
      {"forms are replaced",
       "Schema",
       {R"({"items":{"type":"a","id":"i"},"additionalProperties":{"id":"p"},)"
        R"("additionalItems":{"id":"q"}})",
        R"({"items":{"type":"b"},"additionalProperties":true,"additionalItems":false})"}},
      {"forms of arrays",
       "Schema",
       {R"({"items":{"type":"a"},"dependencies":{"d":{"id":"x"}}})",
        R"({"items":[{"type":"b"},{"id":"c"}],"dependencies":{"d":["p","q"],"e":null}})"}},
      {"forms of nothing",
       "Schema",
       {R"({"items":{"type":"a"},"dependencies":{"d":["p"]}})",
        R"({"items":"text","dependencies":{"d":17}})"}},
      {"null for a pointer to a form",
       "Schema",
       {R"({"items":{"type":"a"},"additionalProperties":true})",
        R"({"items":null,"additionalProperties":null})"}},
      {"null for a form by value", "Schema", {R"({"additionalItems":null})"}},
      {"names in a form", "Schema", {R"({"additionalItems":{"Type":"a","TYPE":"b","type":"c"}})"}},
      {"a null document", "Plain", {R"({"text":"a"})", "null"}},
  };
}

TEST(JsonDecoderTest, MergesAsGo) {
  const std::vector<MergeCase> cases = MergeCases();
  KitchenOracle go;
  std::vector<std::vector<std::string>> texts;
  for (const MergeCase& c : cases) {
    // Go decodes two objects; what the third changes, it also changes after the first.
    std::vector<std::string> two = c.texts;
    while (two.size() < 2) two.insert(two.begin(), "{}");
    if (two.size() > 2) two.erase(two.begin());
    go.Ask("json_into_json", c.type, two);
    texts.push_back(two);
  }
  const absl::Status ran = go.Run();
  if (oracle::PrintSkipped(ran)) GTEST_SKIP();
  ASSERT_TRUE(ran.ok()) << ran;
  for (size_t i = 0; i < cases.size(); ++i) {
    const std::string got = Recode(cases[i].type, texts[i]);
    if (go[i].ok()) {
      EXPECT_EQ(got, go.Output(i)) << cases[i].name;
    } else {
      EXPECT_TRUE(IsError(got)) << cases[i].name << ": " << got << ", want " << go.Output(i);
    }
  }
}

// The elements that a shorter list cut off are lost. In Go they reappear.
TEST(JsonDecoderTest, ElementsThatWereCutOffAreGone) {
  EXPECT_EQ(Recode("Lists", {R"({"points":[{"x":1},{"x":2}]})", R"({"points":[{}]})",
                             R"({"points":[{},{}]})"}),
            R"({"points":[{"x":1},{}]})");
}

// In Go the value is reset, but the text is not.
TEST(JsonDecoderTest, NullMakesQuantitiesZero) {
  EXPECT_EQ(Recode("Lists", {R"({"quantities":["1Gi"]})", R"({"quantities":[null]})"}),
            R"({"quantities":["0"]})");
}

// ---- Names

TEST(JsonDecoderTest, NamesOfLengthsAroundWords) {
  const std::vector<std::string> names = {"termination",
                                          "terminationMessage",
                                          "terminationMessagePath",
                                          "terminationMessagePolicy",
                                          "terminationMessagePolity",
                                          "eightLet",
                                          "eightLeu",
                                          "eightLetters",
                                          "sixteenLettersOk",
                                          "sixteenLettersOh",
                                          "sixteenLettersOks",
                                          "a",
                                          "aa",
                                          "ab",
                                          "ba",
                                          "requiredDuringSchedulingIgnoredDuringExecution",
                                          "preferredDuringSchedulingIgnoredDuringExecution"};
  for (const std::string& name : names) {
    const std::string member = absl::StrCat("\"", name, "\":\"v\"");
    const std::string want = absl::StrCat("{", member, "}");
    EXPECT_EQ(Recode("LongNames", {want}), want);
    // After others, so that the search wraps around.
    EXPECT_EQ(Recode("LongNames", {absl::StrCat(R"({"ba":null,"a":null,)", member, "}")}), want);
    // Each of its letters as an escape.
    for (size_t i = 0; i < name.size(); ++i) {
      const std::string escaped = absl::StrCat("{\"", name.substr(0, i), "\\u00",
                                               absl::Hex(name[i]), name.substr(i + 1), "\":\"v\"}");
      EXPECT_EQ(Recode("LongNames", {escaped}), want) << escaped;
    }
    // Unknown names that are similar.
    for (const std::string& unknown :
         {absl::StrCat(name, "x"), absl::StrCat("x", name), absl::StrCat(name, "\\u0000"),
          absl::StrCat("\\u0000", name), absl::StrCat(name, "\\\""), absl::StrCat("\\\"", name),
          absl::StrCat(name, "\\\\"), absl::StrCat(" ", name), absl::StrCat(name, " ")}) {
      EXPECT_EQ(Recode("LongNames", {absl::StrCat("{\"", unknown, "\":\"v\"}")}), "{}") << unknown;
    }
    for (size_t i = 0; i < name.size(); ++i) {
      std::string other = name;
      other[i] = static_cast<char>(other[i] ^ 0x20);
      EXPECT_EQ(Recode("LongNames", {absl::StrCat("{\"", other, "\":\"v\"}")}), "{}") << other;
    }
  }
}

// ---- Limits

std::string Repeat(absl::string_view text, size_t times) {
  std::string result;
  for (size_t i = 0; i < times; ++i) absl::StrAppend(&result, text);
  return result;
}

std::string Nested(size_t depth) {
  return Repeat(R"({"not":)", depth - 1) + "{}" + Repeat("}", depth - 1);
}

TEST(JsonDecoderTest, DepthOfStructs) {
  EXPECT_FALSE(IsError(Recode("Schema", {Nested(1000)})));
  EXPECT_TRUE(IsError(Recode("Schema", {Nested(1001)})));
  KitchenObject object("Schema");
  EXPECT_TRUE(object.Decode(Nested(3), {.max_depth = 3}).ok());
  EXPECT_FALSE(object.Decode(Nested(4), {.max_depth = 3}).ok());
  // Structs with a special JSON form do not count as a level.
  EXPECT_TRUE(object.Decode(R"({"items":[{"not":{}}]})", {.max_depth = 3}).ok());
  EXPECT_FALSE(object.Decode(R"({"items":[{"not":{"not":{}}}]})", {.max_depth = 3}).ok());
}

// Raw JSON may have Go's ten thousand levels, including the levels around it.
TEST(JsonDecoderTest, DepthOfUnknownValues) {
  struct Row {
    const char* name;
    const char* before;
    const char* after;
    size_t levels;
  };
  const Row rows[] = {
      {"unknown", R"({"x":)", "}", 1},
      {"raw", R"({"rawJson":)", "}", 1},
      {"in a box", R"({"point":{"x":1,"z":)", "}}", 2},
  };
  for (const Row& row : rows) {
    const auto text = [&](const char* open, const char* close, size_t depth) {
      return absl::StrCat(row.before, Repeat(open, depth - row.levels), "1",
                          Repeat(close, depth - row.levels), row.after);
    };
    EXPECT_FALSE(IsError(Recode("Plain", {text("[", "]", 10000)}))) << row.name;
    EXPECT_TRUE(IsError(Recode("Plain", {text("[", "]", 10001)}))) << row.name;
    EXPECT_FALSE(IsError(Recode("Plain", {text(R"({"a":)", "}", 10000)}))) << row.name;
    EXPECT_TRUE(IsError(Recode("Plain", {text(R"({"a":)", "}", 10001)}))) << row.name;
  }
  const auto in_list_and_map = [&](size_t depth) {
    return absl::StrCat(R"({"allOf":[{"properties":{"p":{"default":)", Repeat("[", depth - 5),
                        Repeat("]", depth - 5), "}}}]}");
  };
  EXPECT_FALSE(IsError(Recode("Schema", {in_list_and_map(10000)})));
  EXPECT_TRUE(IsError(Recode("Schema", {in_list_and_map(10001)})));
}

// ---- Texts that end too early, and places in them

// A document with every kind of value.
std::vector<std::pair<std::string, std::string>> Documents() {
  std::vector<std::pair<std::string, std::string>> documents;
  for (const KitchenCase& c : oracle::KitchenCases()) {
    if (!c.want.empty() && c.json.size() < 600 && c.json.size() > 40) {
      documents.emplace_back(c.type, c.json);
    }
  }
  documents.emplace_back(
      "Never",
      R"({"text":"a\u00e9\\","flag":true,"small":-12,"big":34,"real":1.5e-3,"data":"YWI=",)"
      R"("time":"2020-01-01T00:00:00Z","microTime":"2020-01-01T00:00:00.000001Z",)"
      R"("duration":"1h","quantity":12.5,"intOrString":"50%","rawExtension":{"a":[1,false]},)"
      R"("fieldsV1":{"f:a":{}},"rawJson":[null,true,"x"],"point":{"x":1},"verbs":["get","put"],)"
      R"("unknown":{"a":[{"b":"c\n"}],"d":null,"e":-1.5E+7}})");
  return documents;
}

TEST(JsonDecoderTest, TextsThatEndTooEarlySaySo) {
  for (const auto& [type, json] : Documents()) {
    const size_t size = absl::string_view(json).find_last_of('}');
    for (size_t end = 0; end < size; ++end) {
      const std::string text = json.substr(0, end);
      const std::string got = Recode(type, {text});
      ASSERT_TRUE(IsError(got)) << text;
      EXPECT_TRUE(absl::StrContains(got, ": unexpected end of input (line ")) << text << got;
    }
  }
}

TEST(JsonDecoderTest, SpaceIsAllowedBetweenAllTokens) {
  for (const auto& [type, json] : Documents()) {
    std::string spaced;
    bool in_string = false;
    for (size_t i = 0; i < json.size(); ++i) {
      const bool token = absl::StrContains("{}[]:,", absl::string_view(&json[i], 1));
      if (token && !in_string) absl::StrAppend(&spaced, " \t");
      spaced += json[i];
      if (token && !in_string) absl::StrAppend(&spaced, "\r\n ");
      if (json[i] == '\\') {
        spaced += json[++i];
      } else if (json[i] == '"') {
        in_string = !in_string;
      }
    }
    EXPECT_EQ(Recode(type, {spaced}), Recode(type, {json})) << spaced;
  }
}

// Replaces each byte in turn; Go judges all of the texts.
TEST(JsonDecoderTest, ChangedBytesAsGo) {
  KitchenOracle go;
  std::vector<std::pair<std::string, std::string>> texts;
  const std::vector<std::pair<std::string, std::string>> documents = Documents();
  const auto& [type, json] = documents.back();
  for (size_t i = 0; i < json.size(); ++i) {
    for (const char c : {'\xff', '\xc3', '\x80', '"', '\\', '{', '}', '[', ']', ',', ':', '0', '-',
                         '.', 'e', 'n', '\n', '\0', ' '}) {
      std::string text = json;
      text[i] = c;
      go.Ask("json_to_json", type, {text});
      texts.emplace_back(type, text);
    }
  }
  const absl::Status ran = go.Run();
  if (oracle::PrintSkipped(ran)) GTEST_SKIP();
  ASSERT_TRUE(ran.ok()) << ran;
  for (size_t i = 0; i < texts.size(); ++i) {
    const std::string got = Recode(texts[i].first, {texts[i].second});
    if (go[i].ok()) {
      EXPECT_EQ(got, go.Output(i)) << texts[i].second;
    } else {
      EXPECT_TRUE(IsError(got)) << texts[i].second << "\n" << go.Output(i);
    }
  }
}

// An invalid string anywhere in the text makes the decoder check all strings.
TEST(JsonDecoderTest, InvalidUtf8BecomesReplacementCharacters) {
  EXPECT_EQ(Recode("EmptyOrZero", {"{\"unknown\":\"\xff\",\"text\":\"\xc3\xa9\"}"}),
            "{\"text\":\"\xc3\xa9\"}");
  EXPECT_EQ(Recode("EmptyOrZero", {"{\"te\xffxt\":\"a\"}"}), "{}");
  EXPECT_EQ(Recode("Maps", {"{\"texts\":{\"\xff\":\"\xfe\xfd\",\"b\":\"\"}}"}),
            "{\"texts\":{\"b\":\"\",\"\ufffd\":\"\ufffd\ufffd\"}}");
}

}  // namespace
}  // namespace kube::codec::internal

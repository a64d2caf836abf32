#include "apimachinery/codec/decode_json.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/codec/stream/padded_buffer.h"
#include "apimachinery/codec/testing/decoded_object.h"
#include "tests/kitchen_sink/kitchen_messages.h"
#include "tests/kitchen_sink/kitchen_oracle.h"
#include "tests/kitchen_sink/sink.kube.h"
#include "tests/oracle/oracle.h"

namespace kube::codec {
namespace {

using ::kube::kitchen::sink::v1::EmptyOrZero;
using ::kube::kitchen::sink::v1::Lists;
using oracle::KitchenOracle;

// The type's name in tests/kitchen_sink.
class KitchenObject : public internal::DecodedObject {
 public:
  explicit KitchenObject(absl::string_view type) : DecodedObject(oracle::KitchenMessage(type)) {}
};

TEST(DecodeJsonTest, ReadsAnObject) {
  const absl::StatusOr<EmptyOrZero> object = DecodeJson<EmptyOrZero>(R"({"text":"a","small":5})");
  ASSERT_TRUE(object.ok()) << object.status();
  EXPECT_EQ(object->text, "a");
  EXPECT_EQ(object->small, 5);
}

TEST(DecodeJsonTest, ReadsFromABuffer) {
  PaddedBuffer buffer;
  buffer.Append(R"({"texts":["a text that is l)");
  buffer.Append(R"(onger than fifteen bytes"]})");
  absl::StatusOr<Lists> object = DecodeJson<Lists>(buffer);
  buffer.Clear();
  buffer.Append(std::string(60, 'x'));
  ASSERT_TRUE(object.ok()) << object.status();
  ASSERT_EQ(object->texts.size(), 1u);
  EXPECT_EQ(object->texts[0], "a text that is longer than fifteen bytes");
}

// ---- Errors

struct ErrorCase {
  absl::string_view type;
  absl::string_view json;
  absl::string_view message;  // without "decode TYPE: "
};

constexpr ErrorCase kErrorCases[] = {
    // Wrong types.
    {"Never", R"({"text":1})", "text: expected a string (line 1, column 9)"},
    {"Never", R"({"flag":1})", "flag: expected true or false (line 1, column 9)"},
    {"Never", R"({"small":"1"})", "small: expected an integer (line 1, column 10)"},
    {"Never", R"({"small":1.0})", "small: expected an integer (line 1, column 10)"},
    {"Never", R"({"small":2147483648})",
     "small: integer is out of range of 32 bits (line 1, column 10)"},
    {"Never", R"({"big":9223372036854775808})",
     "big: integer is out of range of 64 bits (line 1, column 8)"},
    {"Never", R"({"big":01})", "big: leading zeros are not allowed (line 1, column 8)"},
    {"Never", R"({"real":1e400})", "real: number is out of range (line 1, column 9)"},
    {"Never", R"({"real":true})", "real: expected a number (line 1, column 9)"},
    {"Never", R"({"real":1.})", "real: expected digits after the decimal point (line 1, column 9)"},
    {"Never", R"({"data":"*"})", "data: expected a base64 string (line 1, column 9)"},
    {"Never", R"({"data":[256]})", "data: expected a byte (line 1, column 9)"},
    {"Never", R"({"time":"noon"})", "time: expected a time in RFC 3339 format (line 1, column 9)"},
    {"Never", R"({"microTime":"noon"})",
     "microTime: expected a time in RFC 3339 format, with microseconds (line 1, column 14)"},
    {"Never", R"({"duration":"1"})",
     "duration: expected a duration such as 1h30m (line 1, column 13)"},
    {"Never", R"({"quantity":"1X"})", "quantity: expected a quantity (line 1, column 13)"},
    {"Never", R"({"intOrString":true})",
     "intOrString: expected an integer or a string (line 1, column 16)"},
    {"Never", R"({"rawJson":x})", "rawJson: expected a value (line 1, column 12)"},
    {"Never", R"({"point":[]})", "point: expected an object (line 1, column 10)"},
    {"Never", R"({"verbs":"get"})", "verbs: expected an array (line 1, column 10)"},
    {"Never", R"({"verbs":["get",2]})", "verbs[1]: expected a string (line 1, column 17)"},
    {"Schema", R"({"additionalItems":1})",
     "additionalItems: expected a boolean or an object (line 1, column 20)"},
    // Places.
    {"Never", "{\n  \"point\": {\n    \"x\": \"1\"\n  }\n}",
     "point.x: expected an integer (line 3, column 10)"},
    {"Never", "\n\n\n  {\"text\":\n1}", "text: expected a string (line 5, column 1)"},
    {"Lists", R"({"points":[{"x":1},{"y":2,"x":{}}]})",
     "points[1].x: expected an integer (line 1, column 31)"},
    {"Maps", R"({"points":{"a":{},"b.c":{"x":[]}}})",
     "points.b.c.x: expected an integer (line 1, column 30)"},
    {"Maps", R"({"points":{"a":{},"b":{} "c":{}}})",
     "points: expected ',' or '}' after a value (line 1, column 26)"},
    {"Maps", R"({"texts":{"a":"1","b" "c"}})",
     "texts: expected ':' after a name (line 1, column 23)"},
    {"Schema", R"({"items":[{},{"type":1}]})",
     "items[1].type: expected a string (line 1, column 22)"},
    {"Schema", R"({"items":{"type":1}})", "items.type: expected a string (line 1, column 18)"},
    {"Schema", R"({"dependencies":{"a":["b",1]}})",
     "dependencies.a[1]: expected a string (line 1, column 27)"},
    // Syntax.
    {"Never", "[]", "expected an object (line 1, column 1)"},
    {"Never", "{}}", "unexpected data after the object (line 1, column 3)"},
    {"Never", "{} {}", "unexpected data after the object (line 1, column 4)"},
    {"Never", "{}-", "unexpected data after the object (line 1, column 3)"},
    {"Never", "\xef\xbb\xbf{}", "expected an object (line 1, column 1)"},
    {"Never", R"({text:1})", "expected a field name in quotes (line 1, column 2)"},
    {"Never", R"({"text":"a",})", "expected a field name in quotes (line 1, column 13)"},
    {"Never", R"({"text" 1})", "expected ':' after a name (line 1, column 9)"},
    {"Never", R"({"text":"a" "b":1})", "expected ',' or '}' after a field (line 1, column 13)"},
    {"Never", "{\"text\":\"a\nb\"}", "text: control character in a string (line 1, column 11)"},
    {"Never", R"({"text":"a\q"})", "text: unknown escape in a string (line 1, column 9)"},
    {"Never", R"({"text":"\u12"})",
     "text: expected four hexadecimal digits after \\u (line 1, column 9)"},
    {"Never", R"({"text":nil})", "text: expected a value (line 1, column 9)"},
    {"Lists", R"({"texts":["a" "b"]})",
     "texts[0]: expected ',' or ']' after an element (line 1, column 15)"},
    {"Maps", R"({"texts":{a:1}})", "texts: expected a key in quotes (line 1, column 11)"},
    {"Never", R"({"x":[1,}]})", "expected a value (line 1, column 9)"},
    // Texts that end.
    {"Never", "", "unexpected end of input (line 1, column 1)"},
    {"Never", "\n", "unexpected end of input (line 2, column 1)"},
    {"Never", R"({"text":"a)", "unexpected end of input (line 1, column 11)"},
    {"Never", R"({"flag":tr)", "flag: unexpected end of input (line 1, column 11)"},
    {"Never", R"({"real":1.)", "real: unexpected end of input (line 1, column 11)"},
    {"Never", R"({"point":{"x":1)", "point: unexpected end of input (line 1, column 16)"},
    {"Never", R"({"x":{"y":[1,)", "unexpected end of input (line 1, column 14)"},
    // Keys may contain any bytes.
    {"Maps", R"({"texts":{"a\nb":1}})", R"(texts.a\nb: expected a string (line 1, column 18))"},
};

TEST(DecodeJsonTest, ErrorsSayWhereAndWhat) {
  for (const ErrorCase& c : kErrorCases) {
    const absl::Status status = KitchenObject(c.type).Decode(c.json);
    EXPECT_EQ(status, absl::InvalidArgumentError(absl::StrCat("decode ", c.type, ": ", c.message)))
        << c.json;
  }
}

TEST(DecodeJsonTest, ErrorsOfLongKeysAreShort) {
  const absl::Status status = KitchenObject("Maps").Decode(
      absl::StrCat(R"({"texts":{")", std::string(100000, 'k'), R"(":1}})"));
  EXPECT_LT(status.message().size(), 400u);
  EXPECT_TRUE(absl::StrContains(status.message(), "kkk...: expected a string")) << status;
}

// The message of an error never contains a value.
TEST(DecodeJsonTest, ErrorsDoNotQuoteValues) {
  const std::string json =
      R"({"text":"hunter2","data":"aHVudGVyMg==","time":"hunter2","quantity":"hunter2",)"
      R"("rawJson":"hunter2","unknown":["hunter2"],"intOrString":"hunter2"})";
  for (size_t i = 0; i < json.size(); ++i) {
    for (const char c : {'\n', '"', '\\', 'x', '1', '{'}) {
      std::string broken = json;
      broken[i] = c;
      const absl::Status status = KitchenObject("Never").Decode(broken);
      EXPECT_FALSE(absl::StrContains(status.message(), "unter")) << status;
      EXPECT_FALSE(absl::StrContains(status.message(), "HVud")) << status;
    }
  }
}

// ---- Strict mode

struct StrictCase {
  const char* name;
  const char* type;
  std::string json;
};

std::string ManyUnknownFields() {
  std::string json = "{";
  for (int i = 0; i < 150; ++i) absl::StrAppend(&json, i > 0 ? "," : "", "\"u", i, "\":1");
  return json + "}";
}

std::vector<StrictCase> StrictCases() {
  return {
      {"nothing", "Never", R"({"text":"a"})"},
      {"an unknown field", "Never", R"({"text":"a","foo":1})"},
      {"unknown fields in order", "Never", R"({"b":1,"a":2,"text":"t","c":3})"},
      {"an unknown field twice", "Never", R"({"foo":1,"foo":2})"},
      {"the wrong case", "Never", R"({"Text":"a","TEXT":"b"})"},
      {"an unknown field's members", "Never", R"({"foo":{"bar":1,"bar":2}})"},
      {"a duplicate", "Never", R"({"text":"a","text":"b"})"},
      {"three times", "Never", R"({"text":"a","text":"b","text":"c"})"},
      {"a duplicate by an escape", "Never", R"({"text":"a","te\u0078t":"b"})"},
      {"a duplicate null", "Never", R"({"text":"a","text":null})"},
      {"in a struct", "Never", R"({"point":{"z":1,"x":1,"x":2}})"},
      {"in a struct twice", "Never", R"({"point":{"z":1},"point":{"z":1}})"},
      {"in a list", "Lists", R"({"points":[{"x":1},{"z":1},{"x":1,"x":2}]})"},
      {"in a map", "Maps", R"({"points":{"a":{"z":1},"b.c":{"x":1,"x":2}}})"},
      {"keys of a map", "Maps", R"({"texts":{"a":"1","b":"2","a":"3","c":"4","b":"5","a":"6"}})"},
      {"keys after others", "Maps", R"({"points":{"a":{},"b":{},"a":{}}})"},
      {"keys of a map that comes twice", "Maps", R"({"texts":{"a":"1"},"texts":{"a":"2"}})"},
      {"keys that are escaped", "Maps", R"({"texts":{"a\n\"":"1","a\u000a\"":"2"}})"},
      {"keys of invalid UTF-8", "Maps", "{\"texts\":{\"\xff\":\"1\",\"\xfe\":\"2\"}}"},
      {"empty keys", "Maps", R"({"texts":{"":"1","":"2"},"points":{"":{"z":1}}})"},
      {"unknown names to quote", "Never", R"({"a\"b":1,"\u00e9\u2028\u0007":2,"":3})"},
      {"unknown names of invalid UTF-8", "Never", "{\"a\xff\":1}"},
      {"the same at several places", "Lists", R"({"points":[{"z":1},{"z":1},{"z":1,"z":2}]})"},
      {"inside of raw values", "Never",
       R"({"rawExtension":{"a":1,"a":2},"rawJson":{"b":1,"b":1}})"},
      {"inside of forms", "Schema",
       R"({"additionalItems":{"foo":1,"type":"a","type":"b"},"items":[{"foo":1}],)"
       R"("dependencies":{"a":{"foo":1},"a":["x"]},"not":{"foo":1}})"},
      {"after forms", "Schema", R"({"items":{"foo":1},"bar":2,"not":{"items":{"a":1},"baz":3}})"},
      {"inline structs", "Probe", R"({"exec":{"foo":1},"exec":{},"handler":{},"periodSeconds":1})"},
      {"a field that is not in JSON", "OneFormat",
       R"({"onlyWire":"a","only_wire":"b","both":"c"})"},
      {"more than 64 fields", "Wide", R"({"f70":"a","f01":"b","f70":"c","f65":"d","f01":"e"})"},
      {"metadata", "Sink",
       R"({"apiVersion":"v1","kind":"Sink","kind":"Sink","metadata":{"labels":{"a":"1","a":"2"},)"
       R"("foo":1,"managedFields":[{"foo":2}]},"spec":{"plain":{"foo":3}}})"},
      {"more than a hundred", "Never", ManyUnknownFields()},
      {"nothing of what is null", "Never", "null"},
  };
}

// behaviour.md: COD-14
TEST(DecodeJsonStrictTest, ReportsAsGo) {
  const std::vector<StrictCase> cases = StrictCases();
  KitchenOracle go;
  for (const StrictCase& c : cases) go.Ask("strict_json", c.type, {c.json});
  const absl::Status ran = go.Run();
  if (oracle::PrintSkipped(ran)) GTEST_SKIP();
  ASSERT_TRUE(ran.ok()) << ran;
  for (size_t i = 0; i < cases.size(); ++i) {
    ASSERT_TRUE(go[i].ok()) << cases[i].name << ": " << go[i].status();
    KitchenObject object(cases[i].type);
    std::vector<std::string> got;
    const absl::Status status = object.Decode(cases[i].json, {}, &got);
    EXPECT_TRUE(status.ok()) << cases[i].name << ": " << status;
    got.insert(got.begin(), object.Json());
    EXPECT_EQ(got, *go[i]) << cases[i].name;

    // As an error: one message with all of them.
    const absl::Status strict =
        KitchenObject(cases[i].type)
            .Decode(cases[i].json, {.field_validation = FieldValidation::kStrict});
    got.erase(got.begin());
    EXPECT_EQ(strict, got.empty() ? absl::OkStatus()
                                  : absl::InvalidArgumentError(absl::StrCat(
                                        "decode ", cases[i].type, ": ", absl::StrJoin(got, ", "))))
        << cases[i].name;
  }
}

TEST(DecodeJsonStrictTest, AnErrorIsFirst) {
  std::vector<std::string> reported;
  const absl::Status status = KitchenObject("Never").Decode(R"({"foo":1,"text":1})", {}, &reported);
  EXPECT_EQ(status.message(), "decode Never: text: expected a string (line 1, column 17)");
}

// behaviour.md: COD-14
TEST(DecodeJsonStrictTest, DecodesAllTheSame) {
  const absl::StatusOr<StrictlyDecoded<EmptyOrZero>> decoded =
      DecodeJsonAndReport<EmptyOrZero>(R"({"text":"a","foo":1,"text":"b"})");
  ASSERT_TRUE(decoded.ok()) << decoded.status();
  EXPECT_EQ(decoded->object.text, "b");
  EXPECT_EQ(decoded->strict_errors,
            (std::vector<std::string>{"unknown field \"foo\"", "duplicate field \"text\""}));
}

}  // namespace
}  // namespace kube::codec

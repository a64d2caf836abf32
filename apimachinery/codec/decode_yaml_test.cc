#include "apimachinery/codec/decode_yaml.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/codec/yaml/yaml_documents.h"
#include "tests/kitchen_sink/base.kube.h"
#include "tests/kitchen_sink/kitchen_oracle.h"
#include "tests/kitchen_sink/sink.kube.h"
#include "tests/oracle/oracle.h"

namespace kube::codec {
namespace {

using ::kube::kitchen::sink::v1::EmptyOrZero;
using ::kube::kitchen::sink::v1::Lists;
using ::kube::kitchen::sink::v1::Maps;
using ::kube::kitchen::sink::v1::Tap;
using oracle::KitchenOracle;

constexpr DecodeOptions kStrict = {.field_validation = FieldValidation::kStrict};

template <typename T>
std::string JsonOf(absl::string_view yaml, const DecodeOptions& options = {}) {
  const absl::StatusOr<T> object = DecodeYaml<T>(yaml, options);
  if (!object.ok()) return "error: " + std::string(object.status().message());
  return EncodeJson(*object).value();
}

TEST(DecodeYamlTest, ReadsAnObject) {
  const absl::StatusOr<Tap> tap = DecodeYaml<Tap>(R"(
# A tap.
apiVersion: kitchen.example.com/v1
kind: Tap
metadata:
  name: left
  labels: {room: kitchen}
open: yes
flow: 1.5
)");
  ASSERT_TRUE(tap.ok()) << tap.status();
  EXPECT_EQ(tap->metadata.name, "left");
  EXPECT_TRUE(tap->open);
  EXPECT_EQ(EncodeJson(*tap).value(),
            R"({"kind":"Tap","apiVersion":"kitchen.example.com/v1",)"
            R"("metadata":{"name":"left","labels":{"room":"kitchen"}},"open":true,)"
            R"("flow":"1500m"})");
}

TEST(DecodeYamlTest, JsonIsYamlToo) {
  EXPECT_EQ(JsonOf<EmptyOrZero>(" \n {\"text\": \"a\", \"text\": \"b\"}"), R"({"text":"b"})");
  // Text that is not JSON may still be YAML.
  EXPECT_EQ(JsonOf<EmptyOrZero>("{text: a}"), R"({"text":"a"})");
  EXPECT_EQ(JsonOf<EmptyOrZero>("{\"text\": \"a\",}"), R"({"text":"a"})");
  EXPECT_EQ(JsonOf<EmptyOrZero>("{\"text\": \"a\"}\n---\n{}"), R"({"text":"a"})");
  EXPECT_EQ(JsonOf<EmptyOrZero>("{\"text\": \"a\""),
            "error: decode EmptyOrZero: unexpected end of input (line 1, column 13)");
}

TEST(DecodeYamlTest, TheFirstDocumentCounts) {
  EXPECT_EQ(JsonOf<EmptyOrZero>("text: a\n---\ntext: b\n"), R"({"text":"a"})");
  EXPECT_EQ(JsonOf<EmptyOrZero>(""), "{}");
  EXPECT_EQ(JsonOf<EmptyOrZero>("# nothing\n"), "{}");
}

TEST(DecodeYamlTest, AsGo) {
  const std::vector<std::string> texts = {
      "text: a\nsmall: 0x10\n",
      "text: 1\n",
      "text: yes\n",
      "text: '1'\nflag: on\n",
      "big: 9223372036854775807\n",
      "big: 9223372036854775808\n",
      "small: 1.0\n",
      "real: 1e3\n",
      "text: ~\n",
      "text: 2001-01-01\n",
      "time: 2001-01-01T00:00:00Z\n",
      "data: !!binary YWI=\n",
      "data: YWI=\n",
      "quantity: 1Gi\nintOrString: 5\n",
      "text: a\ntext: b\n",
      "rawJson: {b: 1, a: [x, y: z]}\n",
      "a: &x\n  text: b\n<<: *x\n",
      "text: |\n  two\n  lines\n",
      "- a\n",
      "text: [\n",
      "text: \"\xff\"\n",
  };
  KitchenOracle go;
  for (const std::string& text : texts) go.Ask("yaml_to_json", "EmptyOrZero", {text});
  const absl::Status ran = go.Run();
  if (oracle::PrintSkipped(ran)) GTEST_SKIP();
  ASSERT_TRUE(ran.ok()) << ran;
  for (size_t i = 0; i < texts.size(); ++i) {
    const std::string got = JsonOf<EmptyOrZero>(texts[i]);
    if (go[i].ok()) {
      EXPECT_EQ(got, go.Output(i)) << texts[i];
    } else {
      EXPECT_TRUE(absl::StartsWith(got, "error: ")) << texts[i] << got << "\n" << go.Output(i);
    }
  }
}

// ---- Errors, with their place in the YAML

TEST(DecodeYamlTest, ErrorsHavePlacesInTheYaml) {
  EXPECT_EQ(JsonOf<Lists>("texts:\n- a\n- b\npoints:\n- x: 1\n- y: 2\n  x: many\n"),
            "error: decode Lists: points[1].x: expected an integer (line 7, column 6)");
  EXPECT_EQ(JsonOf<Maps>("points:\n  b:\n    x: 1\n  a:\n    x: []\n"),
            "error: decode Maps: points.a.x: expected an integer (line 5, column 8)");
  EXPECT_EQ(JsonOf<EmptyOrZero>("small: 1\ntext:\n  - a\n"),
            "error: decode EmptyOrZero: text: expected a string (line 3, column 3)");
  EXPECT_EQ(JsonOf<EmptyOrZero>("{\n  text: []}"),
            "error: decode EmptyOrZero: text: expected a string (line 2, column 9)");
  EXPECT_EQ(JsonOf<EmptyOrZero>("- a\n"),
            "error: decode EmptyOrZero: expected an object (line 1, column 1)");
}

TEST(DecodeYamlTest, LinesCountFromTheFirst) {
  EXPECT_EQ(DecodeYaml<EmptyOrZero>("text: []\n", {}, 41).status().message(),
            "decode EmptyOrZero: text: expected a string (line 41, column 7)");
  EXPECT_EQ(DecodeYaml<EmptyOrZero>("{\n\"text\": 1}", {}, 41).status().message(),
            "decode EmptyOrZero: text: expected a string (line 42, column 9)");
  const absl::Status syntax = DecodeYaml<EmptyOrZero>("a: 1\nb: [\n", {}, 41).status();
  EXPECT_TRUE(absl::StrContains(syntax.message(), "line 4")) << syntax;
}

TEST(DecodeYamlTest, DocumentsOfAStream) {
  YamlDocuments documents("text: a\n---\n# second\ntext: b\nsmall: 2\n---\nsmall: x\n");
  std::vector<std::string> got;
  while (true) {
    absl::StatusOr<std::optional<YamlDocument>> document = documents.Next();
    ASSERT_TRUE(document.ok()) << document.status();
    if (!document->has_value()) break;
    const absl::StatusOr<EmptyOrZero> object =
        DecodeYaml<EmptyOrZero>((*document)->text, {}, (*document)->first_line);
    got.push_back(object.ok() ? EncodeJson(*object).value()
                              : std::string(object.status().message()));
  }
  EXPECT_EQ(got, (std::vector<std::string>{
                     R"({"text":"a"})", R"({"text":"b","small":2})",
                     "decode EmptyOrZero: small: expected an integer (line 7, column 8)"}));
}

// ---- Strict mode

TEST(DecodeYamlStrictTest, UnknownAndDuplicateFields) {
  EXPECT_EQ(JsonOf<EmptyOrZero>("text: a\n", kStrict), R"({"text":"a"})");
  EXPECT_EQ(JsonOf<EmptyOrZero>("foo: 1\ntext: a\nbar: 2\n", kStrict),
            R"(error: decode EmptyOrZero: unknown field "bar", unknown field "foo")");
  // A duplicate key is reported for the YAML; unknown fields are reported too.
  const std::string both = JsonOf<EmptyOrZero>("text: a\nfoo: 1\ntext: b\n", kStrict);
  EXPECT_EQ(both,
            "error: decode EmptyOrZero: convert YAML to JSON: line 3, column 1: key \"text\" "
            "already set in map, "
            "unknown field \"foo\"");
  // JSON is decoded as JSON.
  EXPECT_EQ(JsonOf<EmptyOrZero>(R"({"text":"a","text":"b","foo":1})", kStrict),
            R"(error: decode EmptyOrZero: duplicate field "text", unknown field "foo")");
  // Other errors come first, as in Go.
  EXPECT_EQ(JsonOf<EmptyOrZero>("text: a\ntext: []\n", kStrict),
            "error: decode EmptyOrZero: text: expected a string (line 2, column 7)");
}

TEST(DecodeYamlStrictTest, DecodesAllTheSame) {
  const absl::StatusOr<StrictlyDecoded<EmptyOrZero>> decoded =
      DecodeYamlAndReport<EmptyOrZero>("text: a\nfoo: 1\ntext: b\n", {}, 11);
  ASSERT_TRUE(decoded.ok()) << decoded.status();
  EXPECT_EQ(decoded->object.text, "b");
  EXPECT_EQ(decoded->strict_errors,
            (std::vector<std::string>{
                "convert YAML to JSON: line 13, column 1: key \"text\" already set in map",
                "unknown field \"foo\""}));
  EXPECT_FALSE(DecodeYamlAndReport<EmptyOrZero>("text: [").ok());
  const absl::StatusOr<StrictlyDecoded<EmptyOrZero>> json =
      DecodeYamlAndReport<EmptyOrZero>(R"({"text":"a","foo":1})");
  ASSERT_TRUE(json.ok()) << json.status();
  EXPECT_EQ(json->strict_errors, std::vector<std::string>{"unknown field \"foo\""});
}

TEST(DecodeYamlStrictTest, RefusesWhatGoRefuses) {
  const std::vector<std::string> texts = {
      "text: a\n",
      "text: a\ntext: b\n",
      "foo: 1\n",
      "rawJson: {a: 1, a: 2}\n",
      "rawJson: {a: 1, b: 2}\n",
      "rawJson: {1: 1, \"1\": 2}\n",
      "a: &x {text: b}\n<<: *x\n",
      "text: a\n\"text\": b\n",
      "point: {x: 1, x: 2}\n",
      "text: a\nsmall: x\nfoo: 1\n",
  };
  KitchenOracle go;
  for (const std::string& text : texts) go.Ask("strict_yaml", "EmptyOrZero", {text});
  const absl::Status ran = go.Run();
  if (oracle::PrintSkipped(ran)) GTEST_SKIP();
  ASSERT_TRUE(ran.ok()) << ran;
  for (size_t i = 0; i < texts.size(); ++i) {
    const absl::Status status = DecodeYaml<EmptyOrZero>(texts[i], kStrict).status();
    const bool go_accepts = go[i].ok() && go[i]->size() == 1;
    EXPECT_EQ(status.ok(), go_accepts) << texts[i] << status;
    // What Go reports about the JSON is reported here in the same words.
    for (size_t j = 1; go[i].ok() && j < go[i]->size(); ++j) {
      if (absl::StartsWith((*go[i])[j], "unknown field")) {
        EXPECT_TRUE(absl::StrContains(status.message(), (*go[i])[j])) << status;
      }
    }
  }
}

}  // namespace
}  // namespace kube::codec

// Go's apiextensions-apiserver is the judge of schemas, and of objects by them.

#include <cstdint>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/crd_schema/defaulting.h"
#include "apimachinery/crd_schema/differential/exact_json.h"
#include "apimachinery/crd_schema/differential/random_schema.h"
#include "apimachinery/crd_schema/embedded_metadata.h"
#include "apimachinery/crd_schema/list_types.h"
#include "apimachinery/crd_schema/pruning.h"
#include "apimachinery/crd_schema/structural.h"
#include "apimachinery/crd_schema/value_validation.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "gtest/gtest.h"
#include "tests/oracle/go_cases.h"

namespace kube::crd_schema {
namespace {

namespace field = validation::field;
using api::apiextensions::v1::JSONSchemaProps;
using unstructured::Value;

constexpr uint64_t kSeed = 20261121;

Value Texts(std::vector<std::string> texts) {
  absl::c_sort(texts);
  List<Value> list = List<Value>::Empty();
  for (const std::string& text : texts) list.push_back(Value(text));
  return Value(std::move(list));
}

Value Texts(const field::ErrorList& errors) {
  std::vector<std::string> texts;
  for (const field::Error& error : errors) texts.push_back(error.ToString());
  return Texts(std::move(texts));
}

std::string Json(const Value& value) { return unstructured::EncodeJson(value).value(); }

// The questions about one schema.
struct Question {
  Map<Value> schema;
  absl::StatusOr<std::shared_ptr<const Structural>> structural;

  std::string With(const Map<Value>& object, const Value& old = Value(Map<Value>::Empty())) const {
    const bool failed = !structural.ok();
    return ExactJson(
        Value(Map<Value>{{"schema", schema},
                         {"value", object},
                         {"old", old},
                         {"hint", failed ? std::string(structural.status().message()) : ""}}));
  }
};

Question Ask(Map<Value> schema) {
  const JSONSchemaProps props =
      codec::DecodeJson<JSONSchemaProps>(ExactJson(Value(schema))).value();
  return {.schema = std::move(schema), .structural = Structural::Make(props)};
}

TEST(CustomResourceGoTest, Structural) {
  oracle::GoCases cases("customresource_oracle");
  oracle::SchemaMaker maker(kSeed);
  std::cout << "seed: " << kSeed << "\n";
  int structural = 0;
  for (int i = 0; i < 3000; ++i) {
    const Question question = Ask(maker.MakeSchema({.mistakes = i % 3 == 0 ? 0 : 12}));
    field::ErrorList errors;
    if (question.structural.ok()) {
      errors = ValidateStructural(**question.structural, field::Path("s"));
      structural += errors.empty() ? 1 : 0;
    }
    cases.Add("structural", question.With({}),
              Json(question.structural.ok()
                       ? Texts(errors)
                       : Texts({std::string(question.structural.status().message())})));
  }
  EXPECT_GT(structural, 1000);
  cases.Check();
}

void AddObject(const Question& question, const Map<Value>& object, oracle::GoCases& cases) {
  const Structural& schema = **question.structural;
  const std::string text = question.With(object);
  cases.Add("validate", text, Json(Texts(ValidateObject(schema, object))));
  cases.Add("list_types", text, Json(Texts(ValidateListTypes(schema, object))));
  cases.Add("embedded", text, Json(Texts(ValidateEmbedded(schema, object))));

  Map<Value> pruned = object;
  const Value paths = Texts(Prune(&schema, pruned));
  cases.Add("prune", text, Json(Value(Map<Value>{{"value", pruned}, {"paths", paths}})));

  Map<Value> defaulted = object;
  PruneNulls(schema, defaulted);
  Default(schema, defaulted);
  cases.Add("default", text, Json(Value(defaulted)));

  Map<Value> coerced = object;
  const Coerced result = CoerceEmbedded(schema, coerced, {.report_unknown = true});
  cases.Add("coerce", text,
            result.error.has_value()
                ? "\"error\""
                : Json(Value(Map<Value>{{"value", coerced}, {"unknown", Texts(result.unknown)}})));
  coerced = object;
  const Coerced dropped = CoerceEmbedded(schema, coerced, {.drop_invalid = true});
  cases.Add("coerce_dropping", text,
            Json(Value(Map<Value>{
                {"value", coerced},
                {"error", dropped.error.has_value() ? dropped.error->ToString() : ""}})));
}

TEST(CustomResourceGoTest, Objects) {
  oracle::GoCases cases("customresource_oracle");
  oracle::SchemaMaker maker(kSeed + 1);
  std::cout << "seed: " << kSeed + 1 << "\n";
  for (int i = 0; i < 800; ++i) {
    const Question question = Ask(maker.MakeSchema({.mistakes = i % 4 == 0 ? 40 : 0}));
    if (!question.structural.ok()) continue;
    for (int j = 0; j < 4; ++j) {
      AddObject(question, maker.MakeObject(Value(question.schema)), cases);
    }
  }
  cases.Check();
}

TEST(CustomResourceGoTest, Updates) {
  oracle::GoCases cases("customresource_oracle");
  oracle::SchemaMaker maker(kSeed + 2);
  std::cout << "seed: " << kSeed + 2 << "\n";
  int forgiven = 0;
  for (int i = 0; i < 2000; ++i) {
    const Question question = Ask(maker.MakeSchema());
    if (!question.structural.ok()) continue;
    const Map<Value> old = maker.MakeObject(Value(question.schema));
    Value changed = maker.Change(Value(question.schema), Value(old));
    if (!changed.is_object()) continue;
    const field::ErrorList errors =
        ValidateObjectUpdate(**question.structural, *changed.object(), old);
    forgiven += errors != ValidateObject(**question.structural, *changed.object()) ? 1 : 0;
    cases.Add("update", question.With(*changed.object(), Value(old)), Json(Texts(errors)));
  }
  EXPECT_GT(forgiven, 200);
  cases.Check();
}

Map<Value> SchemaOfText(absl::string_view keyword, absl::string_view value) {
  return {{"type", "object"},
          {"properties", Map<Value>{{"a", Map<Value>{{"type", "string"}, {keyword, value}}}}}};
}

TEST(CustomResourceGoTest, Formats) {
  const std::vector<std::string> formats = {
      "uri",      "hostname",  "ipv4",           "ipv6",          "cidr",     "mac",  "uuid",
      "uuid3",    "uuid4",     "uuid5",          "byte",          "password", "date", "duration",
      "datetime", "date-time", "k8s-short-name", "k8s-long-name", "made-up"};
  oracle::TextMaker maker(kSeed + 3,
                          {"http://user:p%40ss@a.b:80/x?y#z",
                           "mailto:a@b.c",
                           "/a/b%2fc",
                           "http://[fe80::1%25en0]:80/",
                           "*",
                           "www.example.com",
                           "a-b",
                           "a-",
                           "\u00e4.de",
                           "010.1.2.3",
                           "::ffff:1.2.3.4",
                           "10.0.0.0/8",
                           "fe80::/64",
                           "01:23:45:67:89:ab",
                           "0123.4567.89ab",
                           "0123456789ab",
                           "f81d4fae-7dec-31d0-a765-00a0c91e6bf6",
                           "f81d4fae7dec41d0a76500a0c91e6bf6",
                           "f81d4fae-7dec-51d0-8765-00a0c91e6bf6",
                           "AAAA",
                           "AA==",
                           "2024-02-29",
                           "2023-02-29",
                           "1h2.5m",
                           "5 minutes",
                           "3 \u00b5s",
                           "1\u03bcs",
                           "2014-12-15T19:30:20.000Z",
                           "2014-12-15t19:30:20+01:00",
                           "a.b-c.d"},
                          {"-", ".", ":", "@", "%", "[",  "]",  "/",      " ", "0", "1",  "a",
                           "Z", "(", ")", "<", ">", "\"", "\\", "\u00e4", "T", "z", "ms", "="});
  std::cout << "seed: " << kSeed + 3 << "\n";
  const std::vector<std::string> texts = maker.Make(1200);
  oracle::GoCases cases("customresource_oracle");
  for (const std::string& format : formats) {
    const Question question = Ask(SchemaOfText("format", format));
    for (const std::string& text : texts) {
      const Map<Value> object =
          *unstructured::ParseJson(Json(Value(Map<Value>{{"a", text}})))->object();
      cases.Add("validate", question.With(object),
                Json(Texts(ValidateObject(**question.structural, object))));
    }
  }
  cases.Check();
}

TEST(CustomResourceGoTest, Patterns) {
  oracle::TextMaker maker(
      kSeed + 4,
      {"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", "(?<x>a)|(?P<y>b)", "a{2,3}", "[[:alpha:]]+\\pL",
       "\\Qa.b\\E", "(?i)abc", "[^]a]", "x*?y+?"},
      {"(", ")", "[",   "]",   "{",   "}",    "*", "+",   "?",   "\\",     "a",   "b", "|",
       "^", "$", "\\d", "\\C", "(?<", "(?P<", ">", "(?:", "(?=", "{1001}", "\\8", "[:"});
  std::cout << "seed: " << kSeed + 4 << "\n";
  oracle::GoCases cases("customresource_oracle");
  for (const std::string& pattern : maker.Make(3000)) {
    const std::string valid =
        *unstructured::ParseJson(Json(Value(pattern)))->text() == absl::string_view(pattern)
            ? pattern
            : std::string("a");
    const Question question = Ask(SchemaOfText("pattern", valid));
    cases.Add("structural", question.With({}),
              Json(Texts(ValidateStructural(**question.structural, field::Path("s")))));
    for (const absl::string_view text : {"a", "ab", "", "a.b", "aab"}) {
      const Map<Value> object = {{"a", text}};
      cases.Add("validate", question.With(object),
                Json(Texts(ValidateObject(**question.structural, object))));
    }
  }
  cases.Check();
}

}  // namespace
}  // namespace kube::crd_schema

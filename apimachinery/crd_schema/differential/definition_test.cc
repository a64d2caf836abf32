// Go's apiextensions-apiserver is the judge of CustomResourceDefinitions and of defaults in
// schemas.

#include <cstdint>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/crd_schema/crd_validation.h"
#include "apimachinery/crd_schema/default_validation.h"
#include "apimachinery/crd_schema/differential/random_rules.h"
#include "apimachinery/crd_schema/differential/random_schema.h"
#include "apimachinery/crd_schema/structural.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/testing/at.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "gtest/gtest.h"
#include "tests/dice.h"
#include "tests/oracle/go_cases.h"

namespace kube::crd_schema {
namespace {

namespace field = validation::field;
using api::apiextensions::v1::CustomResourceDefinition;
using api::apiextensions::v1::JSONSchemaProps;
using unstructured::Value;

constexpr uint64_t kSeed = 20261122;

std::string Json(const Value& value) { return unstructured::EncodeJson(value).value(); }

// Returns whether the value in an error is a rule, which is shown as upstream does.
bool IsRule(absl::string_view error) {
  return absl::StartsWith(error, ": Invalid value: {\"Rule\":");
}

// Sorted; `without_structs`: without the values that upstream shows as JSON of its internal types,
// and without the paths of the most expensive rules, which upstream chooses at random if there are
// more with the same cost.
std::string Texts(const field::ErrorList& errors, bool without_structs = true) {
  std::vector<std::string> texts;
  for (const field::Error& error : errors) {
    std::string text = error.ToString();
    const size_t contributed = text.find(": Forbidden: contributed to estimated rule cost total");
    if (without_structs && contributed != std::string::npos) text = text.substr(contributed);
    for (const absl::string_view open : {": Invalid value: [{", ": Invalid value: {"}) {
      const size_t at = text.find(std::string(open));
      if (!without_structs || at == std::string::npos || IsRule(text.substr(at))) continue;
      text =
          absl::StrCat(text.substr(0, at), ": Invalid value: ...", text.substr(text.rfind(": ")));
    }
    texts.push_back(text);
  }
  absl::c_sort(texts);
  List<Value> list = List<Value>::Empty();
  for (const std::string& text : texts) list.push_back(Value(text));
  return Json(Value(std::move(list)));
}

TEST(CustomResourceDefinitionGoTest, Defaults) {
  oracle::GoCases cases("customresource_oracle");
  oracle::SchemaMaker maker(kSeed);
  std::cout << "seed: " << kSeed << "\n";
  int wrong = 0;
  oracle::RuleMaker rules(kSeed);
  for (int i = 0; i < 6000; ++i) {
    Map<Value> made = maker.MakeSchema();
    if (i % 2 == 0) rules.AddRules(made, 4);
    if (oracle::HasPropertiesAndOthers(Value(made))) continue;
    const std::string json = Json(Value(made));
    const auto schema = Structural::Make(codec::DecodeJson<JSONSchemaProps>(json).value());
    if (!schema.ok() || !ValidateStructural(**schema, field::Path("s")).empty()) continue;
    const field::ErrorList errors = ValidateDefaults(**schema, true, field::Path("s"));
    wrong += errors.empty() ? 0 : 1;
    cases.Add("defaults", absl::StrCat(R"({"schema":)", json, "}"),
              Texts(errors, /*without_structs=*/false));
  }
  EXPECT_GT(wrong, 500);
  cases.Check();
}

// Definitions, right ones with a few mistakes.
class DefinitionMaker {
 public:
  explicit DefinitionMaker(uint64_t seed) : dice_(seed), schemas_(seed), rules_(seed) {}

  Map<Value> Make() {
    Map<Value> names = {{"plural", Or("things", {"", "Things", "stuff"})},
                        {"kind", Or("Thing", {"", "ThingList", "thing-"})}};
    if (OneIn(6)) names["singular"] = Or("thing", {"a.b"});
    if (OneIn(6)) names["listKind"] = Or("ThingList", {"Thing", "x_"});
    if (OneIn(4)) names["shortNames"] = List<Value>{Or("th", {"T"})};
    if (OneIn(4)) names["categories"] = List<Value>{Or("all", {"-"})};
    List<Value> versions = List<Value>::Empty();
    shared_schema_ = Validation();
    for (size_t i = OneIn(20) ? 0 : 1 + dice_.Below(2); i > 0; --i) {
      versions.push_back(Version(versions.size()));
    }
    Map<Value> spec = {{"group", Or("example.com", {"", "example", "a_b.c", "x.k8s.io"})},
                       {"names", std::move(names)},
                       {"scope", Or("Namespaced", {"", "Cluster", "Both"})},
                       {"versions", std::move(versions)}};
    if (OneIn(20)) spec["preserveUnknownFields"] = true;
    if (OneIn(6)) spec["conversion"] = Conversion();
    Map<Value> metadata = {{"name", Or("things.example.com", {"", "things.x.k8s.io"})}};
    if (OneIn(8)) {
      metadata["annotations"] = Map<Value>{
          {"api-approved.kubernetes.io", Or("https://a.b/c", {"unapproved, experiment", "yes"})}};
    }
    Map<Value> definition = {{"apiVersion", "apiextensions.k8s.io/v1"},
                             {"kind", "CustomResourceDefinition"},
                             {"metadata", std::move(metadata)},
                             {"spec", std::move(spec)}};
    if (OneIn(8)) {
      definition["status"] =
          Map<Value>{{"storedVersions", List<Value>{Or("v1", {"v2", "v9"})}},
                     {"acceptedNames", Map<Value>{{"plural", Or("things", {"A"})}}}};
    }
    return definition;
  }

 private:
  bool OneIn(size_t n) { return dice_.Below(n) == 0; }

  Value Or(absl::string_view right, std::vector<absl::string_view> others) {
    return Value(OneIn(10) ? others[dice_.Below(others.size())] : right);
  }

  Value Conversion() {
    Map<Value> conversion = {{"strategy", Or("None", {"Webhook", "Magic", "Webhook"})}};
    if (OneIn(3)) {
      Map<Value> webhook = {
          {"conversionReviewVersions", OneIn(3) ? List<Value>{"v1", "v1"} : List<Value>{"v2"}}};
      if (OneIn(2)) webhook["clientConfig"] = Map<Value>{{"caBundle", ""}};
      conversion["webhook"] = std::move(webhook);
    }
    return Value(std::move(conversion));
  }

  Value Validation() {
    if (OneIn(20)) return Value(Map<Value>::Empty());
    const int mistakes = OneIn(3) ? 30 : 0;
    Map<Value> schema = schemas_.MakeSchema({.mistakes = mistakes});
    if (mistakes == 0 && OneIn(2)) rules_.AddRules(schema, 4);
    return Value(Map<Value>{{"openAPIV3Schema", std::move(schema)}});
  }

  Value Version(size_t index) {
    Map<Value> version = {{"name", Or(index == 0 ? "v1" : "v2", {"v1", "1", ""})},
                          {"served", true},
                          {"storage", index == (OneIn(8) ? 1U : 0U)}};
    if (!OneIn(20)) version["schema"] = OneIn(3) ? Validation() : shared_schema_;
    if (OneIn(3)) {
      version["subresources"] = Map<Value>{{"status", Map<Value>::Empty()}};
      if (OneIn(2)) {
        At(version, {"subresources", "scale"}) =
            Map<Value>{{"specReplicasPath", Or(".spec.replicas", {"", "spec", ".status.x"})},
                       {"statusReplicasPath", Or(".status.replicas", {"", "x", ".spec.x"})},
                       {"labelSelectorPath", Or(".status.selector", {"", "x", ".other"})}};
      }
    }
    if (OneIn(4)) {
      version["additionalPrinterColumns"] = List<Value>{
          Value(Map<Value>{{"name", Or("Age", {""})},
                           {"type", Or("date", {"", "time"})},
                           {"format", Or("", {"int32", "big"})},
                           {"jsonPath", Or(".metadata.creationTimestamp", {"", "x", "."})}})};
    }
    if (OneIn(5)) {
      version["selectableFields"] =
          List<Value>{Value(Map<Value>{{"jsonPath", Or(".a", {"", "a", ".c[0]", ".a."})}}),
                      Value(Map<Value>{{"jsonPath", Or(".metadata.name", {".a", ".name"})}})};
    }
    if (OneIn(6)) version["deprecated"] = true;
    if (OneIn(8)) version["deprecationWarning"] = Or("use v2", {"", "a\nb"});
    return Value(std::move(version));
  }

  oracle::Dice dice_;
  oracle::SchemaMaker schemas_;
  oracle::RuleMaker rules_;
  Value shared_schema_;
};

CustomResourceDefinition Decode(absl::string_view json) {
  CustomResourceDefinition definition = codec::DecodeJson<CustomResourceDefinition>(json).value();
  SetDefaults(definition);
  return definition;
}

// Upstream panics when it looks for a selectable field in an invalid schema.
bool IsBeyondUs(absl::string_view json) {
  const CustomResourceDefinition definition = Decode(json);
  bool fields = false;
  bool none = false;
  for (const auto& version : definition.spec.versions) {
    fields |= !version.selectable_fields.empty();
    none |= version.schema && (!version.schema->open_api_v3_schema ||
                               !Structural::Make(*version.schema->open_api_v3_schema).ok());
  }
  return fields && none;
}

// Upstream panics when it looks for the type of a property below elements that have no type, such
// as items of what is not an array. Returns whether these errors speak of such elements.
bool HasElementsWithoutType(absl::string_view errors) {
  return absl::StrContains(errors, "failed to convert to declType for CEL validation rules");
}

TEST(CustomResourceDefinitionGoTest, Create) {
  oracle::GoCases cases("customresource_oracle");
  DefinitionMaker maker(kSeed + 1);
  std::cout << "seed: " << kSeed + 1 << "\n";
  for (int i = 0; i < 4000; ++i) {
    const std::string json = Json(Value(maker.Make()));
    if (IsBeyondUs(json)) continue;
    const std::string errors = Texts(ValidateDefinition(Decode(json)));
    if (HasElementsWithoutType(errors)) continue;
    cases.Add("crd", json, errors);
  }
  cases.Check();
}

TEST(CustomResourceDefinitionGoTest, Update) {
  oracle::GoCases cases("customresource_oracle");
  DefinitionMaker maker(kSeed + 2);
  oracle::Dice dice(kSeed + 3);
  std::cout << "seed: " << kSeed + 2 << "\n";
  for (int i = 0; i < 3000; ++i) {
    const Map<Value> old = maker.Make();
    Map<Value> definition = maker.Make();
    // Some parts stay.
    for (auto& [name, member] : *definition["spec"].object()) {
      const Value* before = old.find("spec")->Find(name);
      if (before != nullptr && dice.Below(3) != 0) member = *before;
    }
    At(definition, {"metadata", "resourceVersion"}) = "1";
    const std::string json = Json(Value(definition));
    const std::string old_json = Json(Value(old));
    if (IsBeyondUs(json) || IsBeyondUs(old_json)) continue;
    const std::string errors = Texts(ValidateDefinitionUpdate(Decode(json), Decode(old_json)));
    if (HasElementsWithoutType(errors)) continue;
    cases.Add("crd_update", absl::StrCat(R"({"Value":)", json, R"(,"Old":)", old_json, "}"),
              errors);
  }
  cases.Check();
}

}  // namespace
}  // namespace kube::crd_schema

// Go's apiextensions-apiserver is the judge of x-kubernetes-validations: of objects, of updates,
// and of what rules can cost.

#include "apimachinery/cel/rules.h"

#include <cstdint>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/crd_schema/differential/exact_json.h"
#include "apimachinery/crd_schema/differential/random_rules.h"
#include "apimachinery/crd_schema/differential/random_schema.h"
#include "apimachinery/crd_schema/internal/rule_schema.h"
#include "apimachinery/crd_schema/internal/rule_tree.h"
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
using crd_schema::internal::RuleFindings;
using crd_schema::internal::RuleTree;
using unstructured::Value;

constexpr uint64_t kSeed = 20261123;

std::string Json(const Value& value) { return unstructured::EncodeJson(value).value(); }

Value Sorted(std::vector<std::string> texts) {
  absl::c_sort(texts);
  List<Value> list = List<Value>::Empty();
  for (const std::string& text : texts) list.push_back(Value(text));
  return Value(std::move(list));
}

// A structural schema with rules.
struct Schema {
  Map<Value> json;
  std::shared_ptr<const Structural> structural;
  // Null if it got no rules.
  std::unique_ptr<const RuleTree> rules;
};

// Returns a schema without `structural` if it is not structural, or no definition may have it.
Schema MakeSchema(oracle::SchemaMaker& schemas, oracle::RuleMaker& rules) {
  Schema schema;
  schema.json = schemas.MakeSchema();
  rules.AddRules(schema.json);
  if (oracle::HasPropertiesAndOthers(Value(schema.json))) return schema;
  const auto structural =
      Structural::Make(codec::DecodeJson<JSONSchemaProps>(ExactJson(Value(schema.json))).value());
  if (!structural.ok() || !ValidateStructural(**structural, field::Path()).empty()) return schema;
  schema.structural = *structural;
  schema.rules = RuleTree::Make(schema.structural->root(), /*is_resource=*/true);
  return schema;
}

std::string Answer(const RuleFindings& findings) {
  std::vector<std::string> errors;
  for (const field::Error& error : findings.errors) errors.push_back(error.ToString());
  return Json(Value(Map<Value>{{"errors", Sorted(std::move(errors))},
                               {"warnings", Sorted(findings.warnings)},
                               {"budget", findings.budget}}));
}

// `old` is null for a new object.
RuleFindings Check(const Schema& schema, const Value& object, const Value& old) {
  if (schema.rules == nullptr) return {.budget = cel::kObjectCostLimit};
  return schema.rules->Check(field::Path(), object,
                             {.old_value = old.is_null() ? nullptr : &old, .ratchets = true});
}

std::string Question(const Schema& schema, const Value& object, const Value& old) {
  return ExactJson(Value(Map<Value>{{"schema", schema.json}, {"value", object}, {"old", old}}));
}

TEST(RulesGoTest, Objects) {
  oracle::GoCases cases("customresource_oracle");
  oracle::SchemaMaker schemas(kSeed);
  oracle::RuleMaker rules(kSeed);
  std::cout << "seed: " << kSeed << "\n";
  int asked = 0;
  int refused = 0;
  for (int i = 0; i < 1500; ++i) {
    const Schema schema = MakeSchema(schemas, rules);
    if (schema.structural == nullptr) continue;
    for (int j = 0; j < 5; ++j) {
      const Map<Value> object = schemas.MakeObject(Value(schema.json));
      if (!ValidateObject(*schema.structural, object).empty()) continue;
      const RuleFindings findings = Check(schema, Value(object), Value());
      ++asked;
      refused += findings.errors.empty() ? 0 : 1;
      cases.Add("rules", Question(schema, Value(object), Value()), Answer(findings));
    }
  }
  EXPECT_GT(asked, 200);
  EXPECT_GT(refused, 50);
  cases.Check();
}

TEST(RulesGoTest, Updates) {
  oracle::GoCases cases("customresource_oracle");
  oracle::SchemaMaker schemas(kSeed + 1);
  oracle::RuleMaker rules(kSeed + 1);
  std::cout << "seed: " << kSeed + 1 << "\n";
  int forgiven = 0;
  for (int i = 0; i < 2000; ++i) {
    const Schema schema = MakeSchema(schemas, rules);
    if (schema.structural == nullptr) continue;
    for (int j = 0; j < 5; ++j) {
      const Map<Value> old = schemas.MakeObject(Value(schema.json));
      const Value changed = schemas.Change(Value(schema.json), Value(old));
      if (!changed.is_object() || !ValidateObject(*schema.structural, old).empty() ||
          !ValidateObject(*schema.structural, *changed.object()).empty()) {
        continue;
      }
      const RuleFindings findings = Check(schema, changed, Value(old));
      forgiven += findings.warnings.empty() ? 0 : 1;
      cases.Add("rules", Question(schema, changed, Value(old)), Answer(findings));
    }
  }
  EXPECT_GT(forgiven, 10);
  cases.Check();
}

// "COST COST-OF-MESSAGE CARDINALITY USES-OLD-SELF" for each rule of the root.
std::string Estimates(const Structural& structural) {
  const auto rules =
      cel::RuleSet::Compile(crd_schema::internal::MakeRules(structural.root()),
                            crd_schema::internal::RuleSchema(structural.root(), true));
  if (!rules.ok()) return Json(Value(rules.status().message()));
  List<Value> lines = List<Value>::Empty();
  for (size_t i = 0; i < structural.root().rules.size(); ++i) {
    const bool compiles = absl::c_none_of(rules->defects(), [&](const cel::RuleDefect& defect) {
      return defect.rule == i && !defect.in_message;
    });
    const cel::RuleSet::Estimate estimate = rules->EstimateOf(i);
    lines.push_back(Value(absl::StrCat(estimate.rule, " ", estimate.message, " ",
                                       compiles ? rules->MaxCardinality() : uint64_t{0}, " ",
                                       rules->UsesOldSelf(i) ? "true" : "false")));
  }
  return Json(Value(std::move(lines)));
}

// Expressions over the properties of kSizes.
constexpr absl::string_view kSizes =
    R"({"type": "object", "required": ["n", "rows"], "properties": {
  "n": {"type": "integer"}, "f": {"type": "number"}, "b": {"type": "boolean"},
  "s": {"type": "string"}, "t": {"type": "string", "maxLength": 10},
  "e": {"type": "string", "enum": ["a", "abc"]},
  "y": {"type": "string", "format": "byte", "maxLength": 7},
  "d": {"type": "string", "format": "duration"}, "at": {"type": "string", "format": "date-time"},
  "any": {"x-kubernetes-int-or-string": true, "maxLength": 5},
  "a-b": {"type": "array", "items": {"type": "string", "maxLength": 4}},
  "ints": {"type": "array", "maxItems": 5, "items": {"type": "integer"}},
  "texts": {"type": "array", "maxItems": 3, "items": {"type": "string", "maxLength": 10}},
  "rows": {"type": "array", "maxItems": 10, "items": {"type": "object", "required": ["k"],
    "properties": {
      "k": {"type": "string", "maxLength": 3},
      "v": {"type": "array", "maxItems": 4, "items": {"type": "integer"}},
      "m": {"type": "object", "additionalProperties": {"type": "string", "maxLength": 6}}}}},
  "map": {"type": "object", "maxProperties": 6, "additionalProperties": {
    "type": "array", "maxItems": 2, "items": {"type": "string", "maxLength": 8}}},
  "free": {"type": "object", "additionalProperties": {"type": "string"}}}})";

constexpr absl::string_view kExpressions[] = {
    "true",
    "self.n > 0 && self.n < 10 || self.b",
    "self.n == 1 ? self.s == self.s : self.t == 'a'",
    "has(self.s) && self.s.contains(self.t)",
    "self.s.startsWith('abc') && self.t.endsWith(self.e)",
    "self.t.matches('^[a-z]{1,9}$')",
    "self.t.find('[a-z]+') == 'a' && self.t.findAll('a', 2).size() > 0",
    "self.t.replace('a', 'bcd') == self.e",
    "self.t.replace('abc', 'b').replace('', self.e).size() > 1",
    "self.t.split(',').all(x, x.size() > 1)",
    "self.t.split(',', 2).join('-') == self.t",
    "self.texts.join(', ') == self.s",
    "self.t.lowerAscii() + self.t.trim() == self.t.substring(1)",
    "bytes(self.t) == self.y && string(self.y) == self.t",
    "self.y.size() > 1",
    "self.d > duration('1h') && self.at < timestamp('2020-01-01T00:00:00Z')",
    "type(self.any) == int ? self.any > 1 : self.any == 'a'",
    "self.a__dash__b.all(x, x == self.t)",
    "self.ints.sum() > 1 && self.ints.isSorted() && self.ints.max() > self.ints.min()",
    "self.texts.max() == self.texts.min() && self.texts.indexOf('a') > 0",
    "self.t.indexOf('a') == self.t.lastIndexOf('b')",
    "self.n in self.ints || self.t in self.texts || self.n in [1, 2, 3]",
    "self.ints.all(x, x > 0) && self.ints.exists(x, x == self.n) && self.ints.exists_one(x, x == "
    "1)",
    "self.ints.map(x, x * 2).filter(x, x > 1).size() > 1",
    "self.rows.all(r, r.v.exists(x, x > 1))",
    "self.rows.all(r, r.v.exists(x, r.k == 'a'))",
    "self.rows.all(r, r.m.all(k, r.m[k] == r.k && k.size() > 1))",
    "self.rows.all(r, self.rows.exists_one(q, q.k == r.k))",
    "self.rows.filter(r, r.k == 'a').map(r, r.v).all(v, v.size() > 1)",
    "self.rows[0].v[1] == self.n && self.map['a'][0] == self.t",
    "self.map.all(k, self.map[k].all(x, x == k))",
    "self.map.all(k, v, v.size() > 1 && k == 'a')",
    "self.ints.transformList(i, v, i + v).size() > 1",
    "self.map.transformMap(k, v, v.size()).size() > 1",
    "self.free.all(k, self.free[k].size() > 1)",
    "[1, 2, self.n].all(x, x > 0) && {'a': self.t}['a'] == 'b'",
    "[self.t, 'abc'].map(x, x + self.e).join('') == ''",
    "(self.b ? self.ints : [1]).all(x, x > 1)",
    "(self.ints + [1]).all(x, (self.ints + self.ints).size() > x)",
    "self.?s.orValue('') == 'a' && self.?t.hasValue() && self.?n.optMap(x, x + 1).orValue(0) > 1",
    "self.ints.first().orValue(0) > 1 && self.texts[?0].orValue('') == ''",
    "dyn(self.t) == 'a' && dyn(self.ints).size() == 1",
    "sets.contains(self.ints, [1, 2]) && sets.equivalent(self.texts, self.texts)",
    "lists.range(20).all(x, x > 0) && lists.range(self.n).size() > 1",
    "self.ints.slice(1, 3).size() > 1 && self.ints.slice(self.n, 3).reverse().size() > 1",
    "self.ints.sort() == self.ints.distinct() && self.texts.sort().size() > 1",
    "self.rows.sortBy(r, r.k).size() > 1",
    "[[1], [2]].flatten().size() > 1",
    "quantity(self.t).isGreaterThan(quantity('1Mi')) && isQuantity(self.s)",
    "url(self.t).getHost() == 'a' && isURL(self.t) && url(self.t) == url(self.e)",
    "ip(self.t).family() == 4 && isIP(self.t) && ip.isCanonical(self.t) && ip(self.t) == "
    "ip(self.e)",
    "cidr(self.t).containsIP(self.e) && cidr(self.t).containsIP(ip(self.e)) && isCIDR(self.t)",
    "cidr(self.t).containsCIDR(self.e) && cidr(self.t).ip() == ip('::1')",
    "!format.dns1123Label().validate(self.t).hasValue()",
    "semver(self.t).isLessThan(semver('1.2.3')) && isSemver(self.t)",
    "'%s'.format([self.t]) == self.s && strings.quote(self.t) == '\"'",
    "self == oldSelf",
    "self.rows == oldSelf.rows && self.t == oldSelf.t && self.free != oldSelf.free",
    "self.t.size() > 1 && self.s.size() > 1 && self.rows.size() > 1",
    "self.metadata.name.size() < 10 && self.kind == self.apiVersion",
    "int(self.t) > 1 && double(self.n) > self.f && string(self.n) == self.t",
};

TEST(RulesGoTest, Estimates) {
  oracle::GoCases cases("customresource_oracle");
  for (const absl::string_view expression : kExpressions) {
    Map<Value> json = *unstructured::ParseJson(kSizes).value().object();
    json["x-kubernetes-validations"] = List<Value>{Value(Map<Value>{
        {"rule", expression}, {"message", "m"}, {"messageExpression", "self.t + string(self.n)"}})};
    const auto structural =
        Structural::Make(codec::DecodeJson<JSONSchemaProps>(Json(Value(json))).value());
    ASSERT_TRUE(structural.ok());
    cases.Add("estimates", ExactJson(Value(Map<Value>{{"schema", json}})), Estimates(**structural));
  }
  cases.Check();
}

TEST(RulesGoTest, EstimatesOfRandomSchemas) {
  oracle::GoCases cases("customresource_oracle");
  oracle::SchemaMaker schemas(kSeed + 2);
  oracle::RuleMaker rules(kSeed + 2);
  std::cout << "seed: " << kSeed + 2 << "\n";
  for (int i = 0; i < 2000; ++i) {
    const Schema schema = MakeSchema(schemas, rules);
    if (schema.structural == nullptr) continue;
    cases.Add("estimates", ExactJson(Value(Map<Value>{{"schema", schema.json}})),
              Estimates(*schema.structural));
  }
  cases.Check();
}

}  // namespace
}  // namespace kube::crd_schema

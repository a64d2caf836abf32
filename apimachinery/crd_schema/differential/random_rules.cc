#include "apimachinery/crd_schema/differential/random_rules.h"

#include <string>
#include <utility>

#include "absl/strings/str_replace.h"
#include "apimachinery/types/list.h"

namespace kube::oracle {
namespace {

using unstructured::Value;

constexpr absl::string_view kOfIntegers[] = {"self > 1", "self % 2 == 0", "10 / self > 1",
                                             "self in [1, 2, 3]", "self < 5 || self > 9"};
constexpr absl::string_view kOfNumbers[] = {"self > 0.5", "self == 1.0", "self * 2.0 < 6.0"};
constexpr absl::string_view kOfTexts[] = {
    "self.size() < 3",           "self.startsWith('a')",
    "self.matches('^[a-z]+$')",  "self.contains('b') || self < 'b'",
    "self.split('').size() > 1", "self in ['a', 'abc', '']",
    "self + 'b' != 'ab'"};
constexpr absl::string_view kOfTimes[] = {"self > timestamp('2010-01-01T00:00:00Z')",
                                          "self.getFullYear() == 2006"};
constexpr absl::string_view kOfDurations[] = {"self > duration('1m')", "self.getHours() == 1"};
constexpr absl::string_view kOfBytes[] = {"self.size() > 1", "self == b'a'"};
constexpr absl::string_view kOfBooleans[] = {"self", "!self"};
constexpr absl::string_view kOfAnyNumberOrText[] = {
    "type(self) == int ? self > 1 : self.size() > 1", "self > 1", "self == 1 || self == 'a'"};
constexpr absl::string_view kOfLists[] = {"self.size() < 3", "self.all(x, x == self[0])",
                                          "self[1] == self[0]", "self + self == self",
                                          "self.filter(x, x != self[0]).size() < 2"};
constexpr absl::string_view kOfMaps[] = {"self.size() < 2", "self.all(k, k.size() < 9)",
                                         "'a' in self", "self['a'] == self['b']"};
constexpr absl::string_view kOfObjects[] = {"has(self.P)", "self.P == self.P",
                                            "!has(self.P) || !has(self.Q)", "!has(self.P)",
                                            "has(self.P) ? self.P == self.P : true"};
constexpr absl::string_view kOfRoots[] = {"self.metadata.name == 'x'", "self.kind == 'Thing'",
                                          "self.metadata.name.size() > 1"};
constexpr absl::string_view kTransitions[] = {"self == oldSelf", "self != oldSelf",
                                              "oldSelf == oldSelf"};
constexpr absl::string_view kOptionalTransitions[] = {"oldSelf.orValue(self) == self",
                                                      "oldSelf.hasValue()", "!oldSelf.hasValue()"};
// Identifiers of properties.
constexpr absl::string_view kNames[] = {"a", "b", "c", "d__dot__e", "name"};
constexpr absl::string_view kReasons[] = {"FieldValueInvalid", "FieldValueForbidden",
                                          "FieldValueRequired", "FieldValueDuplicate"};

absl::string_view TextOf(const Value& schema, absl::string_view member) {
  return schema[member].text().value_or(absl::string_view());
}

bool IsTrue(const Value& schema, absl::string_view member) {
  return schema[member].boolean() == true;
}

}  // namespace

std::string RuleMaker::ObjectExpression(const Value& schema, bool is_root) {
  if (is_root && OneIn(2)) return std::string(Pick(kOfRoots));
  if (schema["additionalProperties"].is_object()) return std::string(Pick(kOfMaps));
  return absl::StrReplaceAll(Pick(kOfObjects), {{"P", Pick(kNames)}, {"Q", Pick(kNames)}});
}

std::string RuleMaker::Expression(const Value& schema, bool is_root) {
  if (OneIn(4)) return std::string(Pick(kTransitions));
  if (IsTrue(schema, "x-kubernetes-int-or-string")) return std::string(Pick(kOfAnyNumberOrText));
  const absl::string_view type = TextOf(schema, "type");
  const absl::string_view format = TextOf(schema, "format");
  if (type == "integer") return std::string(Pick(kOfIntegers));
  if (type == "number") return std::string(Pick(kOfNumbers));
  if (type == "boolean") return std::string(Pick(kOfBooleans));
  if (type == "array") return std::string(Pick(kOfLists));
  if (type == "object") return ObjectExpression(schema, is_root);
  if (format == "date" || format == "date-time") return std::string(Pick(kOfTimes));
  if (format == "duration") return std::string(Pick(kOfDurations));
  if (format == "byte") return std::string(Pick(kOfBytes));
  return std::string(Pick(kOfTexts));
}

std::string RuleMaker::MessageExpression(absl::string_view type) {
  switch (dice_.Below(4)) {
    case 0:
      return type == "integer" || type == "boolean" ? "'not ' + string(self)" : "'not so'";
    case 1:
      return "string(1 / 0)";
    case 2:
      return "'  '";
    default:
      return "'a' + 'message'";
  }
}

Value RuleMaker::Rule(const Value& schema, bool is_root) {
  Map<Value> rule;
  if (OneIn(8)) {
    rule["rule"] = Pick(kOptionalTransitions);
    rule["optionalOldSelf"] = true;
  } else {
    rule["rule"] = Expression(schema, is_root);
    if (OneIn(20)) rule["optionalOldSelf"] = false;
  }
  if (OneIn(3)) rule["message"] = " a message";
  if (OneIn(4)) rule["messageExpression"] = MessageExpression(TextOf(schema, "type"));
  if (OneIn(3)) rule["reason"] = Pick(kReasons);
  if (OneIn(8) && schema["properties"].is_object()) {
    rule["fieldPath"] = OneIn(2) ? ".a" : "['b']";
  }
  return Value(std::move(rule));
}

void RuleMaker::AddTo(Value& schema, bool is_root, size_t one_in) {
  Map<Value>* object = schema.object();
  if (object == nullptr) return;
  if (Value* properties = schema.Find("properties");
      properties != nullptr && properties->is_object()) {
    for (auto& [name, property] : *properties->object()) {
      const bool is_meta = name == "metadata" || name == "kind" || name == "apiVersion";
      // Such schemas may only restrict names.
      if (!is_meta) AddTo(property, false, one_in);
    }
  }
  for (const absl::string_view name : {"items", "additionalProperties"}) {
    if (Value* part = schema.Find(name); part != nullptr) AddTo(*part, false, one_in);
  }
  const bool has_type =
      !TextOf(schema, "type").empty() || IsTrue(schema, "x-kubernetes-int-or-string");
  if (!has_type || !OneIn(one_in)) return;
  List<Value> rules = List<Value>::Empty();
  for (size_t i = 1 + dice_.Below(2); i > 0; --i) rules.push_back(Rule(schema, is_root));
  object->insert_or_assign("x-kubernetes-validations", Value(std::move(rules)));
}

void RuleMaker::AddRules(Map<Value>& schema, size_t one_in) {
  Value root(std::move(schema));
  AddTo(root, true, one_in);
  schema = std::move(*root.object());
}

}  // namespace kube::oracle

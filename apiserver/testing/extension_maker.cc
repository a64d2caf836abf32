#include "apiserver/testing/extension_maker.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"

namespace kube::apiserver {
namespace {

constexpr size_t kMaxChoices = 300;
constexpr size_t kMaxTexts = 20;

constexpr absl::string_view kMembers[] = {"name", "size", "nested", "a-b", "namespace"};
constexpr absl::string_view kWords[] = {"a", "1Gi", "2026-01-02T03:04:05Z", "YQ==", "1h", ""};

// They fit values of any type.
constexpr absl::string_view kRules[] = {"self == self",
                                        "type(self) == type(self)",
                                        "dyn(self) != 1",
                                        "oldSelf == self",
                                        "[self].all(x, x == x)",
                                        "{'a': self}.size() == 1",
                                        "cel.bind(x, self, x == x)",
                                        "optional.of(self).hasValue()",
                                        "string(dyn(self)).size() < 5",
                                        "quantity(string(dyn(self))).isInteger()",
                                        "dyn(self).name.matches('^a')",
                                        "size(dyn(self)) < 3"};
constexpr absl::string_view kRuleMessages[] = {"'is ' + string(dyn(self))", "'no'"};

constexpr absl::string_view kConditions[] = {
    "has(object.spec)",
    "object.spec.size > 1",
    "object == oldObject",
    "variables.v == 1",
    "request.operation != 'DELETE'",
    "object.?spec.name.orValue('a').matches('a+')",
    "authorizer.group('').resource('pods').check('get').allowed()",
    "params.data.a == 'b'",
    "object.metadata.labels.all(k, k != 'a')",
    "true"};
constexpr absl::string_view kValues[] = {"1", "object.spec.size", "object.metadata.name", "[1, 2]"};
constexpr absl::string_view kTexts[] = {"'a' + string(object.spec.size)", "request.name", "'x'"};
constexpr absl::string_view kApplied[] = {"Object{metadata: Object.metadata{labels: {'a': 'b'}}}",
                                          "Object{spec: Object.spec{size: 2}}",
                                          "Object{data: Object.data{a: request.name}}"};
constexpr absl::string_view kPatches[] = {
    "[JSONPatch{op: 'add', path: '/metadata/labels', value: {'a': 'b'}}]",
    "[JSONPatch{op: 'replace', path: '/spec/size', value: 'x'}]",
    "[JSONPatch{op: 'add', path: '/data/' + jsonpatch.escapeKey('a/b'), value: 'c'}]"};

std::string Quoted(absl::string_view text) {
  return unstructured::EncodeJson(unstructured::Value(text)).value_or("\"\"");
}

std::string Metadata(absl::string_view name) {
  return absl::StrCat(R"("metadata":{"name":")", name, "\"}");
}

// ---- schemas

std::string MakeRules(FuzzInput& input) {
  std::vector<std::string> rules;
  for (size_t count = input.Below(3); count > 0; --count) {
    std::string rule = absl::StrCat(R"({"rule":)", input.Text(kRules));
    if (input.OneIn(3)) absl::StrAppend(&rule, R"(,"message":"no")");
    if (input.OneIn(3)) {
      absl::StrAppend(&rule, R"(,"messageExpression":)", input.Text(kRuleMessages));
    }
    if (input.OneIn(8)) absl::StrAppend(&rule, R"(,"optionalOldSelf":true)");
    if (input.OneIn(8)) absl::StrAppend(&rule, R"(,"fieldPath":".name")");
    if (input.OneIn(8)) absl::StrAppend(&rule, R"(,"reason":"FieldValueForbidden")");
    rules.push_back(absl::StrCat(rule, "}"));
  }
  return rules.empty()
             ? ""
             : absl::StrCat(R"(,"x-kubernetes-validations":[)", absl::StrJoin(rules, ","), "]");
}

std::string MakeSchema(FuzzInput& input, int depth);

std::string MakeList(FuzzInput& input, int depth) {
  switch (input.Below(3)) {
    case 0:
      return R"("type":"array","maxItems":5,"x-kubernetes-list-type":"set",)"
             R"("items":{"type":"string","maxLength":9})";
    case 1:
      return absl::StrCat(R"("type":"array","maxItems":5,"x-kubernetes-list-type":"map",)",
                          R"("x-kubernetes-list-map-keys":["name"],"items":{"type":"object",)",
                          R"("required":["name"],"properties":{"name":{"type":"string",)",
                          R"("maxLength":9},"size":)", MakeSchema(input, depth), "}}");
    default:
      return absl::StrCat(R"("type":"array","maxItems":5,"items":)", MakeSchema(input, depth));
  }
}

std::string MakeStruct(FuzzInput& input, int depth) {
  std::vector<std::string> properties;
  for (const absl::string_view name : kMembers) {
    if (!input.OneIn(2)) continue;
    properties.push_back(absl::StrCat("\"", name, "\":", MakeSchema(input, depth)));
  }
  return absl::StrCat(R"("type":"object","properties":{)", absl::StrJoin(properties, ","), "}");
}

std::string MakeScalar(FuzzInput& input, size_t kind) {
  constexpr absl::string_view kOfIntegers[] = {"", R"(,"default":1)", R"(,"minimum":0)"};
  constexpr absl::string_view kOfStrings[] = {"", R"(,"format":"date-time")",
                                              R"(,"enum":["a","b"])"};
  switch (kind) {
    case 0:
      return absl::StrCat(R"("type":"integer")", input.Pick(kOfIntegers));
    case 1:
      return absl::StrCat(R"("type":"string","maxLength":20)", input.Pick(kOfStrings));
    case 2:
      return absl::StrCat(R"("type":"boolean")", input.OneIn(3) ? R"(,"nullable":true)" : "");
    case 3:
      return R"("type":"number")";
    default:
      return R"("x-kubernetes-int-or-string":true)";
  }
}

// Returns the members of a schema without its rules.
std::string MakeMembers(FuzzInput& input, int depth) {
  const size_t kind = input.Below(depth > 0 ? 9 : 5);
  switch (kind) {
    case 5:
      return R"("type":"object","x-kubernetes-preserve-unknown-fields":true)";
    case 6:
      return MakeList(input, depth - 1);
    case 7:
      return absl::StrCat(R"("type":"object","maxProperties":5,"additionalProperties":)",
                          MakeSchema(input, depth - 1));
    case 8:
      return MakeStruct(input, depth - 1);
    default:
      return MakeScalar(input, kind);
  }
}

std::string MakeSchema(FuzzInput& input, int depth) {
  const std::string members = MakeMembers(input, depth);
  return absl::StrCat("{", members, MakeRules(input), "}");
}

std::string MakeVersion(FuzzInput& input, absl::string_view name, bool stored) {
  const std::string spec = MakeSchema(input, 3);
  std::string version =
      absl::StrCat(R"({"name":")", name, R"(","served":true,"storage":)", stored ? "true" : "false",
                   R"(,"schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":)", spec,
                   R"(,"status":{"type":"object","x-kubernetes-preserve-unknown-fields":true}})",
                   MakeRules(input), "}}");
  if (input.OneIn(2)) absl::StrAppend(&version, R"(,"subresources":{"status":{}})");
  if (input.OneIn(4)) {
    absl::StrAppend(&version, R"(,"additionalPrinterColumns":[{"name":"Size","type":"string",)",
                    R"("jsonPath":".spec.size"}])");
  }
  return absl::StrCat(version, "}");
}

// ---- policies

std::string MakeConstraints(FuzzInput& input) {
  constexpr absl::string_view kKinds[] = {
      R"("apiGroups":["example.com"],"apiVersions":["v1"],"resources":["widgets"])",
      R"("apiGroups":[""],"apiVersions":["v1"],"resources":["configmaps"])",
      R"("apiGroups":["example.com",""],"apiVersions":["*"],"resources":["*"])"};
  return absl::StrCat(R"("matchConstraints":{"resourceRules":[{"operations":["*"],)",
                      input.Pick(kKinds), "}]}");
}

std::string Expression(absl::string_view member, const std::string& text) {
  return absl::StrCat("{\"", member, "\":", text, "}");
}

// Returns members of a policy's spec that both sorts have, with a comma behind each.
std::string MakeCommon(FuzzInput& input) {
  std::string common = absl::StrCat(MakeConstraints(input), ",");
  if (input.OneIn(3)) absl::StrAppend(&common, R"("failurePolicy":"Ignore",)");
  if (input.OneIn(3)) {
    absl::StrAppend(&common, R"("paramKind":{"apiVersion":"v1","kind":"ConfigMap"},)");
  }
  if (input.OneIn(2)) {
    absl::StrAppend(&common, R"("variables":[{"name":"v","expression":)", input.Text(kValues),
                    "}],");
  }
  if (input.OneIn(3)) {
    absl::StrAppend(&common, R"("matchConditions":[{"name":"c","expression":)",
                    input.Text(kConditions), "}],");
  }
  return common;
}

// ---- objects

std::string MakeValue(FuzzInput& input, int depth) {
  std::vector<std::string> parts;
  switch (input.Below(depth > 0 ? 8 : 5)) {
    case 0:
      return absl::StrCat(input.Below(5));
    case 1:
      return input.Text(kWords);
    case 2:
      return "true";
    case 3:
      return "null";
    case 4:
      return "-2.5";
    case 5:
      for (size_t count = input.Below(4); count > 0; --count) {
        parts.push_back(MakeValue(input, depth - 1));
      }
      return absl::StrCat("[", absl::StrJoin(parts, ","), "]");
    default:
      for (const absl::string_view name : kMembers) {
        if (!input.OneIn(2)) continue;
        parts.push_back(absl::StrCat("\"", name, "\":", MakeValue(input, depth - 1)));
      }
      return absl::StrCat("{", absl::StrJoin(parts, ","), "}");
  }
}

}  // namespace

FuzzInput::FuzzInput(absl::string_view bytes) {
  std::vector<absl::string_view> lines = absl::StrSplit(bytes, '\n');
  choices_ = lines[0].substr(0, kMaxChoices);
  lines.erase(lines.begin());
  lines.resize(std::min(lines.size(), kMaxTexts));
  texts_ = lines;
}

size_t FuzzInput::Below(size_t n) {
  if (choices_.empty()) return n - 1;
  const auto byte = static_cast<unsigned char>(choices_[0]);
  choices_.remove_prefix(1);
  return byte % n;
}

absl::string_view FuzzInput::Pick(absl::Span<const absl::string_view> texts) {
  return texts[Below(texts.size())];
}

std::string FuzzInput::Text(absl::Span<const absl::string_view> usual) {
  if (next_text_ < texts_.size() && OneIn(2)) return Quoted(texts_[next_text_++]);
  return Quoted(Pick(usual));
}

std::string MakeDefinition(FuzzInput& input, bool converts) {
  const bool stores_first = input.OneIn(2);
  std::vector<std::string> versions = {MakeVersion(input, "v1", stores_first)};
  versions.push_back(MakeVersion(input, "v2", !stores_first));
  const std::string conversion =
      converts ? absl::StrCat(R"({"strategy":"Webhook","webhook":{"conversionReviewVersions":)",
                              R"(["v1"],"clientConfig":{"url":")", kConvertUrl, "\"}}}")
               : std::string(R"({"strategy":"None"})");
  return absl::StrCat("{", Metadata("widgets.example.com"),
                      R"(,"spec":{"group":"example.com","scope":"Namespaced",)",
                      R"("names":{"plural":"widgets","kind":"Widget"},"versions":[)",
                      absl::StrJoin(versions, ","), R"(],"conversion":)", conversion, "}}");
}

std::string MakeObject(FuzzInput& input, absl::string_view version) {
  if (version.empty()) {
    return absl::StrCat(R"({"apiVersion":"v1","kind":"ConfigMap",)", Metadata("o"),
                        R"(,"data":{"a":)", input.Text(kWords), "}}");
  }
  return absl::StrCat(R"({"apiVersion":"example.com/)", version, R"(","kind":"Widget",)",
                      Metadata("o"), R"(,"spec":)", MakeValue(input, 3), "}");
}

std::string MakePolicy(FuzzInput& input, absl::string_view name) {
  std::string spec = MakeCommon(input);
  std::string validation = absl::StrCat(R"("expression":)", input.Text(kConditions));
  if (input.OneIn(2)) {
    absl::StrAppend(&validation, R"(,"messageExpression":)", input.Text(kTexts));
  }
  absl::StrAppend(&spec, R"("validations":[{)", validation, "}]");
  if (input.OneIn(4)) {
    absl::StrAppend(&spec, R"(,"auditAnnotations":[{"key":"k","valueExpression":)",
                    input.Text(kTexts), "}]");
  }
  return absl::StrCat("{", Metadata(name), R"(,"spec":{)", spec, "}}");
}

std::string MakeMutatingPolicy(FuzzInput& input, absl::string_view name) {
  std::string spec = MakeCommon(input);
  const bool again = input.OneIn(2);
  std::string mutation;
  if (input.OneIn(2)) {
    mutation = absl::StrCat(R"({"patchType":"ApplyConfiguration","applyConfiguration":)",
                            Expression("expression", input.Text(kApplied)), "}");
  } else {
    mutation = absl::StrCat(R"({"patchType":"JSONPatch","jsonPatch":)",
                            Expression("expression", input.Text(kPatches)), "}");
  }
  absl::StrAppend(&spec, R"("reinvocationPolicy":")", again ? "IfNeeded" : "Never",
                  R"(","mutations":[)", mutation, "]");
  return absl::StrCat("{", Metadata(name), R"(,"spec":{)", spec, "}}");
}

std::string MakeBinding(FuzzInput& input, absl::string_view name, bool mutates) {
  constexpr absl::string_view kActions[] = {R"(["Warn","Audit"])", R"(["Audit"])", R"(["Deny"])"};
  std::string spec = absl::StrCat(R"("policyName":")", name, "\"");
  if (!mutates) absl::StrAppend(&spec, R"(,"validationActions":)", input.Pick(kActions));
  if (input.OneIn(3)) {
    absl::StrAppend(&spec, R"(,"paramRef":{"name":"o","namespace":"default",)",
                    R"("parameterNotFoundAction":"Allow"})");
  }
  return absl::StrCat("{", Metadata(name), R"(,"spec":{)", spec, "}}");
}

std::string MakeWebhook(FuzzInput& input, absl::string_view name) {
  constexpr absl::string_view kFailurePolicies[] = {"Ignore", "Fail"};
  const absl::string_view failure = input.Pick(kFailurePolicies);
  const std::string conditions =
      input.OneIn(3) ? absl::StrCat(R"(,"matchConditions":[{"name":"c","expression":)",
                                    input.Text(kConditions), "}]")
                     : "";
  return absl::StrCat("{", Metadata(name), R"(,"webhooks":[{"name":")", name,
                      R"(.example.com","sideEffects":"None","admissionReviewVersions":["v1"],)",
                      R"("failurePolicy":")", failure, R"(","clientConfig":{"url":")", kAdmitUrl,
                      R"("},"rules":[{"operations":["*"],"apiGroups":["","example.com"],)",
                      R"("apiVersions":["*"],"resources":["configmaps","widgets"]}])", conditions,
                      "}]}");
}

}  // namespace kube::apiserver

// Random policies about built-in and custom kinds: what kube-controller-manager warns of, if it has
// the documents of our server.

#include "apiserver/type_checking/type_check.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "api/admissionregistration/v1/types.kube.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apiserver/openapi/documents.h"
#include "apiserver/openapi/testing/sample_kind.h"
#include "apiserver/resources.h"
#include "gtest/gtest.h"
#include "tests/dice.h"
#include "tests/oracle/go_cases.h"

namespace kube::apiserver::internal {
namespace {

using Policy = api::admissionregistration::v1::ValidatingAdmissionPolicy;

constexpr uint64_t kSeed = 2026;
constexpr int kPolicies = 250;

constexpr char kCronTab[] =
    R"({"type":"object","properties":{"spec":{"type":"object","properties":{)"
    R"("size":{"type":"integer"},"port":{"x-kubernetes-int-or-string":true},)"
    R"("labels":{"type":"object","additionalProperties":{"type":"string"}},)"
    R"("containers":{"type":"array","items":{"type":"object","properties":{)"
    R"("name":{"type":"string"},"limit":{"type":"number"}}}},)"
    R"("namespace":{"type":"string"},"a-b":{"type":"string","format":"duration"},)"
    R"("template":{"type":"object","x-kubernetes-embedded-resource":true,)"
    R"("x-kubernetes-preserve-unknown-fields":true},)"
    R"("any":{"x-kubernetes-preserve-unknown-fields":true}}}}})";

constexpr absl::string_view kRoots[] = {"object",    "object",  "object",          "oldObject",
                                        "params",    "request", "namespaceObject", "variables.v",
                                        "variables", "unknown_"};
constexpr absl::string_view kSegments[] = {
    ".metadata",      ".metadata",   ".spec",     ".spec",      ".status",
    ".name",          ".namespace",  ".labels",   ".replicas",  ".template",
    ".containers",    ".containers", "[0]",       "['a']",      ".image",
    ".data",          ".ports",      ".port",     ".resources", ".limits",
    ".strategy",      ".type",       ".size",     ".any",       ".a__dash__b",
    ".selector",      ".kind",       ".userInfo", ".operation", ".creationTimestamp",
    ".rollingUpdate", ".maxSurge"};
constexpr absl::string_view kLiterals[] = {"1",    "'a'",        "true",     "1.5",
                                           "null", "['a', 'b']", "{'a': 1}", "duration('1h')"};
constexpr absl::string_view kWhole[] = {
    "authorizer.requestResource.check('get').allowed()",
    "authorizer.group('').resource('pods').check('get').allowed()",
    "request.userInfo.groups.exists(g, g == 'a')",
    "object == oldObject",
    "object.metadata == oldObject.spec",
    "oldObject == null",
    "object.spec.template.spec.containers.all(c, c.image.startsWith('a'))"};

// Makes policies as JSON.
class PolicyMaker {
 public:
  explicit PolicyMaker(oracle::Dice& dice) : dice_(dice) {}

  std::string Next() {
    std::string spec = absl::StrCat(R"("matchConstraints":{"resourceRules":[)", Rule());
    if (OneIn(4)) absl::StrAppend(&spec, ",", Rule());
    absl::StrAppend(&spec, "]}", ParamKind());
    if (OneIn(2)) {
      absl::StrAppend(&spec, R"(,"variables":[{"name":"v","expression":)", Quoted(), "}]");
    }
    absl::StrAppend(&spec, R"(,"validations":[{"expression":)", Quoted());
    if (OneIn(4)) absl::StrAppend(&spec, R"(,"messageExpression":)", Quoted());
    absl::StrAppend(&spec, R"(},{"expression":)", Quoted(), "}]");
    return absl::StrCat(R"({"metadata":{"name":"p"},"spec":{)", spec, "}}");
  }

 private:
  bool OneIn(size_t n) { return dice_.Below(n) == 0; }
  absl::string_view Pick(absl::Span<const absl::string_view> all) {
    return all[dice_.Below(all.size())];
  }
  std::string Some(absl::Span<const absl::string_view> all) {
    std::vector<std::string> some;
    for (size_t count = 1 + dice_.Below(2); count > 0; --count) {
      some.push_back(absl::StrCat("\"", Pick(all), "\""));
    }
    return absl::StrCat("[", absl::StrJoin(some, ","), "]");
  }

  std::string Rule() {
    constexpr absl::string_view kGroups[] = {"", "", "apps", "stable.example.com"};
    constexpr absl::string_view kVersions[] = {"v1", "v1", "v1", "v2"};
    constexpr absl::string_view kResources[] = {"pods",        "configmaps", "services",
                                                "deployments", "Deployment", "crontabs",
                                                "events",      "pods/status"};
    const bool wild = OneIn(20);
    const std::string groups = wild ? R"(["*"])" : Some(kGroups);
    const std::string versions = Some(kVersions);
    return absl::StrCat(R"({"operations":["*"],"apiGroups":)", groups, R"(,"apiVersions":)",
                        versions, R"(,"resources":)", Some(kResources), "}");
  }

  std::string ParamKind() {
    constexpr absl::string_view kKinds[] = {
        "", "", R"(,"paramKind":{"apiVersion":"v1","kind":"ConfigMap"})",
        R"(,"paramKind":{"apiVersion":"stable.example.com/v1","kind":"CronTab"})",
        R"(,"paramKind":{"apiVersion":"none.example.com/v1","kind":"None"})"};
    return std::string(Pick(kKinds));
  }

  std::string Path() {
    std::string path(Pick(kRoots));
    for (size_t count = dice_.Below(5); count > 0; --count) absl::StrAppend(&path, Pick(kSegments));
    return path;
  }

  std::string Expression(int depth) {
    if (OneIn(8)) return std::string(Pick(kWhole));
    if (depth > 0 && OneIn(4)) {
      const std::string left = Expression(depth - 1);
      return absl::StrCat("(", left, ") && (", Expression(depth - 1), ")");
    }
    const std::string path = Path();
    const std::string literal(Pick(kLiterals));
    switch (dice_.Below(13)) {
      case 0:
        return absl::StrCat(path, " == ", literal);
      case 1:
        return absl::StrCat(path, " + ", literal);
      case 2:
        return absl::StrCat("has(", path, ".name)");
      case 3:
        return absl::StrCat(path, ".all(x, x.name == ", literal, ")");
      case 4:
        return absl::StrCat("size(", path, ") > 1");
      case 5:
        return absl::StrCat(path, ".startsWith('a')");
      case 6:
        return absl::StrCat(path, ".?namespace.orValue(", literal, ") == ", literal);
      case 7:
        return absl::StrCat("!", path);
      case 8:
        return absl::StrCat(literal, " in ", path);
      case 9:
        return absl::StrCat("type(", path, ") == string");
      case 10:
        return absl::StrCat(path, ".map(x, x.image)");
      case 11:
        return absl::StrCat("quantity(", path, ").isLessThan(quantity('1'))");
      default:
        return absl::StrCat(path, ".getFullYear() > 2000");
    }
  }

  std::string Quoted() {
    return unstructured::EncodeJson(unstructured::Value(Expression(2))).value();
  }

  oracle::Dice& dice_;
};

// Describes the server to the program.
std::string ServerJson(const Resources& resources) {
  std::vector<std::string> all;
  for (const schema::GroupVersion& version : resources.group_versions()) {
    for (const Resource* resource : resources.InGroupVersion(version)) {
      all.push_back(absl::StrCat(R"({"group":")", version.group, R"(","version":")",
                                 version.version, R"(","plural":")", resource->kind->plural,
                                 R"(","singular":")", resource->kind->singular, R"(","kind":")",
                                 resource->kind->kind, "\"}"));
    }
  }
  std::vector<std::string> documents;
  for (const char* group : {"", "apps", "events.k8s.io", "stable.example.com"}) {
    documents.push_back(DocumentOf(resources, {.group = group, .version = "v1"}));
  }
  return absl::StrCat(R"({"resources":[)", absl::StrJoin(all, ","), R"(],"documents":[)",
                      absl::StrJoin(documents, ","), "]}");
}

// Returns the warnings as the program prints them, without the numbers at the ends of types.
std::string Warnings(const Policy& policy, const Resources& resources) {
  std::string all;
  for (const auto& each : CheckTypes(policy, resources)) {
    std::string warning(each.warning);
    for (const char* kind : {"ConfigMap", "CronTab", "Deployment", "Event", "Pod", "Service"}) {
      for (const char* number : {"0", "1"}) {
        warning =
            absl::StrReplaceAll(warning, {{absl::StrCat(kind, number), absl::StrCat(kind, "#")}});
      }
    }
    absl::StrAppend(&all, each.field_ref.view(), ": ", warning, "\n--\n");
  }
  return all;
}

TEST(TypeCheckDifferentialTest, RandomPolicies_HaveTheWarningsOfKubeControllerManager) {
  const Resources resources = Resources::With({{.kind = SampleKind(kCronTab)}});
  oracle::GoCases cases("type_check_oracle");
  cases.Add("server", ServerJson(resources), "ok");
  oracle::Dice dice(kSeed);
  PolicyMaker maker(dice);
  int with_warnings = 0;
  int without = 0;
  for (int i = 0; i < kPolicies; ++i) {
    const std::string json = maker.Next();
    const std::string warnings =
        Warnings(codec::DecodeJson<Policy>(absl::string_view(json)).value(), resources);
    ++(warnings.empty() ? without : with_warnings);
    cases.Add("check", json, warnings);
  }
  EXPECT_GT(with_warnings, 50) << "seed " << kSeed;
  EXPECT_GT(without, 10) << "seed " << kSeed;
  cases.Check();
}

}  // namespace
}  // namespace kube::apiserver::internal

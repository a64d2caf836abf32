#include "apiserver/validation/validate_webhooks.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "api/all_kinds.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/validation/field_error.h"
#include "apiserver/defaults/defaults.h"
#include "apiserver/object.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

using base::IsOk;
using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::IsEmpty;
using testing::StartsWith;

constexpr char kGood[] =
    R"({"name":"a.example.com","sideEffects":"None","admissionReviewVersions":["v1"],)"
    R"("clientConfig":{"service":{"namespace":"n","name":"s"}},)"
    R"("rules":[{"operations":["CREATE"],"apiGroups":[""],"apiVersions":["v1"],)"
    R"("resources":["pods"]}]})";

Object Configuration(absl::string_view kind, const std::vector<std::string>& webhooks) {
  std::string json = R"({"metadata":{"name":"c"},"webhooks":[)";
  for (size_t i = 0; i < webhooks.size(); ++i) {
    absl::StrAppend(&json, i == 0 ? "" : ",", webhooks[i]);
  }
  absl::StrAppend(&json, "]}");
  absl::StatusOr<codec::AnyObject> object = codec::AnyObject::DecodeJson(
      *api::FindKind("admissionregistration.k8s.io/v1", kind), absl::string_view(json));
  EXPECT_THAT(object, IsOk()) << json;
  SetDefaults(*object);
  return Object(*std::move(object));
}

std::vector<std::string> ErrorsOf(const Object& object, const Object* old = nullptr) {
  validation::field::ErrorList wrong;
  CheckWebhooks(wrong, object, old);
  std::vector<std::string> texts;
  for (const auto& each : wrong) texts.push_back(each.ToString());
  return texts;
}

// Returns the good webhook with a part replaced.
std::string With(absl::string_view part, absl::string_view by) {
  return absl::StrReplaceAll(kGood, {{part, by}});
}

TEST(ValidateWebhooks, Errors) {
  struct Row {
    std::string name, part, by;
    std::vector<std::string> errors;
  };
  const std::string at = "webhooks[0].";
  const std::vector<Row> rows = {
      {"a good one", "", "", {}},
      {"a short name",
       "a.example.com",
       "a.com",
       {at + "name: Invalid value: \"a.com\": should be a domain with at least three segments "
             "separated by dots"}},
      {"no side effects are said",
       R"("sideEffects":"None",)",
       "",
       {at + "sideEffects: Required value: must specify one of None, NoneOnDryRun"}},
      {"side effects",
       R"("None")",
       R"("Some")",
       {at + "sideEffects: Unsupported value: \"Some\": supported values: \"None\", "
             "\"NoneOnDryRun\""}},
      {"no versions",
       R"(["v1"],"clientConfig")",
       R"([],"clientConfig")",
       {at + "admissionReviewVersions: Required value: must specify one of v1, v1beta1"}},
      {"unknown versions",
       R"(["v1"],"clientConfig")",
       R"(["v2"],"clientConfig")",
       {at + "admissionReviewVersions: Invalid value: [\"v2\"]: must include at least one of v1, "
             "v1beta1"}},
      {"a version twice",
       R"(["v1"],"clientConfig")",
       R"(["v1","v1"],"clientConfig")",
       {at + "admissionReviewVersions[1]: Invalid value: \"v1\": duplicate version"}},
      {"neither URL nor service",
       R"({"service":{"namespace":"n","name":"s"}})",
       "{}",
       {at + "clientConfig: Required value: exactly one of url or service is required"}},
      {"a URL without TLS",
       R"({"service":{"namespace":"n","name":"s"}})",
       R"({"url":"http://h/p?q#f"})",
       {at + "clientConfig.url: Invalid value: \"http\": 'https' is the only allowed URL scheme; "
             "desired format: https://host[/path]",
        at + "clientConfig.url: Invalid value: \"f\": fragments are not permitted in the URL",
        at + "clientConfig.url: Invalid value: \"q\": query parameters are not permitted in the "
             "URL"}},
      {"a service without a name",
       R"("name":"s")",
       R"("name":"")",
       {at + "clientConfig.service.namespace: Required value"}},
      {"a port and a path",
       R"("name":"s")",
       R"("name":"s","port":0,"path":"a/b")",
       {at + "clientConfig.service.port: Invalid value: 0: port is not valid: must be between 1 "
             "and 65535, inclusive",
        at + "clientConfig.service.path: Invalid value: \"a/b\": must start with a '/'",
        at + "clientConfig.service.path: Invalid value: \"a/b\": segment[0] may not be empty"}},
      {"a timeout",
       R"("sideEffects")",
       R"("timeoutSeconds":31,"sideEffects")",
       {at + "timeoutSeconds: Invalid value: 31: the timeout value must be between 1 and 30 "
             "seconds"}},
      {"policies",
       R"("sideEffects")",
       R"("failurePolicy":"x","matchPolicy":"y","sideEffects")",
       {at + "failurePolicy: Unsupported value: \"x\": supported values: \"Fail\", \"Ignore\"",
        at + "matchPolicy: Unsupported value: \"y\": supported values: \"Equivalent\", "
             "\"Exact\""}},
      {"operations",
       R"(["CREATE"])",
       R"(["*","READ"])",
       {at + "rules[0].operations: Invalid value: [\"*\",\"READ\"]: if '*' is present, must not "
             "specify other operations",
        at + "rules[0].operations[1]: Unsupported value: \"READ\": supported values: \"*\", "
             "\"CONNECT\", \"CREATE\", \"DELETE\", \"UPDATE\""}},
      {"resources",
       R"(["pods"])",
       R"(["*/*","pods"])",
       {at + "rules[0].resources: Invalid value: [\"*/*\",\"pods\"]: if '*/*' is present, must not "
             "specify other resources"}},
      {"resources with subresources",
       R"(["pods"])",
       R"(["pods/*","pods/status"])",
       {at + "rules[0].resources[1]: Invalid value: \"pods/status\": if 'pods/*' is present, must "
             "not specify pods/status"}},
      {"groups and versions",
       R"("apiGroups":[""],"apiVersions":["v1"])",
       R"("apiGroups":["*","a"],"apiVersions":[])",
       {at +
            "rules[0].apiGroups: Invalid value: [\"*\",\"a\"]: if '*' is present, must not specify "
            "other API groups",
        at + "rules[0].apiVersions: Required value"}},
      {"an unnamed condition",
       R"("sideEffects")",
       R"("matchConditions":[{"name":"","expression":"true"}],"sideEffects")",
       {at + "matchConditions[0].name: Required value"}},
      {"a condition that is no bool",
       R"("sideEffects")",
       R"("matchConditions":[{"name":"a","expression":" 1 "}],"sideEffects")",
       {at + "matchConditions[0].expression: Invalid value: \"1\": must evaluate to bool but got "
             "int"}},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    const std::string webhook = row.part.empty() ? kGood : With(row.part, row.by);
    for (absl::string_view kind :
         {"MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"}) {
      EXPECT_THAT(ErrorsOf(Configuration(kind, {webhook})), ElementsAreArray(row.errors));
    }
  }
}

TEST(ValidateWebhooks, OfMutatingOnesAlone) {
  const std::string webhook = With(R"("sideEffects")", R"("reinvocationPolicy":"x","sideEffects")");
  EXPECT_THAT(ErrorsOf(Configuration("MutatingWebhookConfiguration", {webhook})),
              ElementsAre("webhooks[0].reinvocationPolicy: Unsupported value: \"x\": supported "
                          "values: \"IfNeeded\", \"Never\""));
}

TEST(ValidateWebhooks, NamesAreUnique) {
  EXPECT_THAT(ErrorsOf(Configuration("MutatingWebhookConfiguration", {kGood, kGood})),
              ElementsAre("webhooks[1].name: Duplicate value: \"a.example.com\""));
}

TEST(ValidateWebhooks, UpdatesMayKeepWhatIsThere) {
  const char kKind[] = "ValidatingWebhookConfiguration";
  const std::string old_text = With(
      R"("None")", R"("Some","matchConditions":[{"name":"a","expression":"authorizer != null"}])");
  const Object old = Configuration(kKind, {old_text, old_text});
  EXPECT_THAT(ErrorsOf(Configuration(kKind, {old_text, old_text}), &old), IsEmpty());
  // A new condition is compiled, and so are the others then.
  const std::string changed = absl::StrReplaceAll(old_text, {{"authorizer != null", "nobody"}});
  EXPECT_THAT(ErrorsOf(Configuration(kKind, {changed, changed}), &old),
              ElementsAre(StartsWith("webhooks[0].matchConditions[0].expression: Invalid value"),
                          StartsWith("webhooks[1].matchConditions[0].expression: Invalid value")));
}

TEST(ValidateWebhooks, OthersHaveNoErrors) {
  absl::StatusOr<codec::AnyObject> map =
      codec::AnyObject::DecodeJson(*api::FindKind("v1", "ConfigMap"), absl::string_view("{}"));
  ASSERT_THAT(map, IsOk());
  EXPECT_THAT(ErrorsOf(Object(*std::move(map))), IsEmpty());
}

}  // namespace
}  // namespace kube::apiserver::internal

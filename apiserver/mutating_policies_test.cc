// MutatingAdmissionPolicies: what they change, in which order, and what clients are told.

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/types/list.h"
#include "apimachinery/unstructured/value.h"
#include "apiserver/testing/webhook_world.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::apiserver {
namespace {

using testing::HasSubstr;
using unstructured::Value;

constexpr char kPolicies[] = "/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies";
constexpr char kBindings[] =
    "/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicybindings";
constexpr char kMap[] = R"({"metadata":{"name":"m"},"data":{"x":"y"}})";

// Returns the member "mutations" with one expression.
std::string Merges(absl::string_view expression) {
  return absl::StrCat(
      R"("mutations":[{"patchType":"ApplyConfiguration","applyConfiguration":{"expression":")",
      expression, "\"}}]");
}
std::string Patches(absl::string_view expression) {
  return absl::StrCat(R"("mutations":[{"patchType":"JSONPatch","jsonPatch":{"expression":")",
                      expression, "\"}}]");
}
std::string Labels(absl::string_view labels) {
  return Merges(absl::StrCat("Object{metadata: Object.metadata{labels: {", labels, "}}}"));
}

// Creates a policy about config maps, and a binding with its name; `binding` has further members of
// its spec.
void Bind(WebhookWorld& world, absl::string_view name, absl::string_view spec,
          absl::string_view binding = "", absl::string_view reinvocation = "Never") {
  world.Expect(
      201, "POST", kPolicies,
      absl::StrCat(R"({"metadata":{"name":")", name,
                   R"("},"spec":{"matchConstraints":{"resourceRules":[)",
                   R"({"operations":["CREATE","UPDATE"],"apiGroups":[""],"apiVersions":["v1"],)",
                   R"("resources":["configmaps"]}]},"reinvocationPolicy":")", reinvocation, "\",",
                   spec, "}}"));
  world.Expect(201, "POST", kBindings,
               absl::StrCat(R"({"metadata":{"name":")", name, R"("},"spec":{"policyName":")", name,
                            "\"", binding, "}}"));
}

TEST(MutatingPolicies, ChangeWhatIsWritten) {
  WebhookWorld world;
  Bind(world, "a", Labels("'a': object.data.x"));
  Bind(world, "b",
       Patches("[JSONPatch{op: 'add', path: '/data/' + jsonpatch.escapeKey('k'), value: "
               "object.metadata.labels.a}]"));
  const Value made = world.Expect(201, "POST", kMaps, kMap);
  EXPECT_EQ(made["metadata"]["labels"]["a"].text(), "y");
  EXPECT_EQ(made["data"]["k"].text(), "y");
  const std::string map = absl::StrCat(kMaps, "/m");
  const Value updated =
      world.Expect(200, "PATCH", map, R"({"data":{"x":"z"}})", "application/merge-patch+json");
  EXPECT_EQ(updated["metadata"]["labels"]["a"].text(), "z");
  EXPECT_EQ(world.Expect(200, "GET", map)["data"]["k"].text(), "z");
  world.Expect(200, "DELETE", map);
}

TEST(MutatingPolicies, ComeBeforeWebhooks) {
  WebhookWorld world;
  std::string seen;
  world.Configure(
      "Mutating", "a", [&](const Context&, absl::string_view body) -> absl::StatusOr<std::string> {
        seen =
            std::string(RequestOf(body)["object"]["metadata"]["labels"]["a"].text().value_or(""));
        return AllowReview(body);
      });
  Bind(world, "p", Labels("'a': 'b'"));
  world.Expect(201, "POST", kMaps, kMap);
  EXPECT_EQ(seen, "b");
  world.EndHandler();
}

TEST(MutatingPolicies, ErrorsAreTheAnswer) {
  WebhookWorld world;
  Bind(world, "p", Labels("'a': object.data.none"));
  const Value status = world.Expect(403, "POST", kMaps, kMap);
  constexpr char kMessage[] =
      "policy 'p' with binding 'p' denied request: expression 'Object{metadata: "
      "Object.metadata{labels: {'a': object.data.none}}}' resulted in error: no such key: none";
  EXPECT_EQ(MessageOf(status), kMessage);
  EXPECT_EQ(status["reason"].text(), "Invalid");
  ASSERT_TRUE(status["details"]["causes"].is_list());
  EXPECT_EQ((*status["details"]["causes"].list())[0]["message"].text(), kMessage);
  world.Expect(404, "GET", absl::StrCat(kMaps, "/m"));
}

TEST(MutatingPolicies, FailuresMayBeIgnored) {
  WebhookWorld world;
  Bind(world, "a", absl::StrCat(Labels("'a': object.data.none"), R"(,"failurePolicy":"Ignore")"));
  Bind(world, "b", Labels("'b': 'c'"));
  const Value made = world.Expect(201, "POST", kMaps, kMap);
  EXPECT_EQ(made["metadata"]["labels"]["b"].text(), "c");
}

TEST(MutatingPolicies, HaveConditionsAndVariables) {
  WebhookWorld world;
  Bind(world, "p",
       absl::StrCat(R"("matchConditions":[{"name":"c","expression":"object.data.x == 'y'"}],)",
                    R"("variables":[{"name":"v","expression":"object.data.x + '!'"}],)",
                    Merges("Object{data: {'v': variables.v}}")));
  EXPECT_EQ(world.Expect(201, "POST", kMaps, kMap)["data"]["v"].text(), "y!");
  const Value other =
      world.Expect(201, "POST", kMaps, R"({"metadata":{"name":"n"},"data":{"x":"z"}})");
  EXPECT_TRUE(other["data"]["v"].is_null());
}

TEST(MutatingPolicies, HaveParameters) {
  WebhookWorld world;
  world.Expect(201, "POST", "/api/v1/namespaces/default/secrets",
               R"({"metadata":{"name":"p","labels":{"team":"a"}}})");
  Bind(world, "p",
       absl::StrCat(R"("paramKind":{"apiVersion":"v1","kind":"Secret"},)",
                    Labels("'team': params.metadata.labels.team")),
       R"(,"paramRef":{"name":"p","parameterNotFoundAction":"Deny"})");
  EXPECT_EQ(world.Expect(201, "POST", kMaps, kMap)["metadata"]["labels"]["team"].text(), "a");
  world.Expect(200, "DELETE", "/api/v1/namespaces/default/secrets/p");
  EXPECT_THAT(MessageOf(world.Expect(403, "POST", kMaps, R"({"metadata":{"name":"n"}})")),
              HasSubstr("policy 'p' with binding 'p' denied request: failed to configure binding: "
                        "no params found for policy binding with `Deny` "
                        "parameterNotFoundAction"));
}

// What a later policy does is seen by an earlier one that asks for it.
TEST(MutatingPolicies, MayBeAskedAgain) {
  constexpr char kSees[] =
      "has(object.data.later) ? Object{metadata: Object.metadata{labels: {'seen': 'yes'}}} : "
      "Object{}";
  for (const bool again : {false, true}) {
    WebhookWorld world;
    Bind(world, "a", Merges(kSees), "", again ? "IfNeeded" : "Never");
    Bind(world, "b", Merges("Object{data: {'later': 'b'}}"));
    const Value made = world.Expect(201, "POST", kMaps, kMap);
    EXPECT_EQ(made["data"]["later"].text(), "b");
    EXPECT_EQ(made["metadata"]["labels"]["seen"].text().has_value(), again);
  }
}

TEST(MutatingPolicies, FieldsMustFit) {
  WebhookWorld world;
  Bind(world, "p", Merges("Object{none: Object.none{}}"));
  EXPECT_EQ(MessageOf(world.Expect(403, "POST", kMaps, kMap)),
            "policy 'p' with binding 'p' denied request: error applying patch: failed to convert "
            "patch object to typed object: .none: field not declared in schema");
}

}  // namespace
}  // namespace kube::apiserver

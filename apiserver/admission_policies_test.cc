// ValidatingAdmissionPolicies: which requests they are asked about, what expressions see, and what
// clients are told.

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/types/list.h"
#include "apimachinery/unstructured/value.h"
#include "apiserver/handler.h"
#include "apiserver/testing/fake_exchange.h"
#include "apiserver/testing/policy_objects.h"
#include "apiserver/testing/webhook_world.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/http/headers.h"

namespace kube::apiserver {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using unstructured::Value;

constexpr char kMap[] = R"({"metadata":{"name":"m","labels":{"a":"b"}},"data":{"x":"y"}})";

TEST(AdmissionPolicies, Deny) {
  WebhookWorld world;
  BindPolicy(world, "p", Says("object.data.x == 'z'", R"(,"message":" must be z ")"));
  const Value status = world.Expect(422, "POST", kMaps, kMap);
  constexpr char kMessage[] =
      "ValidatingAdmissionPolicy 'p' with binding 'p' denied request: must be z";
  EXPECT_EQ(MessageOf(status), absl::StrCat("configmaps \"m\" is forbidden: ", kMessage));
  EXPECT_EQ(status["reason"].text(), "Invalid");
  EXPECT_EQ(status["details"]["name"].text(), "m");
  EXPECT_EQ(status["details"]["kind"].text(), "configmaps");
  ASSERT_TRUE(status["details"]["causes"].is_list());
  EXPECT_EQ((*status["details"]["causes"].list())[0]["message"].text(), kMessage);
  world.Expect(201, "POST", kMaps, R"({"metadata":{"name":"m"},"data":{"x":"z"}})");
}

TEST(AdmissionPolicies, DoNothingWithoutABinding) {
  WebhookWorld world;
  world.Expect(201, "POST", kPolicies, PolicyJson("p", Says("false")));
  world.Expect(201, "POST", kMaps, kMap);
  world.Expect(201, "POST", kBindings, BindingJson("b", "p"));
  world.Expect(422, "DELETE", absl::StrCat(kMaps, "/m"));
  world.Expect(200, "DELETE", absl::StrCat(kBindings, "/b"));
  world.Expect(200, "DELETE", absl::StrCat(kMaps, "/m"));
}

TEST(AdmissionPolicies, ReasonsDecideOnTheCode) {
  struct Row {
    const char* reason;
    int code;
  };
  for (const Row& row :
       {Row{"Forbidden", 403}, Row{"RequestEntityTooLarge", 413}, Row{"Invalid", 422}}) {
    WebhookWorld world;
    BindPolicy(world, "p", Says("false", absl::StrCat(R"(,"reason":")", row.reason, "\"")));
    const Value status = world.Expect(row.code, "POST", kMaps, kMap);
    EXPECT_EQ(status["reason"].text(), row.reason);
  }
}

struct MessageRow {
  const char* name;
  std::string validation;
  const char* message;
};

class PolicyMessages : public testing::TestWithParam<MessageRow> {};

TEST_P(PolicyMessages, AreTold) {
  WebhookWorld world;
  BindPolicy(world, "p",
             absl::StrCat(R"("variables":[{"name":"x","expression":"object.data.x"},)",
                          R"({"name":"bad","expression":"object.data.missing"}],"validations":[)",
                          GetParam().validation, "]"));
  EXPECT_EQ(MessageOf(world.Expect(422, "POST", kMaps, kMap)),
            absl::StrCat("configmaps \"m\" is forbidden: ValidatingAdmissionPolicy 'p' with "
                         "binding 'p' denied request: ",
                         GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    All, PolicyMessages,
    testing::Values(
        MessageRow{"OfTheExpression", R"({"expression":" 1 > 2 "})", "failed expression: 1 > 2"},
        MessageRow{"Computed",
                   R"({"expression":"false","message":"m",)"
                   R"("messageExpression":"'x is ' + variables.x"})",
                   "x is y"},
        MessageRow{"NotComputed",
                   R"({"expression":"false","message":"m",)"
                   R"x("messageExpression":"string(object.none)"})x",
                   "m"},
        MessageRow{"WithNewlines",
                   R"({"expression":"false","message":"m",)"
                   R"("messageExpression":"'a\\nb'"})",
                   "m"},
        MessageRow{"OfAnError", R"({"expression":"object.none == 1"})",
                   "expression 'object.none == 1' resulted in error: no such key: none"},
        MessageRow{"OfAVariable", R"({"expression":"variables.bad == ''"})",
                   "expression 'variables.bad == ''' resulted in error: composited variable "
                   "\"bad\" fails to evaluate: no such key: missing"},
        MessageRow{"OfTheFirst",
                   R"({"expression":"true"},{"expression":"false","message":"2"},)"
                   R"({"expression":"false","message":"3"})",
                   "2"}),
    [](const testing::TestParamInfo<MessageRow>& row) { return std::string(row.param.name); });

// Returns the member "variables" with a chain of variables: v0 is 1, and each other one that before
// it and 1.
std::string Chain(int size) {
  std::string variables = R"("variables":[{"name":"v0","expression":"1"})";
  for (int i = 1; i < size; ++i) {
    absl::StrAppend(&variables, R"(,{"name":"v)", i, R"(","expression":"variables.v)", i - 1,
                    " + 1\"}");
  }
  return absl::StrCat(variables, "],");
}

TEST(AdmissionPolicies, VariablesReferToEachOther) {
  WebhookWorld world;
  BindPolicy(world, "p", absl::StrCat(Chain(50), Says("variables.v49 == 50")));
  world.Expect(201, "POST", kMaps, kMap);
  BindPolicy(world, "q", absl::StrCat(Chain(5000), Says("variables.v4999 == 5000")));
  EXPECT_THAT(MessageOf(world.Expect(422, "DELETE", absl::StrCat(kMaps, "/m"))),
              HasSubstr("variables are nested too deep"));
}

TEST(AdmissionPolicies, VariablesWithTheSameName) {
  WebhookWorld world;
  BindPolicy(
      world, "p",
      absl::StrCat(R"("variables":[{"name":"a","expression":"1"},)",
                   R"({"name":"a","expression":"variables.a + 1"}],)", Says("variables.a == 2")));
  EXPECT_THAT(MessageOf(world.Expect(422, "POST", kMaps, kMap)), HasSubstr("it refers to itself"));
}

// What expressions see when a config map is created.
TEST(AdmissionPolicies, SeeTheRequest) {
  for (const char* expression :
       {"object.kind == 'ConfigMap' && object.apiVersion == 'v1'", "oldObject == null",
        "request.operation == 'CREATE' && request.name == 'm' && request.namespace == 'default'",
        "request.resource.resource == 'configmaps' && request.kind.kind == 'ConfigMap'",
        "request.userInfo.username == 'tester' && !request.dryRun",
        "namespaceObject.metadata.name == 'default' && namespaceObject.status.phase == 'Active'",
        "authorizer.group('').resource('pods').check('get').allowed()",
        "authorizer.requestResource.check('create').allowed()"}) {
    WebhookWorld world;
    BindPolicy(world, "p", Says(expression));
    world.Expect(201, "POST", kMaps, kMap);
  }
}

TEST(AdmissionPolicies, SeeBothObjectsOfAnUpdateAndTheOldOneOfADeletion) {
  WebhookWorld world;
  world.Expect(201, "POST", kMaps, kMap);
  BindPolicy(world, "p",
             Says("request.operation == 'DELETE' ? object == null && oldObject.data.x == 'z' : "
                  "object.data.x != oldObject.data.x"));
  const std::string map = absl::StrCat(kMaps, "/m");
  world.Expect(422, "PATCH", map, R"({"data":{"w":"1"}})", kMergePatch);
  world.Expect(422, "DELETE", map);
  world.Expect(422, "PATCH", absl::StrCat(map, "?dryRun=All"), R"({"data":{"w":"1"}})",
               kMergePatch);
  world.Expect(200, "PATCH", map, R"({"data":{"x":"z"}})", kMergePatch);
  world.Expect(200, "DELETE", map);
}

TEST(AdmissionPolicies, AuthorizersKnowDenyRules) {
  HandlerOptions options;
  options.deny.push_back({.user = "tester", .verb = "create", .resource = "secrets"});
  WebhookWorld world(std::move(options));
  BindPolicy(world, "p",
             Says("authorizer.group('').resource('secrets').check('create').allowed()"));
  world.Expect(422, "POST", kMaps, kMap);
}

TEST(AdmissionPolicies, AskedAboutWhatTheyMatch) {
  struct Row {
    const char* name;
    const char* constraints;
    bool denied;
  };
  for (const Row& row :
       {Row{"all", "", true},
        Row{"labels that the object has", R"(,"objectSelector":{"matchLabels":{"a":"b"}})", true},
        Row{"others", R"(,"objectSelector":{"matchLabels":{"a":"c"}})", false},
        Row{"the namespace",
            R"(,"namespaceSelector":{"matchLabels":{"kubernetes.io/metadata.name":"default"}})",
            true},
        Row{"another namespace", R"(,"namespaceSelector":{"matchLabels":{"a":"b"}})", false},
        Row{"an excluded name",
            R"(,"excludeResourceRules":[{"resourceNames":["m"],"operations":["*"],)"
            R"("apiGroups":["*"],"apiVersions":["*"],"resources":["*"]}])",
            false},
        Row{"another excluded name",
            R"(,"excludeResourceRules":[{"resourceNames":["n"],"operations":["*"],)"
            R"("apiGroups":["*"],"apiVersions":["*"],"resources":["*"]}])",
            true}}) {
    SCOPED_TRACE(row.name);
    WebhookWorld world;
    BindPolicy(world, "p", Says("false"), "", row.constraints);
    world.Expect(row.denied ? 422 : 201, "POST", kMaps, kMap);
  }
}

TEST(AdmissionPolicies, BindingsNarrow) {
  WebhookWorld world;
  BindPolicy(world, "p", Says("false"),
             R"(,"matchResources":{"objectSelector":{"matchLabels":{"a":"c"}}})");
  world.Expect(201, "POST", kMaps, kMap);
  world.Expect(201, "POST", kBindings, BindingJson("z", "p"));
  EXPECT_THAT(MessageOf(world.Expect(422, "DELETE", absl::StrCat(kMaps, "/m"))),
              HasSubstr("with binding 'z'"));
}

TEST(AdmissionPolicies, ConditionsDecideWhetherTheyAreEvaluated) {
  WebhookWorld world;
  const std::string condition =
      R"("matchConditions":[{"name":"c","expression":"object.metadata.name == 'm'"}],)";
  BindPolicy(world, "p", absl::StrCat(condition, Says("false")));
  world.Expect(201, "POST", kMaps, R"({"metadata":{"name":"n"}})");
  world.Expect(422, "POST", kMaps, kMap);
}

TEST(AdmissionPolicies, FailuresFollowThePolicy) {
  WebhookWorld world;
  BindPolicy(world, "p", absl::StrCat(R"("failurePolicy":"Ignore",)", Says("object.none == 1")));
  world.Expect(201, "POST", kMaps, kMap);
}

TEST(AdmissionPolicies, ErrorsOfAnnotationsDeny) {
  WebhookWorld world;
  BindPolicy(world, "p",
             R"x("auditAnnotations":[{"key":"k","valueExpression":"string(object.none)"}])x");
  EXPECT_THAT(MessageOf(world.Expect(422, "POST", kMaps, kMap)),
              HasSubstr("expression 'string(object.none)' resulted in error: no such key: none"));
}

TEST(AdmissionPolicies, Warn) {
  WebhookWorld world;
  world.Expect(201, "POST", kPolicies, PolicyJson("p", Says("false", R"(,"message":"bad")")));
  world.Expect(201, "POST", kBindings, BindingJson("b", "p", "", "Warn"));
  world.Expect(201, "POST", kBindings, BindingJson("c", "p", "", "Audit"));
  const auto exchange = world.Send("POST", kMaps, kMap);
  EXPECT_EQ(exchange->status(), 201);
  EXPECT_THAT(exchange->headers().GetAll("warning"),
              ElementsAre("299 - \"Validation failed for ValidatingAdmissionPolicy 'p' with "
                          "binding 'b': bad\""));
}

TEST(AdmissionPolicies, CostsAreLimited) {
  WebhookWorld world;
  // Three checks.
  const std::string check = "authorizer.path('/').check('get').allowed()";
  BindPolicy(world, "p", Says(absl::StrCat(check, " && ", check, " && ", check)));
  EXPECT_THAT(MessageOf(world.Expect(422, "POST", kMaps, kMap)),
              HasSubstr("resulted in error: operation cancelled: actual cost limit exceeded"));
}

// ---- parameters

constexpr char kParamKind[] = R"("paramKind":{"apiVersion":"v1","kind":"ConfigMap"},)";

std::string ParamRef(absl::string_view ref, absl::string_view action = "Deny") {
  return absl::StrCat(R"(,"paramRef":{)", ref, R"(,"parameterNotFoundAction":")", action, "\"}");
}

TEST(AdmissionPolicies, HaveParameters) {
  WebhookWorld world;
  const std::string spec =
      absl::StrCat(R"("matchConditions":[{"name":"c",)",
                   R"x("expression":"!object.metadata.name.startsWith('limit')"}],)x", kParamKind,
                   Says("object.data.x == params.data.x"));
  BindPolicy(world, "p", spec, ParamRef(R"("name":"limits")"));
  EXPECT_THAT(MessageOf(world.Expect(422, "POST", kMaps, kMap)),
              HasSubstr("'p' denied request: failed to configure binding: no params found for "
                        "policy binding with `Deny` parameterNotFoundAction"));
  world.Expect(200, "DELETE", absl::StrCat(kBindings, "/p"));
  world.Expect(201, "POST", kMaps, R"({"metadata":{"name":"limits"},"data":{"x":"y"}})");
  world.Expect(201, "POST", kBindings, BindingJson("p", "p", ParamRef(R"("name":"limits")")));
  world.Expect(201, "POST", kMaps, kMap);
  world.Expect(422, "POST", kMaps, R"({"metadata":{"name":"n"},"data":{"x":"z"}})");
}

TEST(AdmissionPolicies, AreEvaluatedForEachSelectedParameter) {
  WebhookWorld world;
  world.Expect(201, "POST", kMaps,
               R"({"metadata":{"name":"l1","labels":{"l":"1"}},"data":{"x":"y"}})");
  world.Expect(201, "POST", kMaps,
               R"({"metadata":{"name":"l2","labels":{"l":"1"}},"data":{"x":"z"}})");
  BindPolicy(
      world, "p",
      absl::StrCat(kParamKind, Says("object.data.x == params.data.x",
                                    R"(,"messageExpression":"'not as ' + params.metadata.name")")),
      ParamRef(R"("selector":{"matchLabels":{"l":"1"}})"));
  EXPECT_THAT(MessageOf(world.Expect(422, "POST", kMaps, kMap)), HasSubstr("not as l2"));
}

TEST(AdmissionPolicies, MayAllowMissingParameters) {
  WebhookWorld world;
  BindPolicy(world, "p", absl::StrCat(kParamKind, Says("false")),
             ParamRef(R"("name":"limits","namespace":"default")", "Allow"));
  world.Expect(201, "POST", kMaps, kMap);
}

TEST(AdmissionPolicies, NeedAServedKindOfParameters) {
  WebhookWorld world;
  BindPolicy(world, "p",
             absl::StrCat(R"("paramKind":{"apiVersion":"e.com/v1","kind":"Limit"},)", Says("true")),
             ParamRef(R"("name":"limits")"));
  EXPECT_EQ(MessageOf(world.Expect(422, "POST", kMaps, kMap)),
            "configmaps \"m\" is forbidden: ValidatingAdmissionPolicy 'p' denied request: failed "
            "to configure policy: failed to find resource referenced by paramKind: 'e.com/v1, "
            "Kind=Limit'");
}

TEST(AdmissionPolicies, HaveCustomParameters) {
  WebhookWorld world;
  world.Expect(201, "POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
               R"({"metadata":{"name":"limits.e.com"},"spec":{"group":"e.com","scope":"Cluster",)"
               R"("names":{"plural":"limits","kind":"Limit"},"versions":[{"name":"v1",)"
               R"("served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object",)"
               R"("properties":{"only":{"type":"string"}}}}}]}})");
  world.Expect(201, "POST", "/apis/e.com/v1/limits",
               R"({"apiVersion":"e.com/v1","kind":"Limit","metadata":{"name":"l"},"only":"y"})");
  BindPolicy(world, "p",
             absl::StrCat(R"("paramKind":{"apiVersion":"e.com/v1","kind":"Limit"},)",
                          Says("params.kind == 'Limit' && object.data.x == params.only")),
             ParamRef(R"("name":"l")"));
  world.Expect(201, "POST", kMaps, kMap);
  world.Expect(422, "POST", kMaps, R"({"metadata":{"name":"n"},"data":{"x":"z"}})");
  world.Expect(201, "POST", kBindings,
               BindingJson("a", "p", ParamRef(R"("name":"l","namespace":"default")")));
  EXPECT_THAT(MessageOf(world.Expect(422, "DELETE", absl::StrCat(kMaps, "/m"))),
              HasSubstr("with binding 'a' denied request: failed to configure binding: "
                        "paramRef.namespace must not be provided for a cluster-scoped"));
}

// ---- other requests

// Binds a policy with one rule.
void BindRule(WebhookWorld& world, absl::string_view rule, absl::string_view expression,
              absl::string_view constraints = "") {
  world.Expect(
      201, "POST", kPolicies,
      absl::StrCat(R"({"metadata":{"name":"p"},"spec":{"matchConstraints":{)",
                   R"("resourceRules":[{)", rule, "}]", constraints, "},", Says(expression), "}}"));
  world.Expect(201, "POST", kBindings, BindingJson("p", "p"));
}

TEST(AdmissionPolicies, AskedAboutScales) {
  constexpr char kDeployments[] = "/apis/apps/v1/namespaces/default/deployments";
  WebhookWorld world;
  BindRule(world,
           R"("operations":["UPDATE"],"apiGroups":["apps"],"apiVersions":["v1"],)"
           R"("resources":["deployments/scale"])",
           "request.subResource == 'scale' && object.kind == 'Scale' && object.spec.replicas < 3");
  world.Expect(201, "POST", kDeployments,
               R"({"metadata":{"name":"d"},"spec":{"replicas":5,)"
               R"("selector":{"matchLabels":{"a":"b"}},)"
               R"("template":{"metadata":{"labels":{"a":"b"}},)"
               R"("spec":{"containers":[{"name":"c","image":"i"}]}}}})");
  const std::string scale = absl::StrCat(kDeployments, "/d/scale");
  world.Expect(422, "PATCH", scale, R"({"spec":{"replicas":4}})", kMergePatch);
  world.Expect(200, "PATCH", scale, R"({"spec":{"replicas":2}})", kMergePatch);
}

TEST(AdmissionPolicies, AskedAboutConnections) {
  constexpr char kPods[] = "/api/v1/namespaces/default/pods";
  WebhookWorld world;
  BindRule(world,
           R"("operations":["CONNECT"],"apiGroups":[""],"apiVersions":["v1"],)"
           R"("resources":["pods/exec"])",
           "object.command == ['ls']");
  world.Expect(201, "POST", kPods,
               R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i"}]}})");
  EXPECT_THAT(MessageOf(world.Expect(422, "POST", absl::StrCat(kPods, "/p/exec?command=rm"))),
              HasSubstr("denied request: failed expression: object.command == ['ls']"));
  // Without an upgrade it goes no further than the policies.
  world.Expect(400, "POST", absl::StrCat(kPods, "/p/exec?command=ls&stdout=true"));
}

TEST(AdmissionPolicies, GetTheVersionThatTheyMatch) {
  constexpr char kOld[] = "/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers";
  constexpr char kScaler[] =
      R"({"metadata":{"name":"h"},"spec":{"scaleTargetRef":{"apiVersion":"apps/v1",)"
      R"("kind":"Deployment","name":"d"},"maxReplicas":3,"targetCPUUtilizationPercentage":50}})";
  constexpr char kRule[] =
      R"("operations":["CREATE"],"apiGroups":["autoscaling"],"apiVersions":["v2"],)"
      R"("resources":["horizontalpodautoscalers"])";
  {
    WebhookWorld world;
    BindRule(world, kRule,
             "has(object.spec.metrics) && request.kind.version == 'v2' && "
             "request.requestKind.version == 'v1' && object.spec.maxReplicas > 3");
    world.Expect(422, "POST", kOld, kScaler);
  }
  {
    WebhookWorld world;
    BindRule(world, kRule,
             "has(object.spec.metrics) && request.kind.version == 'v2' && "
             "request.requestKind.version == 'v1'");
    world.Expect(201, "POST", kOld, kScaler);
  }
  {
    WebhookWorld world;
    BindRule(world, kRule, "false", R"(,"matchPolicy":"Exact")");
    world.Expect(201, "POST", kOld, kScaler);
  }
}

// ---- where they stand

TEST(AdmissionPolicies, ComeBetweenTheWebhooks) {
  WebhookWorld world;
  bool asked = false;
  world.Configure("Mutating", "a", [](const Context&, absl::string_view body) {
    return absl::StatusOr<std::string>(
        PatchReview(body, R"([{"op":"replace","path":"/data/x","value":"changed"}])"));
  });
  world.Configure("Validating", "b", [&asked](const Context&, absl::string_view body) {
    asked = true;
    return absl::StatusOr<std::string>(AllowReview(body));
  });
  BindPolicy(world, "p", Says("object.data.x != 'changed'"));
  world.Expect(422, "POST", kMaps, kMap);
  EXPECT_FALSE(asked);
}

TEST(AdmissionPolicies, NeverAskedAboutThemselvesAndReviews) {
  WebhookWorld world;
  world.Expect(201, "POST", kPolicies,
               R"({"metadata":{"name":"all"},"spec":{"matchConstraints":{"resourceRules":[)"
               R"({"operations":["*"],"apiGroups":["*"],"apiVersions":["*"],)"
               R"("resources":["*/*"]}]},"validations":[{"expression":"false"}]}})");
  world.Expect(201, "POST", kBindings, BindingJson("all", "all"));
  world.Expect(422, "POST", kMaps, kMap);
  world.Expect(201, "POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
               R"({"spec":{"resourceAttributes":{"verb":"get","resource":"pods"}}})");
  world.Expect(200, "DELETE", absl::StrCat(kPolicies, "/all"));
  world.Expect(201, "POST", kMaps, kMap);
}

TEST(AdmissionPolicies, AreCheckedForTheKindsOfTheirRules) {
  WebhookWorld world;
  const std::string policy = absl::StrCat(kPolicies, "/p");
  world.Expect(201, "POST", kPolicies, PolicyJson("p", Says("object.date.x == 'z'")));
  const Value bad = world.Expect(200, "GET", policy);
  EXPECT_EQ(bad["status"]["observedGeneration"].integer(), 1);
  const Value& warnings = bad["status"]["typeChecking"]["expressionWarnings"];
  ASSERT_TRUE(warnings.is_list());
  ASSERT_EQ(warnings.list()->size(), 1u);
  const Value& warning = warnings.list()->front();
  EXPECT_EQ(warning["fieldRef"].text(), "spec.validations[0].expression");
  EXPECT_EQ(warning["warning"].text(),
            "/v1, Kind=ConfigMap: ERROR: <input>:1:7: undefined field 'date'\n"
            " | object.date.x == 'z'\n"
            " | ......^\n");
  world.Expect(200, "PATCH", policy,
               R"({"spec":{"validations":[{"expression":"object.data.x == 'z'"}]}})", kMergePatch);
  const Value good = world.Expect(200, "GET", policy);
  EXPECT_EQ(good["status"]["observedGeneration"].integer(), 2);
  EXPECT_TRUE(good["status"]["typeChecking"].is_object());
  EXPECT_TRUE(good["status"]["typeChecking"]["expressionWarnings"].is_null());
}

TEST(AdmissionPolicies, AreNotCheckedWithoutControllers) {
  WebhookWorld world({.controllers = false});
  world.Expect(201, "POST", kPolicies, PolicyJson("p", Says("object.date.x == 'z'")));
  const Value policy = world.Expect(200, "GET", absl::StrCat(kPolicies, "/p"));
  EXPECT_TRUE(policy["status"]["observedGeneration"].is_null());
  EXPECT_TRUE(policy["status"]["typeChecking"].is_null());
}

TEST(AdmissionPolicies, WorkInASimulation) {
  base::SimRuntime sim({.seed = 1});
  const absl::Status outcome = sim.Run([] {
    WebhookWorld world;
    BindPolicy(world, "p", Says("object.data.x == 'z'"));
    world.Expect(422, "POST", kMaps, kMap);
    world.Expect(201, "POST", kMaps, R"({"metadata":{"name":"m"},"data":{"x":"z"}})");
  });
  EXPECT_TRUE(outcome.ok()) << outcome;
}

}  // namespace
}  // namespace kube::apiserver

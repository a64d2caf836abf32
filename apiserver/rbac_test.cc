// A server with HandlerOptions::authorization = kRbac: what users may do, what they are told, and
// what they may give to others.
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apiserver/handler.h"
#include "apiserver/testing/fake_exchange.h"
#include "apiserver/user.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using unstructured::Value;

constexpr char kPods[] = "/api/v1/namespaces/default/pods";
constexpr char kMaps[] = "/api/v1/namespaces/default/configmaps";
constexpr char kRbac[] = "/apis/rbac.authorization.k8s.io/v1";
constexpr char kApply[] = "application/apply-patch+yaml";
constexpr char kMerge[] = "application/merge-patch+json";

const std::string kRoles = absl::StrCat(kRbac, "/namespaces/default/roles");
const std::string kBindings = absl::StrCat(kRbac, "/namespaces/default/rolebindings");
const std::string kClusterRoles = absl::StrCat(kRbac, "/clusterroles");
const std::string kClusterBindings = absl::StrCat(kRbac, "/clusterrolebindings");

struct Sent {
  std::string body = {};
  std::string content_type = "application/json";
  // Headers of impersonation.
  std::map<std::string, std::string> headers = {};
};

// A server whose users have their names as tokens: "root", of system:masters, "ann" and "op", a
// service account. Nobody is anonymous.
class Server {
 public:
  explicit Server(HandlerOptions options = {}) : handler_(WithUsers(std::move(options))) {}

  std::shared_ptr<FakeExchange> Send(absl::string_view user, absl::string_view method,
                                     absl::string_view target, const Sent& sent = {}) {
    httpserver::Request request{.method = std::string(method), .target = std::string(target)};
    if (!user.empty()) request.headers.Set("authorization", absl::StrCat("Bearer ", user));
    request.headers.Set("content-type", sent.content_type);
    for (const auto& [name, value] : sent.headers) request.headers.Set(name, value);
    request.body = sent.body;
    auto exchange = std::make_shared<FakeExchange>(std::move(request));
    handler_.Handle(exchange);
    return exchange;
  }

  // Returns the body of an answer with this code; another code is a failed test.
  Value Expect(int code, absl::string_view user, absl::string_view method, absl::string_view target,
               const Sent& sent = {}) {
    const auto exchange = Send(user, method, target, sent);
    EXPECT_EQ(exchange->status(), code) << std::string(method) << " " << std::string(target) << "\n"
                                        << exchange->body();
    const absl::StatusOr<Value> value = unstructured::ParseJson(exchange->body());
    return value.ok() ? *value : Value();
  }

  // Creates a role and its binding to a user, as the administrator.
  void Allow(absl::string_view user, absl::string_view name, absl::string_view rules) {
    Expect(
        201, "root", "POST", kRoles,
        {.body = absl::StrCat(R"({"metadata":{"name":")", name, R"("},"rules":[)", rules, "]}")});
    Bind(user, name, "Role", name);
  }
  void Bind(absl::string_view user, absl::string_view name, absl::string_view kind,
            absl::string_view role) {
    Expect(201, "root", "POST", kBindings, {.body = Binding(user, name, kind, role)});
  }
  static std::string Binding(absl::string_view user, absl::string_view name, absl::string_view kind,
                             absl::string_view role) {
    return absl::StrCat(R"({"metadata":{"name":")", name,
                        R"("},"subjects":[{"kind":"User","name":")", user,
                        R"("}],"roleRef":{"kind":")", kind, R"(","name":")", role, "\"}}");
  }

  LoggedRequest Last() { return handler_.Requests().back(); }
  ApiHandler& handler() { return handler_; }

 private:
  static HandlerOptions WithUsers(HandlerOptions options) {
    options.authorization = Authorization::kRbac;
    options.tokens["root"] = {.name = "root", .groups = {"system:masters"}};
    options.tokens["ann"] = {.name = "ann"};
    options.tokens["op"] = {.name = "system:serviceaccount:default:op"};
    return options;
  }

  ApiHandler handler_;
};

// Returns the text at a path such as "metadata.name", or "" if the object has no such text.
std::string Text(const Value& value, absl::string_view path) {
  const Value* at = &value;
  for (absl::string_view rest = path; at != nullptr && !rest.empty();) {
    const size_t dot = rest.find('.');
    at = at->Find(rest.substr(0, dot));
    rest = dot == absl::string_view::npos ? "" : rest.substr(dot + 1);
  }
  return at == nullptr ? "" : std::string(at->text().value_or(""));
}

bool Flag(const Value& value, absl::string_view name) {
  const Value* const status = value.Find("status");
  const Value* const flag = status == nullptr ? nullptr : status->Find(name);
  return flag != nullptr && flag->boolean().value_or(false);
}

constexpr absl::string_view kReadPods =
    R"({"verbs":["get","list","watch"],"apiGroups":[""],"resources":["pods","pods/log"]})";

TEST(Rbac, NewUsersMayFindOutWhoTheyAre) {
  Server server;
  EXPECT_EQ(Text(server.Expect(403, "ann", "GET", kPods), "message"),
            "pods is forbidden: User \"ann\" cannot list resource \"pods\" in API group \"\" in "
            "the namespace \"default\"");
  server.Expect(200, "ann", "GET", "/apis");
  server.Expect(200, "ann", "GET", "/version");
  server.Expect(201, "ann", "POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews",
                {.body = "{}"});
  EXPECT_EQ(Text(server.Expect(403, "ann", "GET", "/metrics"), "message"),
            "forbidden: User \"ann\" cannot get path \"/metrics\"");
  server.Expect(200, "root", "GET", kPods);
}

TEST(Rbac, AnonymousUsersMaySeeHealthByARole) {
  Server server;
  EXPECT_EQ(server.Send("", "GET", "/healthz")->status(), 200);
  EXPECT_EQ(server.Send("", "GET", "/apis")->status(), 403);
  server.Expect(200, "root", "DELETE", kClusterBindings + "/system:public-info-viewer");
  EXPECT_EQ(server.Send("", "GET", "/healthz")->status(), 403);
  Server open({.anonymous = Anonymous::kAll});
  EXPECT_EQ(open.Send("", "GET", kPods)->status(), 200);
}

TEST(Rbac, ARoleAllowsFromTheNextRequestOn) {
  Server server;
  server.Allow("ann", "read", kReadPods);
  server.Expect(200, "ann", "GET", kPods);
  server.Expect(404, "ann", "GET", absl::StrCat(kPods, "/a"));
  server.Expect(403, "ann", "GET", absl::StrCat(kPods, "/a/status"));
  server.Expect(403, "ann", "DELETE", absl::StrCat(kPods, "/a"));
  server.Expect(403, "ann", "GET", "/api/v1/pods");
  server.Expect(403, "ann", "GET", "/api/v1/namespaces/kube-system/pods");
  server.Expect(200, "root", "DELETE", kBindings + "/read");
  server.Expect(403, "ann", "GET", kPods);
}

TEST(Rbac, AMissingRoleIsTold) {
  Server server;
  server.Bind("ann", "b", "ClusterRole", "gone");
  EXPECT_EQ(Text(server.Expect(403, "ann", "GET", kPods), "message"),
            "pods is forbidden: User \"ann\" cannot list resource \"pods\" in API group \"\" in "
            "the namespace \"default\": RBAC: clusterrole.rbac.authorization.k8s.io \"gone\" not "
            "found");
}

TEST(Rbac, ServiceAccountsAndTheirGroupsAreSubjects) {
  Server server;
  server.Allow("nobody", "read", kReadPods);
  server.Expect(403, "op", "GET", kPods);
  server.Expect(201, "root", "POST", kBindings,
                {.body = R"({"metadata":{"name":"op"},"roleRef":{"kind":"Role","name":"read"},)"
                         R"("subjects":[{"kind":"ServiceAccount","name":"op"}]})"});
  server.Expect(200, "op", "GET", kPods);
  server.Expect(200, "root", "DELETE", kBindings + "/op");
  server.Expect(
      201, "root", "POST", kBindings,
      {.body = R"({"metadata":{"name":"all"},"roleRef":{"kind":"Role","name":"read"},)"
               R"("subjects":[{"kind":"Group","name":"system:serviceaccounts:default"}]})"});
  server.Expect(200, "op", "GET", kPods);
}

TEST(Rbac, DenyRulesComeFirst) {
  Server server({.deny = {{.user = "root", .verb = "list", .resource = "pods"}}});
  server.Expect(403, "root", "GET", kPods);
  EXPECT_EQ(server.Last().decision, "forbid");
  EXPECT_EQ(server.Last().reason, R"(deny rule: user "root", verb "list", resource "pods")");
}

TEST(Rbac, TheLogNamesTheBinding) {
  Server server;
  server.Allow("ann", "read", kReadPods);
  EXPECT_EQ(server.Last().decision, "allow");
  EXPECT_EQ(server.Last().reason, "members of system:masters may do everything");
  server.Expect(200, "ann", "GET", kPods);
  EXPECT_EQ(server.Last().reason,
            R"(RBAC: allowed by RoleBinding "read/default" of Role "read" to User "ann")");
  server.Expect(403, "ann", "GET", kMaps);
  EXPECT_EQ(server.Last().decision, "forbid");
  EXPECT_EQ(server.Last().reason, "");
  server.Expect(401, "zoe", "GET", kMaps);
  EXPECT_EQ(server.Last().decision, "");
}

TEST(Rbac, CreationByPutOrApplyNeedsTheRightToCreate) {
  Server server;
  server.Allow("ann", "change",
               R"({"verbs":["update","patch"],"apiGroups":["","rbac.authorization.k8s.io"],)"
               R"("resources":["configmaps","roles"]})");
  EXPECT_THAT(Text(server.Expect(403, "ann", "PATCH", absl::StrCat(kMaps, "/a?fieldManager=m"),
                                 {.body = R"({"apiVersion":"v1","kind":"ConfigMap",)"
                                          R"("metadata":{"name":"a"}})",
                                  .content_type = kApply}),
                   "message"),
              HasSubstr("User \"ann\" cannot create resource \"configmaps\""));
  EXPECT_THAT(Text(server.Expect(403, "ann", "PUT", kRoles + "/new",
                                 {.body = R"({"metadata":{"name":"new"}})"}),
                   "message"),
              HasSubstr("User \"ann\" cannot create resource \"roles\""));
}

// What "ann" needs to write roles and bindings.
constexpr absl::string_view kWriteRoles =
    R"({"verbs":["create","update","patch"],"apiGroups":["rbac.authorization.k8s.io"],)"
    R"("resources":["roles","rolebindings"]})";

constexpr char kTooMuch[] =
    "roles.rbac.authorization.k8s.io \"r\" is forbidden: user \"ann\" "
    "(groups=[\"system:authenticated\"]) is attempting to grant RBAC permissions not currently "
    "held:\n{APIGroups:[\"\"], Resources:[\"secrets\"], Verbs:[\"get\" \"list\"]}";

TEST(Rbac, NobodyGivesMoreThanHeHas) {
  Server server;
  server.Allow("ann", "writer", kWriteRoles);
  server.Allow("ann", "read", kReadPods);
  const std::string good = absl::StrCat(R"({"metadata":{"name":"r"},"rules":[)", kReadPods, "]}");
  const std::string rules =
      R"("rules":[{"verbs":["get","list"],"apiGroups":[""],"resources":["secrets"]}]})";
  const std::string bad = absl::StrCat(R"({"metadata":{"name":"r"},)", rules);
  const std::string apply = absl::StrCat(
      R"({"apiVersion":"rbac.authorization.k8s.io/v1","kind":"Role","metadata":{"name":"r"},)",
      rules);
  const std::string one = kRoles + "/r";
  const std::string applied = one + "?fieldManager=m&force=true";
  EXPECT_EQ(Text(server.Expect(403, "ann", "POST", kRoles, {.body = bad}), "message"), kTooMuch);
  EXPECT_EQ(
      Text(server.Expect(403, "ann", "POST", kRoles + "?dryRun=All", {.body = bad}), "reason"),
      "Forbidden");
  EXPECT_EQ(Text(server.Expect(403, "ann", "PUT", one, {.body = bad}), "message"), kTooMuch);
  EXPECT_EQ(
      Text(server.Expect(403, "ann", "PATCH", applied, {.body = apply, .content_type = kApply}),
           "message"),
      kTooMuch);
  server.Expect(201, "ann", "POST", kRoles, {.body = good});
  EXPECT_EQ(Text(server.Expect(403, "ann", "PUT", one, {.body = bad}), "message"), kTooMuch);
  EXPECT_EQ(Text(server.Expect(403, "ann", "PATCH", one,
                               {.body = absl::StrCat("{", rules), .content_type = kMerge}),
                 "message"),
            kTooMuch);
  EXPECT_EQ(
      Text(server.Expect(403, "ann", "PATCH", applied, {.body = apply, .content_type = kApply}),
           "message"),
      kTooMuch);
  server.Allow("ann", "escalate",
               R"({"verbs":["escalate"],"apiGroups":["rbac.authorization.k8s.io"],)"
               R"("resources":["roles"],"resourceNames":["r"]})");
  server.Expect(200, "ann", "PUT", one, {.body = bad});
  server.Expect(200, "root", "PUT", one, {.body = good});
}

TEST(Rbac, NobodyBindsMoreThanHeHas) {
  Server server;
  server.Allow("ann", "writer", kWriteRoles);
  server.Allow("ann", "read", kReadPods);
  server.Allow("nobody", "secrets", R"({"verbs":["*"],"apiGroups":[""],"resources":["secrets"]})");
  server.Expect(201, "ann", "POST", kBindings,
                {.body = Server::Binding("bob", "good", "Role", "read")});
  const std::string bad = Server::Binding("ann", "bad", "Role", "secrets");
  EXPECT_THAT(Text(server.Expect(403, "ann", "POST", kBindings, {.body = bad}), "message"),
              AllOf(HasSubstr("rolebindings.rbac.authorization.k8s.io \"bad\" is forbidden: user"),
                    HasSubstr("{APIGroups:[\"\"], Resources:[\"secrets\"], Verbs:[\"*\"]}")));
  server.Allow("ann", "binder",
               R"({"verbs":["bind"],"apiGroups":["rbac.authorization.k8s.io"],)"
               R"("resources":["roles"],"resourceNames":["secrets"]})");
  server.Expect(201, "ann", "POST", kBindings, {.body = bad});
  EXPECT_EQ(Text(server.Expect(404, "ann", "POST", kBindings,
                               {.body = Server::Binding("ann", "x", "Role", "gone")}),
                 "message"),
            "rolebindings.rbac.authorization.k8s.io \"gone\" not found");
  // The role of a binding that exists may be missing, too; that is not the binding.
  server.Expect(200, "root", "DELETE", kRoles + "/read");
  EXPECT_EQ(Text(server.Expect(404, "ann", "PUT", kBindings + "/good",
                               {.body = Server::Binding("ann", "good", "Role", "read")}),
                 "message"),
            "rolebindings.rbac.authorization.k8s.io \"read\" not found");
}

TEST(Rbac, ImpersonationNeedsRights) {
  Server server;
  const Sent as_bob = {.headers = {{"impersonate-user", "bob"}}};
  EXPECT_THAT(Text(server.Expect(403, "ann", "GET", kPods, as_bob), "message"),
              HasSubstr("User \"ann\" cannot impersonate-on:user-info:list resource \"pods\""));
  EXPECT_EQ(server.Last().decision, "forbid");
  server.Expect(201, "root", "POST", kClusterRoles,
                {.body = R"({"metadata":{"name":"as"},"rules":[{"verbs":["impersonate"],)"
                         R"("apiGroups":[""],"resources":["users"],"resourceNames":["bob"]}]})"});
  server.Expect(201, "root", "POST", kClusterBindings,
                {.body = Server::Binding("ann", "as", "ClusterRole", "as")});
  EXPECT_THAT(Text(server.Expect(403, "ann", "GET", kPods, as_bob), "message"),
              HasSubstr("User \"bob\" cannot list resource \"pods\""));
  server.Allow("bob", "read", kReadPods);
  server.Expect(200, "ann", "GET", kPods, as_bob);
  EXPECT_EQ(server.Last().user, "bob");
  server.Expect(403, "ann", "GET", kPods,
                {.headers = {{"impersonate-user", "bob"}, {"impersonate-group", "devs"}}});
}

TEST(Rbac, AggregatedRolesFollowTheirParts) {
  Server server;
  server.Bind("ann", "edit", "ClusterRole", "edit");
  server.Expect(200, "ann", "GET", kPods);
  server.Expect(200, "ann", "GET", kMaps);
  server.Expect(403, "ann", "GET", kBindings);
  const char* const revision = "/apis/apps/v1/namespaces/default/controllerrevisions/a";
  server.Expect(404, "ann", "GET", revision);
  server.Expect(403, "ann", "DELETE", revision);
  const std::string part =
      R"({"metadata":{"name":"part","labels":{"rbac.authorization.k8s.io/aggregate-to-edit":"true"}},)"
      R"("rules":[{"verbs":["delete"],"apiGroups":["apps"],"resources":["controllerrevisions"]}]})";
  server.Expect(201, "root", "POST", kClusterRoles, {.body = part});
  server.Expect(404, "ann", "DELETE", revision);
  // The role "admin" selects "edit".
  EXPECT_THAT(server.Send("root", "GET", kClusterRoles + "/admin")->body(),
              HasSubstr(R"({"verbs":["delete"],"apiGroups":["apps"],)"
                        R"("resources":["controllerrevisions"]})"));
  server.Expect(200, "root", "DELETE", kClusterRoles + "/part");
  server.Expect(403, "ann", "DELETE", revision);
  // What a client writes is replaced.
  server.Expect(200, "root", "PATCH", kClusterRoles + "/view",
                {.body = R"({"rules":[]})", .content_type = kMerge});
  EXPECT_THAT(server.Send("root", "GET", kClusterRoles + "/view")->body(), HasSubstr("configmaps"));
}

TEST(Rbac, AggregatedRolesAreEmptyWithoutControllers) {
  Server server({.controllers = false});
  const Value view = server.Expect(200, "root", "GET", kClusterRoles + "/view");
  ASSERT_NE(view.Find("rules"), nullptr);
  EXPECT_TRUE(view.Find("rules")->is_null());
}

TEST(Rbac, RolesThatSelectEachOtherComeToRest) {
  Server server;
  const auto role = [](absl::string_view name, absl::string_view selects, absl::string_view rule) {
    return absl::StrCat(
        R"({"metadata":{"name":")", name, R"(","labels":{"part":")", name,
        R"("}},"aggregationRule":{"clusterRoleSelectors":[{"matchLabels":{"part":")", selects,
        R"("}}]},"rules":[{"verbs":["get"],"apiGroups":[""],"resources":[")", rule, R"("]}]})");
  };
  server.Expect(201, "root", "POST", kClusterRoles, {.body = role("a", "b", "pods")});
  server.Expect(201, "root", "POST", kClusterRoles, {.body = role("b", "a", "nodes")});
  EXPECT_THAT(server.Send("root", "GET", kClusterRoles + "/a")->body(),
              AllOf(HasSubstr("nodes"), Not(HasSubstr("pods"))));
}

TEST(AccessReviews, SayWhy) {
  Server server({.deny = {{.user = "bob"}}});
  server.Allow("ann", "read", kReadPods);
  server.Bind("ann", "gone", "Role", "gone");
  const char* const reviews = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
  const auto ask = [&](absl::string_view spec) {
    return server.Expect(201, "root", "POST", reviews,
                         {.body = absl::StrCat(R"({"spec":)", spec, "}")});
  };
  const Value may =
      ask(R"({"user":"ann","resourceAttributes":)"
          R"({"namespace":"default","verb":"get","resource":"pods","subresource":"log"}})");
  EXPECT_TRUE(Flag(may, "allowed"));
  EXPECT_EQ(Text(may, "status.reason"),
            R"(RBAC: allowed by RoleBinding "read/default" of Role "read" to User "ann")");
  const Value may_not = ask(R"({"user":"ann","resourceAttributes":)"
                            R"({"namespace":"default","verb":"get","resource":"secrets"}})");
  EXPECT_FALSE(Flag(may_not, "allowed"));
  EXPECT_FALSE(Flag(may_not, "denied"));
  EXPECT_EQ(Text(may_not, "status.reason"),
            R"(RBAC: role.rbac.authorization.k8s.io "gone" not found)");
  const Value path = ask(R"({"user":"x","groups":["system:authenticated"],)"
                         R"("nonResourceAttributes":{"verb":"get","path":"/apis/apps"}})");
  EXPECT_EQ(Text(path, "status.reason"),
            R"(RBAC: allowed by ClusterRoleBinding "system:discovery" of ClusterRole )"
            R"("system:discovery" to Group "system:authenticated")");
  const Value denied = ask(R"({"user":"bob","nonResourceAttributes":{"verb":"get","path":"/x"}})");
  EXPECT_FALSE(Flag(denied, "allowed"));
  EXPECT_TRUE(Flag(denied, "denied"));
  EXPECT_EQ(Text(denied, "status.reason"), R"(deny rule: user "bob")");
  const Value master = ask(
      R"({"user":"x","groups":["system:masters"],"resourceAttributes":{"verb":"*","resource":"*",)"
      R"("labelSelector":{"rawSelector":"a in"}}})");
  EXPECT_TRUE(Flag(master, "allowed"));
  EXPECT_EQ(Text(master, "status.reason"), "");
  EXPECT_EQ(Text(master, "status.evaluationError"),
            "spec.resourceAttributes.labelSelector ignored due to parse error");
}

TEST(AccessReviews, OfOneselfAndOfANamespace) {
  Server server;
  server.Allow("ann", "read", kReadPods);
  const std::string attributes =
      R"("resourceAttributes":{"namespace":"default","verb":"list","resource":"pods"}})";
  EXPECT_TRUE(Flag(
      server.Expect(201, "ann", "POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
                    {.body = absl::StrCat(R"({"spec":{)", attributes, "}")}),
      "allowed"));
  const std::string local =
      "/apis/authorization.k8s.io/v1/namespaces/default/localsubjectaccessreviews";
  EXPECT_TRUE(
      Flag(server.Expect(201, "root", "POST", local,
                         {.body = absl::StrCat(R"({"spec":{"user":"ann",)", attributes, "}")}),
           "allowed"));
  server.Expect(403, "ann", "POST", local,
                {.body = absl::StrCat(R"({"spec":{"user":"ann",)", attributes, "}")});
  EXPECT_THAT(Text(server.Expect(422, "root", "POST", local,
                                 {.body = R"({"spec":{"user":"ann","resourceAttributes":{}}})"}),
                   "message"),
              HasSubstr("spec.resourceAttributes.namespace: Invalid value: \"\": must match "
                        "metadata.namespace"));
  EXPECT_EQ(Text(server.Expect(400, "root", "POST", local,
                               {.body = R"({"metadata":{"namespace":"x"},"spec":{"user":"ann"}})"}),
                 "reason"),
            "BadRequest");
}

TEST(RulesReviews, ListTheRulesOfOneself) {
  Server server;
  server.Allow("ann", "read", kReadPods);
  server.Bind("ann", "gone", "Role", "gone");
  const char* const reviews = "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews";
  EXPECT_EQ(Text(server.Expect(400, "ann", "POST", reviews, {.body = "{}"}), "message"),
            "no namespace on request");
  const auto answer =
      server.Send("ann", "POST", reviews, {.body = R"({"spec":{"namespace":"default"}})"});
  EXPECT_EQ(answer->status(), 201);
  EXPECT_THAT(answer->body(),
              AllOf(HasSubstr(R"({"verbs":["get","list","watch"],"apiGroups":[""],)"
                              R"("resources":["pods","pods/log"]})"),
                    HasSubstr(R"("selfsubjectrulesreviews")"), HasSubstr(R"("/healthz")"),
                    HasSubstr(R"("incomplete":false)"),
                    HasSubstr(R"(role.rbac.authorization.k8s.io \"gone\" not found)")));
}

TEST(Rbac, RolesAreValidated) {
  Server server;
  EXPECT_EQ(
      Text(server.Expect(422, "root", "POST", kRoles,
                         {.body = R"({"metadata":{"name":"r"},"rules":[{},)"
                                  R"({"verbs":["get"],"nonResourceURLs":["/x"]}]})"}),
           "message"),
      "Role.rbac.authorization.k8s.io \"r\" is invalid: [rules[0].verbs: Required value: verbs "
      "must contain at least one value, rules[0].apiGroups: Required value: resource rules must "
      "supply at least one api group, rules[0].resources: Required value: resource rules must "
      "supply at least one resource, rules[1].nonResourceURLs: Invalid value: [\"/x\"]: "
      "namespaced rules cannot apply to non-resource URLs]");
  EXPECT_THAT(Text(server.Expect(422, "root", "POST", kClusterRoles,
                                 {.body = R"({"metadata":{"name":"r"},"aggregationRule":{}})"}),
                   "message"),
              HasSubstr("aggregationRule.clusterRoleSelectors: Required value: at least one "
                        "clusterRoleSelector required if aggregationRule is non-nil"));
  EXPECT_EQ(
      Text(server.Expect(
               422, "root", "POST", kClusterBindings,
               {.body = R"({"metadata":{"name":"b"},"roleRef":{"kind":"Role","name":"a/b",)"
                        R"("apiGroup":"x"},"subjects":[)"
                        R"({"kind":"ServiceAccount","name":"A"},)"
                        R"({"kind":"User","name":"u","apiGroup":"x"},)"
                        R"({"kind":"Robot","name":"r"}]})"}),
           "message"),
      "ClusterRoleBinding.rbac.authorization.k8s.io \"b\" is invalid: [roleRef.apiGroup: "
      "Unsupported value: \"x\": supported values: \"rbac.authorization.k8s.io\", roleRef.kind: "
      "Unsupported value: \"Role\": supported values: \"ClusterRole\", roleRef.name: Invalid "
      "value: \"a/b\": may not contain '/', subjects[0].name: Invalid value: \"A\": a lowercase "
      "RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and "
      "must start and end with an alphanumeric character (e.g. 'example.com', regex used for "
      "validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*'), "
      "subjects[0].namespace: Required value, subjects[1].apiGroup: Unsupported value: \"x\": "
      "supported values: \"rbac.authorization.k8s.io\", subjects[2].kind: Unsupported value: "
      "\"Robot\": supported values: \"ServiceAccount\", \"User\", \"Group\"]");
}

TEST(AllowAll, IsTheDefaultAndKnowsNoRoles) {
  HandlerOptions options;
  options.tokens["ann"] = {.name = "ann"};
  ApiHandler handler(std::move(options));
  httpserver::Request request{.method = "GET", .target = kPods};
  request.headers.Set("authorization", "Bearer ann");
  const auto exchange = std::make_shared<FakeExchange>(std::move(request));
  handler.Handle(exchange);
  EXPECT_EQ(exchange->status(), 200);
  const std::vector<LoggedRequest> requests = handler.Requests();
  ASSERT_THAT(requests, SizeIs(1));
  EXPECT_EQ(requests[0].decision, "allow");
  EXPECT_THAT(requests[0].reason, IsEmpty());
}

TEST(Rbac, BindingsOfPoliciesNeedTheRightToReadTheirParameters) {
  constexpr char kPolicyGroup[] = "/apis/admissionregistration.k8s.io/v1";
  const std::string policies = absl::StrCat(kPolicyGroup, "/validatingadmissionpolicies");
  const std::string bindings = absl::StrCat(kPolicyGroup, "/validatingadmissionpolicybindings");
  constexpr char kPolicy[] =
      R"({"metadata":{"name":"p"},"spec":{"paramKind":{"apiVersion":"v1","kind":"ConfigMap"},)"
      R"("matchConstraints":{"resourceRules":[{"operations":["CREATE"],"apiGroups":[""],)"
      R"("apiVersions":["v1"],"resources":["pods"]}]},"validations":[{"expression":"true"}]}})";
  constexpr char kBinding[] =
      R"({"metadata":{"name":"b"},"spec":{"policyName":"p","validationActions":["Deny"],)"
      R"("paramRef":{"name":"limits","namespace":"default","parameterNotFoundAction":"Deny"}}})";
  Server server;
  server.Expect(201, "root", "POST", kClusterRoles,
                {.body = R"({"metadata":{"name":"policies"},"rules":[{"verbs":["*"],)"
                         R"("apiGroups":["admissionregistration.k8s.io"],"resources":["*"]}]})"});
  server.Expect(201, "root", "POST", kClusterBindings,
                {.body = Server::Binding("ann", "policies", "ClusterRole", "policies")});
  EXPECT_EQ(Text(server.Expect(422, "ann", "POST", policies, {.body = kPolicy}), "message"),
            "ValidatingAdmissionPolicy.admissionregistration.k8s.io \"p\" is invalid: "
            "spec.paramKind: Forbidden: user &{ann  [system:authenticated] map[]} must have "
            "\"get\" permission on all objects of the referenced paramKind (kind=ConfigMap, "
            "apiVersion=v1)");
  server.Expect(201, "root", "POST", policies, {.body = kPolicy});
  EXPECT_EQ(Text(server.Expect(422, "ann", "POST", bindings, {.body = kBinding}), "message"),
            "ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io \"b\" is invalid: "
            "spec.paramRef: Forbidden: user &{ann  [system:authenticated] map[]} does not have "
            "\"get\" permission on the object referenced by paramRef");
  server.Allow("ann", "limits",
               R"({"verbs":["get"],"apiGroups":[""],"resources":["configmaps"],)"
               R"("resourceNames":["limits"]})");
  server.Expect(201, "ann", "POST", bindings, {.body = kBinding});
}

}  // namespace
}  // namespace kube::apiserver

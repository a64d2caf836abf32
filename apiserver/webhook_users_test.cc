// Admission webhooks beside RBAC and service accounts: what they are told of users, and in which
// order the server decides.
#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/types/list.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apiserver/handler.h"
#include "apiserver/testing/fake_exchange.h"
#include "apiserver/testing/webhook_world.h"
#include "apiserver/user.h"
#include "apiserver/webhook.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver {
namespace {

using testing::HasSubstr;
using testing::SizeIs;
using unstructured::Value;

constexpr char kMaps[] = "/api/v1/namespaces/default/configmaps";
constexpr char kRoles[] = "/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles";
constexpr char kBindings[] = "/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings";
constexpr char kAccounts[] = "/api/v1/namespaces/default/serviceaccounts";
constexpr char kMapRules[] =
    R"({"operations":["*"],"apiGroups":[""],"apiVersions":["v1"],"resources":["configmaps"]})";
constexpr char kRoleRules[] = R"({"operations":["*"],"apiGroups":["rbac.authorization.k8s.io"],)"
                              R"("apiVersions":["v1"],"resources":["roles"]})";

// A server whose users have their names as tokens: "root", of system:masters, and "ann".
class Server {
 public:
  explicit Server(HandlerOptions options = {}) : handler_(WithUsers(std::move(options))) {}

  // Returns the object in an answer with this code; another code is a failed test.
  Value Expect(int code, absl::string_view token, absl::string_view method,
               absl::string_view target, absl::string_view body) {
    httpserver::Request request{.method = std::string(method), .target = std::string(target)};
    request.headers.Set("authorization", absl::StrCat("Bearer ", token));
    request.headers.Set("content-type", "application/json");
    request.body = std::string(body);
    auto exchange = std::make_shared<FakeExchange>(std::move(request));
    handler_.Handle(exchange);
    exchange->Wait(WithTimeout(Context(), absl::Minutes(1))).IgnoreError();
    EXPECT_EQ(exchange->status(), code) << std::string(target) << "\n" << exchange->body();
    const absl::StatusOr<Value> value = unstructured::ParseJson(exchange->body());
    return value.ok() ? *value : Value();
  }

  // Configures a webhook: `kind` is "mutating" or "validating".
  void Configure(absl::string_view kind, absl::string_view rules, WebhookFunction function) {
    const std::string url = absl::StrCat("https://hooks.example.com/", kind);
    handler_.SetWebhook(url, std::move(function));
    Expect(201, "root", "POST",
           absl::StrCat("/apis/admissionregistration.k8s.io/v1/", kind, "webhookconfigurations"),
           absl::StrCat(R"({"metadata":{"name":"a"},"webhooks":[{"name":"a.example.com",)",
                        R"("sideEffects":"None","admissionReviewVersions":["v1"],)",
                        R"("clientConfig":{"url":")", url, R"("},"rules":[)", rules, "]}]}"));
  }

  // Lets ann create and update roles.
  void LetAnnWriteRoles() {
    Expect(201, "root", "POST", kRoles,
           R"({"metadata":{"name":"writer"},"rules":[{"verbs":["create","update"],)"
           R"("apiGroups":["rbac.authorization.k8s.io"],"resources":["roles"]}]})");
    Expect(201, "root", "POST", kBindings,
           R"({"metadata":{"name":"ann"},"subjects":[{"kind":"User","name":"ann"}],)"
           R"("roleRef":{"kind":"Role","name":"writer"}})");
  }

  LoggedRequest Last() { return handler_.Requests().back(); }

 private:
  static HandlerOptions WithUsers(HandlerOptions options) {
    options.tokens["root"] = {.name = "root", .groups = {"system:masters"}};
    options.tokens["ann"] = {.name = "ann"};
    return options;
  }

  ApiHandler handler_;
};

WebhookFunction Patches(std::string patch) {
  return [patch = std::move(patch)](const Context&,
                                    absl::string_view body) -> absl::StatusOr<std::string> {
    return PatchReview(body, patch);
  };
}

// Returns a webhook that allows requests, and stores the last one. It is stored before the request
// is answered.
WebhookFunction Stores(Value& request) {
  return [&request](const Context&, absl::string_view body) -> absl::StatusOr<std::string> {
    request = RequestOf(body);
    return AllowReview(body);
  };
}

TEST(WebhooksAndRbac, AWebhookGivesNobodyMoreThanTheyHave) {
  Server server({.authorization = Authorization::kRbac});
  server.LetAnnWriteRoles();
  server.Expect(201, "ann", "POST", kRoles, R"({"metadata":{"name":"old"},"rules":[]})");
  server.Configure("mutating", kRoleRules,
                   Patches(R"([{"op":"add","path":"/rules","value":[{"verbs":["get"],)"
                           R"("apiGroups":[""],"resources":["secrets"]}]}])"));
  Value validated;
  server.Configure("validating", kRoleRules, Stores(validated));

  const std::string error = "is attempting to grant RBAC permissions not currently held";
  const Value created =
      server.Expect(403, "ann", "POST", kRoles, R"({"metadata":{"name":"new"},"rules":[]})");
  EXPECT_THAT(std::string(created["message"].text().value_or("")), HasSubstr(error));
  const Value updated = server.Expect(403, "ann", "PUT", absl::StrCat(kRoles, "/old"),
                                      R"({"metadata":{"name":"old"},"rules":[]})");
  EXPECT_THAT(std::string(updated["message"].text().value_or("")), HasSubstr(error));
  EXPECT_TRUE(validated.is_null()) << "those that validate come later";

  server.Expect(201, "root", "POST", kRoles, R"({"metadata":{"name":"new"},"rules":[]})");
  EXPECT_EQ(validated["object"]["metadata"]["name"].text(), "new");
}

TEST(WebhooksAndRbac, TheLogHasDecisionsAndCalls) {
  Server server({.authorization = Authorization::kRbac});
  server.LetAnnWriteRoles();
  Value validated;
  server.Configure("validating", kRoleRules, Stores(validated));
  server.Expect(201, "ann", "POST", kRoles, R"({"metadata":{"name":"new"},"rules":[]})");
  EXPECT_EQ(server.Last().decision, "allow");
  EXPECT_THAT(server.Last().reason, HasSubstr("RoleBinding \"ann/default\""));
  EXPECT_THAT(server.Last().webhooks, SizeIs(1));
  server.Expect(403, "ann", "DELETE", absl::StrCat(kRoles, "/new"), "");
  EXPECT_EQ(server.Last().decision, "forbid");
  EXPECT_THAT(server.Last().webhooks, SizeIs(0));

  Server full({.authorization = Authorization::kRbac, .max_webhook_requests = 0});
  full.Configure("validating", kMapRules, Stores(validated));
  full.Expect(429, "root", "POST", kMaps, R"({"metadata":{"name":"m"}})");
  EXPECT_EQ(full.Last().decision, "allow");
}

TEST(WebhooksAndAccounts, WebhooksAreToldOfAnAccountAndItsToken) {
  Server server;
  server.Expect(201, "root", "POST", kAccounts, R"({"metadata":{"name":"web"}})");
  const Value issued =
      server.Expect(201, "root", "POST", absl::StrCat(kAccounts, "/web/token"), R"({"spec":{}})");
  Value request;
  server.Configure("validating", kMapRules, Stores(request));
  server.Expect(201, issued["status"]["token"].text().value_or(""), "POST", kMaps,
                R"({"metadata":{"name":"m"}})");
  const Value user = request["userInfo"];
  EXPECT_EQ(user["username"].text(), "system:serviceaccount:default:web");
  const List<Value>* const ids = user["extra"]["authentication.kubernetes.io/credential-id"].list();
  ASSERT_NE(ids, nullptr);
  EXPECT_EQ(ids->size(), 1u);
}

TEST(WebhooksAndAccounts, TokensAreMadeAfterTheWebhooksWereAsked) {
  Server server;
  server.Expect(201, "root", "POST", kAccounts, R"({"metadata":{"name":"web"}})");
  Value request;
  server.Configure("validating",
                   R"({"operations":["CREATE"],"apiGroups":[""],"apiVersions":["v1"],)"
                   R"("resources":["serviceaccounts/token"]})",
                   Stores(request));
  server.Expect(201, "root", "POST", absl::StrCat(kAccounts, "/web/token"), R"({"spec":{}})");
  EXPECT_EQ(request["object"]["kind"].text(), "TokenRequest");
  EXPECT_EQ(request["object"]["metadata"]["name"].text(), "web");
  EXPECT_EQ(request["object"]["spec"]["expirationSeconds"].integer(), 3600);
  EXPECT_EQ(request["object"]["status"]["token"].text().value_or(""), "");
}

TEST(WebhooksAndAccounts, ContainersOfWebhooksGetTheToken) {
  Server server({.service_account_admission = true});
  server.Configure("mutating",
                   R"({"operations":["CREATE"],"apiGroups":[""],"apiVersions":["v1"],)"
                   R"("resources":["pods"]})",
                   Patches(R"([{"op":"add","path":"/spec/containers/-",)"
                           R"("value":{"name":"sidecar","image":"i"}}])"));
  const Value spec = server.Expect(201, "root", "POST", "/api/v1/namespaces/default/pods",
                                   R"({"metadata":{"name":"p"},)"
                                   R"("spec":{"containers":[{"name":"c","image":"i"}]}})")["spec"];
  EXPECT_EQ(spec["serviceAccountName"].text(), "default");
  ASSERT_NE(spec["volumes"].list(), nullptr);
  EXPECT_EQ(spec["volumes"].list()->size(), 1u);
  const List<Value>* const containers = spec["containers"].list();
  ASSERT_NE(containers, nullptr);
  ASSERT_EQ(containers->size(), 2u);
  for (const Value& container : *containers) {
    const List<Value>* const mounts = container["volumeMounts"].list();
    ASSERT_NE(mounts, nullptr);
    ASSERT_EQ(mounts->size(), 1u);
    EXPECT_EQ((*mounts)[0]["mountPath"].text(), "/var/run/secrets/kubernetes.io/serviceaccount");
  }
}

}  // namespace
}  // namespace kube::apiserver

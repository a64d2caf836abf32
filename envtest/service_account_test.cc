#include "envtest/service_account.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apiserver/handler.h"
#include "clientset/dynamic/dynamic_client.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "clientset/rest/request.h"
#include "envtest/environment.h"
#include "envtest/in_process_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::envtest {
namespace {

using base::IsOk;
using base::StatusIs;
using testing::HasSubstr;
using unstructured::Unstructured;

constexpr char kFolder[] = "envtest/testdata/rbac";
constexpr char kUser[] = "system:serviceaccount:prod:web";

// Returns the name of the user that a configuration makes of its clients.
absl::StatusOr<std::string> WhoIs(const rest::Config& config) {
  Unstructured review;
  review.set_api_version("authentication.k8s.io/v1");
  review.set_kind("SelfSubjectReview");
  const absl::StatusOr<Unstructured> answer =
      dynamic::DynamicClient(*rest::MakeClient(config))
          .Resource(
              {.group = "authentication.k8s.io", .version = "v1", .resource = "selfsubjectreviews"})
          .Create(Context(), review);
  if (!answer.ok()) return answer.status();
  return std::string((*answer->object.find("status"))["userInfo"]["username"].text().value_or(""));
}

TEST(ServiceAccountConfig, IsTheAccountOfTheManifests) {
  apiserver::ApiHandler server;
  const rest::Config admin = InProcessConfig(server);
  const auto config = ServiceAccountConfig(Context(), admin, {.paths = {kFolder}});
  ASSERT_THAT(config, IsOk());
  const rest::Client client = *rest::MakeClient(*config);
  EXPECT_THAT(WhoIs(*config), base::IsOkAndHolds(kUser));
  const auto get = [&admin](const char* path) {
    return rest::MakeClient(admin)->Do(Context(), {.absolute_path = path}).status();
  };
  const char* const rbac = "/apis/rbac.authorization.k8s.io/v1/";
  EXPECT_THAT(get((std::string(rbac) + "namespaces/prod/rolebindings/web").c_str()), IsOk());
  EXPECT_THAT(get((std::string(rbac) + "clusterroles/metrics").c_str()), IsOk());
  EXPECT_TRUE(errors::IsNotFound(get("/apis/apps/v1/namespaces/prod/deployments/web")))
      << "it would not run here";

  server.SetDenyRules({{.user = kUser, .resource = "secrets"}});
  EXPECT_TRUE(errors::IsForbidden(
      rest::MakeClient(*config)->Do(Context(), {.absolute_path = "/api/v1/secrets"}).status()));
  // Again: what is there is applied once more, and the token is another one.
  const absl::StatusOr<rest::Config> again =
      ServiceAccountConfig(Context(), admin, {.paths = {kFolder}});
  ASSERT_THAT(again, IsOk());
  EXPECT_NE(again->bearer_token, config->bearer_token);
}

TEST(ServiceAccountConfig, WorksOverASocket) {
  const auto environment = EmbeddedEnvironment::Start();
  ASSERT_THAT(environment, IsOk());
  const absl::StatusOr<rest::Config> config =
      ServiceAccountConfig(Context(), (*environment)->Config(), {.paths = {kFolder}});
  ASSERT_THAT(config, IsOk());
  EXPECT_THAT(WhoIs(*config), base::IsOkAndHolds(kUser));
}

TEST(ServiceAccountConfig, TokensEndAndAreNotPrinted) {
  base::SimRuntime sim;
  EXPECT_THAT(sim.Run([] {
    apiserver::ApiHandler server;
    const absl::StatusOr<rest::Config> config = ServiceAccountConfig(
        Context(), InProcessConfig(server),
        {.manifest = "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: web}\n",
         .token_lifetime = absl::Minutes(10)});
    ASSERT_THAT(config, IsOk());
    EXPECT_THAT(WhoIs(*config), base::IsOkAndHolds("system:serviceaccount:default:web"));
    EXPECT_FALSE(absl::StrContains(rest::RedactedString(*config), config->bearer_token.Reveal()));
    EXPECT_THAT(base::SleepFor(Context(), absl::Minutes(12)), IsOk());
    EXPECT_TRUE(errors::IsUnauthorized(WhoIs(*config).status()));
  }),
              IsOk());
}

TEST(ServiceAccountConfig, SaysWhatIsWrong) {
  apiserver::ApiHandler server;
  const rest::Config admin = InProcessConfig(server);
  const std::string one = "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: a}\n";
  const std::string two = one + "---\napiVersion: v1\nkind: ServiceAccount\nmetadata: {name: b}\n";
  struct Row {
    const char* name;
    ServiceAccountOptions options;
    absl::StatusCode code;
    const char* message;
  };
  const Row rows[] = {
      {"nothing", {}, absl::StatusCode::kNotFound, "find service account: the manifests have none"},
      {"another account",
       {.manifest = one, .account = "b"},
       absl::StatusCode::kNotFound,
       "find service account \"b\": the manifests have none"},
      {"several",
       {.manifest = two},
       absl::StatusCode::kInvalidArgument,
       "the manifests have default/a, default/b; choose one"},
      {"no file", {.paths = {"no_such.yaml"}}, absl::StatusCode::kNotFound, "no_such.yaml"},
      {"no YAML",
       {.manifest = one + "---\n{"},
       absl::StatusCode::kInvalidArgument,
       "read manifest, document at line "},
      {"no name",
       {.manifest = "apiVersion: v1\nkind: ServiceAccount\n"},
       absl::StatusCode::kInvalidArgument,
       "the ServiceAccount has no name"},
      {"too short a time",
       {.manifest = one, .token_lifetime = absl::Minutes(1)},
       absl::StatusCode::kInvalidArgument,
       "request token of service account \"default/a\""},
      {"no such namespace",
       {.manifest = one, .namespace_name = "gone"},
       absl::StatusCode::kNotFound,
       "apply serviceaccounts \"a\" in \"gone\""},
  };
  for (const Row& row : rows) {
    EXPECT_THAT(ServiceAccountConfig(Context(), admin, row.options).status(),
                StatusIs(row.code, HasSubstr(row.message)))
        << row.name;
  }
  EXPECT_THAT(ServiceAccountConfig(Context(), admin, {.manifest = two, .account = "default/b"}),
              IsOk());
}

// As on a server that never reads the binding.
TEST(ServiceAccountConfig, WaitsForItsRights) {
  base::SimRuntime sim;
  EXPECT_THAT(sim.Run([] {
    apiserver::ApiHandler server(
        {.deny = {{.user = kUser, .verb = "get", .resource = "pods/log"}}});
    const rest::Config admin = InProcessConfig(server);
    EXPECT_THAT(ServiceAccountConfig(Context(), admin, {.paths = {kFolder}}).status(),
                StatusIs(absl::StatusCode::kDeadlineExceeded,
                         HasSubstr("wait for the rights of rolebindings \"web\" in \"prod\"")));
    EXPECT_THAT(ServiceAccountConfig(Context(), admin,
                                     {.paths = {kFolder}, .timeout = absl::ZeroDuration()}),
                IsOk());
  }),
              IsOk());
}

}  // namespace
}  // namespace kube::envtest

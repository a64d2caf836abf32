// The code about operators in docs/envtest.md, which //docs:snippets_test compares.
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/admission/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/errors/predicates.h"
#include "apiserver/handler.h"
#include "apiserver/user.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/rest/client.h"
#include "controller/manager/manager.h"
#include "controller/manager/manager_options.h"
#include "controller/manifests/install.h"
#include "controller/manifests/install_options.h"
#include "controller/reconcile/controller.h"
#include "controller/reconcile/request.h"
#include "controller/testing/operator_environment.h"
#include "envtest/environment.h"
#include "envtest/in_process_transport.h"
#include "envtest/service_account.h"
#include "envtest/testing/eventually.h"
#include "envtest/users.h"
#include "envtest/webhook_host.h"
#include "envtest/webhooks.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpserver/exchange.h"

namespace kube {
namespace {

namespace admissionv1 = api::admission::v1;
namespace corev1 = api::core::v1;
using ::kube::base::IsOk;
using ::kube::base::SimRuntime;
using ::kube::controller::OperatorEnvironment;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::Truly;

// ---- users

TEST(RightsTest, JaneMayReadAndNothingElse) {
  apiserver::ApiHandler server({.authorization = apiserver::Authorization::kRbac});
  const auto jane = envtest::AddUser(
      Context(), server,
      {.name = "jane",
       .rules = {{.verbs = {"get"}, .api_groups = {""}, .resources = {"configmaps"}}},
       .namespace_name = "default"});
  ASSERT_THAT(jane, IsOk());
  const corev1::ConfigMapClient maps(*rest::MakeClient(*jane), "default");
  EXPECT_TRUE(errors::IsNotFound(maps.Get(Context(), "counter").status()));
  EXPECT_TRUE(errors::IsForbidden(maps.Delete(Context(), "counter")));
}

// ---- webhooks

// What the webhooks of an operator are to the server: a handler of HTTP requests.
class Policy final : public httpserver::Handler {
 public:
  void Handle(std::shared_ptr<httpserver::Exchange> exchange) override {
    const absl::StatusOr<std::string> answer = Answer(exchange->request().body);
    if (!answer.ok()) return exchange->Respond({.status = 400});
    exchange->Respond({.headers = {{"content-type", "application/json"}}, .body = *answer});
  }

 private:
  // Refuses config maps that nobody owns.
  static absl::StatusOr<std::string> Answer(absl::string_view body) {
    KUBE_ASSIGN_OR_RETURN(auto review, codec::DecodeJson<admissionv1::AdmissionReview>(body));
    KUBE_ASSIGN_OR_RETURN(const auto map,
                          codec::DecodeJson<corev1::ConfigMap>(review.request->object.view()));
    admissionv1::AdmissionResponse& response = review.response.emplace();
    response.uid = review.request->uid;
    response.allowed = map.metadata.labels.contains("owner");
    if (!response.allowed) response.status.emplace().message = "who owns it?";
    review.request.reset();
    return codec::EncodeJson(review);
  }
};

TEST(PolicyTest, RefusesMapsWithoutOwner) {
  Policy policy;
  apiserver::ApiHandler server;
  const rest::Client client = *rest::MakeClient(envtest::InProcessConfig(server));
  const auto host = envtest::WebhookHost::InProcess(policy, server);
  const auto installed =
      envtest::InstallWebhooks(Context(), client, *host, {.paths = {"docs/snippets/policy.yaml"}});
  ASSERT_THAT(installed, IsOk());

  const corev1::ConfigMapClient maps(client, "default");
  const auto refused = maps.Create(Context(), {.metadata = {.name = "m"}});
  EXPECT_THAT(refused.status().message(), HasSubstr("denied the request: who owns it?"));
}

// ---- waits

TEST(WaitTest, TheMapIsCountedUp) {
  apiserver::ApiHandler server;
  const rest::Client client = *rest::MakeClient(envtest::InProcessConfig(server));
  const corev1::ConfigMapClient maps(client, "default");
  ASSERT_THAT(maps.Create(Context(), {.metadata = {.name = "counter"}, .data = {{"n", "I"}}}),
              IsOk());

  const auto counted =
      Truly([](const corev1::ConfigMap& map) { return map.data.value_or("n", "") == "I"; });
  const auto counter = envtest::EventuallyGet(maps, "counter", counted);
  ASSERT_THAT(counter, IsOk());
  EXPECT_THAT(envtest::EventuallyList(maps, SizeIs(1)), IsOk());
  EXPECT_THAT(
      envtest::ConsistentlyGet(maps, "counter", counted, {.duration = absl::Milliseconds(100)}),
      IsOk());
  ASSERT_THAT(maps.Delete(Context(), "counter"), IsOk());
  EXPECT_THAT(envtest::EventuallyGone(maps, "counter"), IsOk());
}

// ---- operators

// The operator: says hello in each config map.
class Greeter {
 public:
  explicit Greeter(controller::Manager& manager) : client_(manager.client()), maps_(manager) {
    // For what it sends by its client.
    manager.RequireAccess({.resource = "configmaps", .verbs = {"get", "patch"}});
    maps_.Reconciles([this](controller::Request<corev1::ConfigMap>& request) {
      const corev1::ConfigMapClient maps(client_, request.name().namespace_name);
      return maps
          .Edit(request.context(), request.name().name,
                [](corev1::ConfigMap& map) {
                  map.data["greeting"] = "hello";
                  return absl::OkStatus();
                })
          .status();
    });
  }

 private:
  const rest::Client client_;
  controller::Controller<corev1::ConfigMap> maps_;
};

// Works on any server: null is one in the process.
void ExpectGreeting(envtest::Environment* server) {
  auto test = OperatorEnvironment::Make({.environment = server});
  ASSERT_THAT(test, IsOk());
  (*test)->Add<Greeter>();
  ASSERT_THAT((*test)->Start(), IsOk());

  const corev1::ConfigMapClient maps((*test)->client(), "default");
  ASSERT_THAT(maps.Create(Context(), {.metadata = {.name = "m"}}), IsOk());
  const auto greeted = Truly(
      [](const corev1::ConfigMap& map) { return map.data.value_or("greeting", "") == "hello"; });
  EXPECT_THAT(envtest::EventuallyGet(maps, "m", greeted), IsOk());
  EXPECT_THAT((*test)->Stop(), IsOk());
}

TEST(GreeterTest, InVirtualTime) {
  SimRuntime sim;
  ASSERT_THAT(sim.Run([] { ExpectGreeting(nullptr); }), IsOk());
}

TEST(GreeterTest, OnAServerWithAPort) {
  const auto server = envtest::EmbeddedEnvironment::Start();
  ASSERT_THAT(server, IsOk());
  ExpectGreeting(server->get());
}

// Returns what the program prints with --print-manifests.
absl::StatusOr<std::string> Manifests() {
  apiserver::ApiHandler nowhere;  // nothing is sent
  KUBE_ASSIGN_OR_RETURN(
      const std::unique_ptr<controller::Manager> manager,
      controller::Manager::Make(envtest::InProcessConfig(nowhere), {.name = "greeter"}));
  const Greeter greeter(*manager);
  manifests::ProgramFacts facts = {.name = "greeter"};
  facts.access = manager->RequiredRules();
  facts.webhooks = manager->webhooks().registrations();
  facts.webhook_port = manager->webhooks().options().port;
  return manifests::InstallYaml(facts);
}

TEST(GreeterTest, WithTheRightsOfItsManifests) {
  const absl::StatusOr<std::string> yaml = Manifests();
  ASSERT_THAT(yaml, IsOk());
  controller::OperatorEnvironmentOptions options;
  options.account = envtest::ServiceAccountOptions{.manifest = *yaml};
  auto test = OperatorEnvironment::Make(options);
  ASSERT_THAT(test, IsOk());
  (*test)->Add<Greeter>();
  ASSERT_THAT((*test)->Start(), IsOk());

  const corev1::ConfigMapClient maps((*test)->client(), "default");
  ASSERT_THAT(maps.Create(Context(), {.metadata = {.name = "m"}}), IsOk());
  const auto greeted = Truly(
      [](const corev1::ConfigMap& map) { return map.data.value_or("greeting", "") == "hello"; });
  EXPECT_THAT(envtest::EventuallyGet(maps, "m", greeted), IsOk());
  EXPECT_THAT((*test)->Stop(), IsOk());
}

}  // namespace
}  // namespace kube

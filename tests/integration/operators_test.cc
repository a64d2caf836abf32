// What tests of operators are built of, on a real server: definitions and webhooks that lead to the
// test, users with rights, waits, and an operator that ends in order.
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "api/rbac/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/unstructured_list.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/typed_client.h"
#include "controller/manager/manager.h"
#include "controller/reconcile/controller.h"
#include "controller/reconcile/request.h"
#include "controller/testing/operator_environment.h"
#include "envtest/control_plane.h"
#include "envtest/testing/eventually.h"
#include "envtest/testing/review_handler.h"
#include "envtest/users.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/real_server.h"
#include "webhook/admission.h"
#include "webhook/server.h"

namespace kube::integration {
namespace {

namespace corev1 = api::core::v1;
namespace field = validation::field;
namespace rbacv1 = api::rbac::v1;
using base::IsOk;
using controller::OperatorEnvironment;
using controller::OperatorEnvironmentOptions;
using unstructured::Unstructured;

using Dogs = typed::TypedClient<Unstructured, unstructured::UnstructuredList>;

constexpr char kDogs[] = R"(
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: dogs.envtest.example.com}
spec:
  group: envtest.example.com
  names: {plural: dogs, kind: Dog}
  scope: Namespaced
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
  - {name: v2, served: true, storage: false, schema: {openAPIV3Schema: {type: object}}}
  conversion:
    strategy: Webhook
    webhook:
      conversionReviewVersions: [v1]
      clientConfig: {service: {namespace: system, name: webhook-service, path: /convert}}
)";

constexpr char kHooks[] = R"(
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: envtest-mutating}
webhooks:
- name: mutate.envtest.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig: {service: {namespace: system, name: webhook-service, path: /mutate}}
  rules: [{operations: [CREATE], apiGroups: [""], apiVersions: [v1], resources: [configmaps]}]
  namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: default}}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: envtest-validating}
webhooks:
- name: validate.envtest.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig: {service: {namespace: system, name: webhook-service, path: /validate}}
  rules: [{operations: [CREATE], apiGroups: [""], apiVersions: [v1], resources: [configmaps]}]
  namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: default}}
)";

// Labels each config map of "default" as seen.
class Seer {
 public:
  explicit Seer(controller::Manager& manager) : client_(manager.client()), maps_(manager) {
    maps_.Reconciles(
        [this](controller::Request<corev1::ConfigMap>& request) { return Label(request); });
  }

 private:
  absl::Status Label(controller::Request<corev1::ConfigMap>& request) {
    if (request.name().namespace_name != "default") return absl::OkStatus();
    return corev1::ConfigMapClient(client_, "default")
        .Edit(request.context(), request.name().name,
              [](corev1::ConfigMap& map) {
                map.metadata.labels["seen"] = "yes";
                return absl::OkStatus();
              })
        .status();
  }

  const rest::Client client_;
  controller::Controller<corev1::ConfigMap> maps_;
};

Dogs DogsOf(const rest::Client& client, absl::string_view version) {
  const typed::Resource resource = {
      .group = "envtest.example.com", .version = version, .plural = "dogs", .kind = "Dog"};
  return Dogs(client, resource).Namespace("default");
}

absl::Status Create(const corev1::ConfigMapClient& maps, absl::string_view name) {
  return maps.Create(Soon(), {.metadata = {.name = name}}).status();
}

// A real server begins to call webhooks a moment after their configuration was written.
void AwaitRefusal(const corev1::ConfigMapClient& maps) {
  const auto is_refused = [&maps] {
    const absl::Status status = Create(maps, "bad");
    if (absl::StrContains(status.message(), "this one is bad")) return absl::OkStatus();
    maps.Delete(Soon(), "bad").IgnoreError();
    return status.ok() ? absl::UnavailableError("it was created") : status;
  };
  EXPECT_THAT(envtest::EventuallyOk(is_refused, {.timeout = absl::Seconds(30)}), IsOk());
}

TEST(OperatorsTest, AnOperatorWithItsWebhooks_WorksAndEnds) {
  auto plane = envtest::ControlPlane::Start(Soon());
  ASSERT_THAT(plane, IsOk());
  envtest::ReviewHandler webhooks;
  OperatorEnvironmentOptions options;
  options.environment = plane->get();
  options.crds.manifest = kDogs;
  options.webhooks.manifest = kHooks;
  options.uninstall_crds = true;
  auto test = OperatorEnvironment::Make(std::move(options));
  ASSERT_THAT(test, IsOk());
  (*test)->Add<Seer>();
  ASSERT_THAT((*test)->ServeWebhooks(webhooks), IsOk());
  ASSERT_THAT((*test)->Start(), IsOk());

  const corev1::ConfigMapClient maps((*test)->client(), "default");
  AwaitRefusal(maps);
  ASSERT_THAT(Create(maps, "good"), IsOk());
  const auto is_seen = ::testing::Truly([](const corev1::ConfigMap& map) {
    return map.metadata.labels.value_or("seen", "") == "yes" &&
           map.metadata.labels.value_or("mutated", "") == "yes";
  });
  EXPECT_THAT(envtest::EventuallyGet(maps, "good", is_seen), IsOk());
  EXPECT_THAT(envtest::ConsistentlyGet(maps, "good", is_seen), IsOk());

  Unstructured rex;
  rex.set_name("rex");
  ASSERT_THAT(DogsOf((*test)->client(), "v1").Create(Soon(), rex), IsOk());
  const absl::StatusOr<Unstructured> read = DogsOf((*test)->client(), "v2").Get(Soon(), "rex");
  ASSERT_THAT(read, IsOk());
  EXPECT_EQ(read->api_version(), "envtest.example.com/v2");
  EXPECT_TRUE(webhooks.WasAsked("/convert"));

  const Dogs dogs = DogsOf((*test)->client(), "v1");
  ASSERT_THAT(dogs.Delete(Soon(), "rex"), IsOk());
  EXPECT_THAT(envtest::EventuallyGone(dogs, "rex"), IsOk());
  EXPECT_THAT((*test)->Stop(), IsOk());
  EXPECT_THAT((*plane)->Stop(), IsOk());
}

// An operator with a webhook and without controllers.
class Policy {
 public:
  explicit Policy(controller::Manager& manager) {
    manager.webhooks().Validates<corev1::ConfigMap>(
        [](const webhook::AdmissionRequest<corev1::ConfigMap>& request) -> field::ErrorList {
          if (request.name.name != "bad") return {};
          return {field::Forbidden(field::Path("metadata").Child("name"), "this one is bad")};
        });
  }
};

constexpr char kPolicyHooks[] = R"(
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: envtest-policy}
webhooks:
- name: policy.envtest.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig: {service: {namespace: system, name: policy, path: /validate--v1-configmap}}
  rules: [{operations: [CREATE], apiGroups: [""], apiVersions: [v1], resources: [configmaps]}]
  namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: default}}
)";

TEST(OperatorsTest, TheWebhooksOfAManager_AreCalled) {
  auto plane = envtest::ControlPlane::Start(Soon());
  ASSERT_THAT(plane, IsOk());
  OperatorEnvironmentOptions options;
  options.environment = plane->get();
  options.webhooks.manifest = kPolicyHooks;
  auto test = OperatorEnvironment::Make(std::move(options));
  ASSERT_THAT(test, IsOk());
  (*test)->Add<Policy>();
  ASSERT_THAT((*test)->Start(), IsOk());
  const corev1::ConfigMapClient maps((*test)->client(), "default");
  AwaitRefusal(maps);
  EXPECT_THAT(Create(maps, "good"), IsOk());
  EXPECT_THAT((*test)->Stop(), IsOk());
  EXPECT_THAT((*plane)->Stop(), IsOk());
}

envtest::UserOptions Reader(const std::string& name) {
  rbacv1::PolicyRule rule;
  rule.verbs = {"list"};
  rule.api_groups = {""};
  rule.resources = {"configmaps"};
  envtest::UserOptions options;
  options.name = name;
  options.rules.push_back(rule);
  options.namespace_name = "default";
  return options;
}

TEST(OperatorsTest, UsersHaveTheRightsThatTheyWereGiven) {
  auto plane = envtest::ControlPlane::Start(Soon());
  ASSERT_THAT(plane, IsOk());
  const absl::StatusOr<rest::Config> by_certificate =
      envtest::AddUser(Soon(), **plane, Reader("carol"));
  const absl::StatusOr<rest::Config> by_impersonation =
      envtest::AddUser(Soon(), (*plane)->Config(), Reader("irene"));
  for (const absl::StatusOr<rest::Config>& user : {by_certificate, by_impersonation}) {
    ASSERT_THAT(user, IsOk());
    const corev1::ConfigMapClient maps(ClientOf(*user), "default");
    EXPECT_THAT(maps.List(Soon()), IsOk());
    EXPECT_TRUE(errors::IsForbidden(Create(maps, "m")));
    const corev1::ConfigMapClient elsewhere(ClientOf(*user), "kube-system");
    EXPECT_TRUE(errors::IsForbidden(elsewhere.List(Soon()).status()));
  }
  EXPECT_THAT((*plane)->Stop(), IsOk());
}

}  // namespace
}  // namespace kube::integration

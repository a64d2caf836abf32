#include "controller/testing/operator_environment.h"

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/apiextensions/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/unstructured_list.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "apiserver/handler.h"
#include "apiserver/user.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/rest/client.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/resource_traits.h"
#include "clientset/typed/typed_client.h"
#include "controller/manager/manager.h"
#include "controller/manager/manager_options.h"
#include "controller/reconcile/controller.h"
#include "controller/reconcile/request.h"
#include "envtest/environment.h"
#include "envtest/service_account.h"
#include "envtest/testing/eventually.h"
#include "envtest/testing/review_handler.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "webhook/admission.h"
#include "webhook/server.h"
#include "webhook/testing/dog_conversions.h"
#include "webhook/testing/dogs.client.kube.h"
#include "webhook/testing/dogs.kube.h"

namespace kube::controller {
namespace {

namespace corev1 = api::core::v1;
namespace field = validation::field;
using base::IsOk;
using base::StatusIs;
using testing::AllOf;
using testing::Contains;
using testing::Field;
using testing::HasSubstr;
using tests::dogs::Dog;
using tests::dogs::OldDog;
using tests::dogs::OldestDog;

// Writes a greeting into each config map of "default" that has none.
class Greeter {
 public:
  explicit Greeter(Manager& manager, std::string greeting = "hello")
      : client_(manager.client()), greeting_(std::move(greeting)), maps_(manager) {
    maps_.Reconciles([this](Request<corev1::ConfigMap>& request) { return Greet(request); });
  }

 private:
  absl::Status Greet(Request<corev1::ConfigMap>& request) {
    if (request.object()->data.contains("greeting")) return absl::OkStatus();
    if (request.name().namespace_name != "default") return absl::OkStatus();
    return corev1::ConfigMapClient(client_, "default")
        .Edit(request.context(), request.name().name,
              [this](corev1::ConfigMap& map) {
                map.data["greeting"] = greeting_;
                return absl::OkStatus();
              })
        .status();
  }

  const rest::Client client_;
  const std::string greeting_;
  Controller<corev1::ConfigMap> maps_;
};

auto IsGreeted(const std::string& greeting = "hello") {
  return testing::Truly([greeting](const corev1::ConfigMap& map) {
    return map.data.value_or("greeting", "") == greeting;
  });
}

corev1::ConfigMapClient MapsOf(OperatorEnvironment& test) { return {test.client(), "default"}; }

absl::Status Create(OperatorEnvironment& test, absl::string_view name) {
  return MapsOf(test).Create(Context(), {.metadata = {.name = name}}).status();
}

void Simulate(const std::function<void()>& test) {
  const log::LogCapture quiet;
  base::SimRuntime sim;
  ASSERT_THAT(sim.Run([&test] { test(); }), IsOk());
}

// Starts an operator, uses it and stops it.
void ExpectGreetings(OperatorEnvironmentOptions options) {
  auto test = OperatorEnvironment::Make(std::move(options));
  ASSERT_THAT(test, IsOk());
  (*test)->Add<Greeter>("good day");
  ASSERT_THAT((*test)->Start(), IsOk());
  ASSERT_THAT(Create(**test, "m"), IsOk());
  EXPECT_THAT(envtest::EventuallyGet(MapsOf(**test), "m", IsGreeted("good day")), IsOk());
  EXPECT_THAT((*test)->Stop(), IsOk());
  EXPECT_THAT((*test)->Stop(), IsOk());
}

// behaviour.md: ENVTEST-17
TEST(OperatorEnvironment, InASimulation_TheOperatorWorks) {
  Simulate([] { ExpectGreetings({}); });
}

TEST(OperatorEnvironment, InRealTime_TheOperatorWorks) {
  const log::LogCapture quiet;
  ExpectGreetings({});
}

TEST(OperatorEnvironment, OnAServerWithAPort_TheOperatorWorks) {
  const log::LogCapture quiet;
  const auto server = envtest::EmbeddedEnvironment::Start();
  ASSERT_THAT(server, IsOk());
  OperatorEnvironmentOptions options;
  options.environment = server->get();
  ExpectGreetings(std::move(options));
}

TEST(OperatorEnvironment, WithLeaderElection_StartWaitsForTheLease) {
  Simulate([] {
    OperatorEnvironmentOptions options;
    options.manager.leader_election =
        LeaseOptions{.lease = {.namespace_name = "default", .identity = "me"}};
    auto test = OperatorEnvironment::Make(std::move(options));
    ASSERT_THAT(test, IsOk());
    ASSERT_THAT((*test)->Start(), IsOk());
    EXPECT_TRUE((*test)->manager().status().leader.leads);
    EXPECT_THAT((*test)->Stop(), IsOk());
  });
}

constexpr char kWidgets[] = R"(
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  names: {plural: widgets, kind: Widget}
  scope: Namespaced
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
)";
constexpr typed::Resource kWidgetResource = {
    .group = "example.com", .version = "v1", .plural = "widgets", .kind = "Widget"};

// behaviour.md: ENVTEST-15
TEST(OperatorEnvironment, Definitions_AreInstalledAndDeletedIfAsked) {
  Simulate([] {
    for (const bool uninstall : {false, true}) {
      OperatorEnvironmentOptions options;
      options.crds.manifest = kWidgets;
      options.uninstall_crds = uninstall;
      auto test = OperatorEnvironment::Make(std::move(options));
      ASSERT_THAT(test, IsOk());
      ASSERT_THAT((*test)->Start(), IsOk());
      const typed::TypedClient<unstructured::Unstructured, unstructured::UnstructuredList> widgets(
          (*test)->client(), kWidgetResource);
      EXPECT_THAT(widgets.List(Context()), IsOk());
      EXPECT_THAT((*test)->Stop(), IsOk());
      EXPECT_EQ(errors::IsNotFound(widgets.List(Context()).status()), uninstall);
    }
  });
}

constexpr char kHooks[] = R"(
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: hooks}
webhooks:
- name: maps.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig: {service: {namespace: system, name: webhook-service, path: /validate}}
  rules: [{operations: [CREATE], apiGroups: [""], apiVersions: [v1], resources: [configmaps]}]
)";

void ExpectRefusals(OperatorEnvironmentOptions options) {
  envtest::ReviewHandler webhooks;
  options.webhooks.manifest = kHooks;
  auto test = OperatorEnvironment::Make(std::move(options));
  ASSERT_THAT(test, IsOk());
  (*test)->Add<Greeter>();
  ASSERT_THAT((*test)->ServeWebhooks(webhooks), IsOk());
  ASSERT_THAT((*test)->Start(), IsOk());
  EXPECT_THAT(Create(**test, "good"), IsOk());
  EXPECT_THAT(Create(**test, "bad"), StatusIs(testing::_, HasSubstr("this one is bad")));
  EXPECT_THAT(envtest::EventuallyGet(MapsOf(**test), "good", IsGreeted()), IsOk());
  const corev1::ConfigMapClient maps = MapsOf(**test);
  EXPECT_THAT((*test)->Stop(), IsOk());
  EXPECT_THAT(maps.Create(Context(), {.metadata = {.name = "bad"}}), IsOk())
      << "nobody asks the webhook any more";
}

TEST(OperatorEnvironment, AnotherHandler_IsCalledInASimulation) {
  Simulate([] { ExpectRefusals({}); });
}

TEST(OperatorEnvironment, AnotherHandler_IsCalledOverSockets) {
  const log::LogCapture quiet;
  const auto server = envtest::EmbeddedEnvironment::Start();
  ASSERT_THAT(server, IsOk());
  OperatorEnvironmentOptions options;
  options.environment = server->get();
  ExpectRefusals(std::move(options));
}

// An operator with webhooks, and a controller.
class Guard {
 public:
  explicit Guard(Manager& manager) : greeter_(manager) {
    manager.webhooks().Defaults<corev1::ConfigMap>(
        [](const webhook::AdmissionRequest<corev1::ConfigMap>&, corev1::ConfigMap& map) {
          map.metadata.labels["mode"] = "standard";
          return absl::OkStatus();
        });
    manager.webhooks().Validates<corev1::ConfigMap>(
        [](const webhook::AdmissionRequest<corev1::ConfigMap>& request) -> field::ErrorList {
          if (!request.object->data.contains("bad")) return {};
          return {field::Forbidden(field::Path("data").Key("bad"), "nobody wants it")};
        });
  }

 private:
  const Greeter greeter_;
};

constexpr char kGuardHooks[] = R"(
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: mutating-webhook-configuration}
webhooks:
- name: mconfigmap.kb.io
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig: {service: {namespace: system, name: webhook-service, path: /mutate--v1-configmap}}
  rules: [{operations: [CREATE], apiGroups: [""], apiVersions: [v1], resources: [configmaps]}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: validating-webhook-configuration}
webhooks:
- name: vconfigmap.kb.io
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig: {service: {namespace: system, name: webhook-service, path: /validate--v1-configmap}}
  rules: [{operations: [CREATE], apiGroups: [""], apiVersions: [v1], resources: [configmaps]}]
)";

void ExpectGuarded(OperatorEnvironmentOptions options) {
  auto test = OperatorEnvironment::Make(std::move(options));
  ASSERT_THAT(test, IsOk());
  (*test)->Add<Guard>();
  ASSERT_THAT((*test)->Start(), IsOk());
  const corev1::ConfigMapClient maps = MapsOf(**test);
  const absl::StatusOr<corev1::ConfigMap> good =
      maps.Create(Context(), {.metadata = {.name = "good"}});
  ASSERT_THAT(good, IsOk());
  EXPECT_EQ(good->metadata.labels.value_or("mode", ""), "standard");
  const absl::Status refused =
      maps.Create(Context(), {.metadata = {.name = "m"}, .data = {{"bad", "yes"}}}).status();
  EXPECT_TRUE(errors::IsInvalid(refused)) << refused;
  EXPECT_THAT(std::string(refused.message()), HasSubstr("nobody wants it"));
  EXPECT_THAT(envtest::EventuallyGet(maps, "good", IsGreeted()), IsOk());
  EXPECT_THAT((*test)->Stop(), IsOk());
}

TEST(OperatorEnvironment, WebhooksOfTheManager_AreCalledInASimulation) {
  Simulate([] {
    ExpectGuarded({});
    ExpectGuarded({.webhooks = {.manifest = kGuardHooks}});
  });
}

TEST(OperatorEnvironment, WebhooksOfTheManager_AreCalledOverSockets) {
  const log::LogCapture quiet;
  const auto server = envtest::EmbeddedEnvironment::Start();
  ASSERT_THAT(server, IsOk());
  OperatorEnvironmentOptions options;
  options.environment = server->get();
  ExpectGuarded(std::move(options));
}

// An operator that converts the versions of Dogs, and has no controllers.
class Kennel {
 public:
  explicit Kennel(Manager& manager) {
    manager.webhooks().Converts<Dog, OldDog>(webhook::FromOldDog, webhook::ToOldDog);
    manager.webhooks().Converts<Dog, OldestDog>(webhook::FromOldestDog, webhook::ToOldestDog);
  }
};

template <typename T>
auto DogsIn(const rest::Client& client) {
  using Traits = typed::ResourceTraits<T>;
  return typed::TypedClient<T, typename Traits::List>(client, Traits::kResource)
      .Namespace("default");
}

TEST(OperatorEnvironment, RegisteredConversions_AreThoseOfTheDefinition) {
  Simulate([] {
    auto dogs = codec::DecodeJson<api::apiextensions::v1::CustomResourceDefinition>(
        webhook::DogDefinition("v2"));
    ASSERT_THAT(dogs, IsOk());
    dogs->spec.conversion.reset();
    OperatorEnvironmentOptions options;
    options.crds.definitions.push_back(*dogs);
    auto test = OperatorEnvironment::Make(std::move(options));
    ASSERT_THAT(test, IsOk());
    (*test)->Add<Kennel>();
    ASSERT_THAT((*test)->Start(), IsOk());

    Dog rex;
    rex.metadata.name = "rex";
    rex.spec.body.size = 5;
    ASSERT_THAT(DogsIn<Dog>((*test)->client()).Create(Context(), rex), IsOk());
    const auto old = DogsIn<OldDog>((*test)->client()).Get(Context(), "rex");
    ASSERT_THAT(old, IsOk());
    EXPECT_EQ(old->spec.size, 5);
    EXPECT_THAT((*test)->Stop(), IsOk());
  });
}

TEST(OperatorEnvironment, Start_ConfigurationsWithoutWebhooks_IsFailedPrecondition) {
  Simulate([] {
    auto test = OperatorEnvironment::Make({.webhooks = {.manifest = kGuardHooks}});
    ASSERT_THAT(test, IsOk());
    EXPECT_THAT((*test)->Start(), StatusIs(absl::StatusCode::kFailedPrecondition,
                                           HasSubstr("but the operator has none")));
  });
}

constexpr char kAccount[] = R"(
apiVersion: v1
kind: ServiceAccount
metadata: {name: greeter}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: greeter}
rules: [{apiGroups: [""], resources: [configmaps], verbs: [get, list, watch, patch]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: greeter}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: greeter}
subjects: [{kind: ServiceAccount, name: greeter, namespace: default}]
)";

TEST(OperatorEnvironment, AnAccount_TheOperatorHasItsRights) {
  Simulate([] {
    OperatorEnvironmentOptions options;
    options.account = envtest::ServiceAccountOptions{.manifest = kAccount};
    auto test = OperatorEnvironment::Make(std::move(options));
    ASSERT_THAT(test, IsOk());
    (*test)->Add<Greeter>();
    ASSERT_THAT((*test)->Start(), IsOk());
    ASSERT_THAT(Create(**test, "m"), IsOk());
    EXPECT_THAT(envtest::EventuallyGet(MapsOf(**test), "m", IsGreeted()), IsOk());
    const auto patched_by_account =
        AllOf(Field(&apiserver::LoggedRequest::verb, "patch"),
              Field(&apiserver::LoggedRequest::user, "system:serviceaccount:default:greeter"));
    EXPECT_THAT((*test)->server()->Requests(), Contains(patched_by_account));
    const corev1::SecretClient secrets(*rest::MakeClient((*test)->operator_config()), "default");
    EXPECT_TRUE(errors::IsForbidden(secrets.List(Context()).status()));
    EXPECT_THAT((*test)->Stop(), IsOk());
  });
}

TEST(OperatorEnvironment, Start_TheManagerFails_ReturnsItsError) {
  Simulate([] {
    auto test = OperatorEnvironment::Make();
    ASSERT_THAT(test, IsOk());
    (*test)->manager().BeforeWork([](const Context&) { return absl::DataLossError("all gone"); });
    EXPECT_THAT((*test)->Start(), StatusIs(absl::StatusCode::kDataLoss, HasSubstr("all gone")));
    EXPECT_THAT((*test)->Stop(), StatusIs(absl::StatusCode::kDataLoss, HasSubstr("all gone")));
  });
}

TEST(OperatorEnvironment, Start_TheManagerDoesNotGetReady_SaysWhere) {
  Simulate([] {
    auto test = OperatorEnvironment::Make({.start_timeout = absl::Seconds(5)});
    ASSERT_THAT(test, IsOk());
    (*test)->manager().BeforeWork([](const Context& ctx) { return base::WaitUntilDone(ctx); });
    EXPECT_THAT((*test)->Start(),
                StatusIs(absl::StatusCode::kDeadlineExceeded,
                         AllOf(HasSubstr("the manager does not run after 5s: phase \""),
                               HasSubstr("\" is starting"))));
    (*test)->Stop().IgnoreError();
  });
}

TEST(OperatorEnvironment, Start_WhatCannotBe_IsAnError) {
  Simulate([] {
    auto test = OperatorEnvironment::Make({.crds = {.paths = {"no_such.yaml"}}});
    ASSERT_THAT(test, IsOk());
    EXPECT_THAT((*test)->Start(), StatusIs(absl::StatusCode::kNotFound, HasSubstr("no_such.yaml")));
    EXPECT_THAT((*test)->Start(), StatusIs(absl::StatusCode::kFailedPrecondition));
    EXPECT_THAT((*test)->Stop(), IsOk());
  });
}

TEST(OperatorEnvironment, Make_WrongAccount_IsAnError) {
  Simulate([] {
    OperatorEnvironmentOptions options;
    options.account = envtest::ServiceAccountOptions{};
    EXPECT_THAT(OperatorEnvironment::Make(std::move(options)).status(),
                StatusIs(absl::StatusCode::kNotFound,
                         HasSubstr("make operator environment: find service account")));
  });
}

TEST(OperatorEnvironment, DestroyedWithoutStop_Ends) {
  Simulate([] {
    auto test = OperatorEnvironment::Make();
    ASSERT_THAT(test, IsOk());
    (*test)->Add<Greeter>();
    ASSERT_THAT((*test)->Start(), IsOk());
    ASSERT_THAT(Create(**test, "m"), IsOk());
  });
}

TEST(OperatorEnvironment, HealthIsOffUnlessItTakesAnyPort) {
  const log::LogCapture quiet;
  for (const bool any_port : {false, true}) {
    OperatorEnvironmentOptions options;
    if (any_port) options.manager.health->port = 0;
    auto test = OperatorEnvironment::Make(std::move(options));
    ASSERT_THAT(test, IsOk());
    ASSERT_THAT((*test)->Start(), IsOk());
    EXPECT_EQ((*test)->manager().health_url().empty(), !any_port);
    EXPECT_THAT((*test)->Stop(), IsOk());
  }
}

}  // namespace
}  // namespace kube::controller

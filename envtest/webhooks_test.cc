#include "envtest/webhooks.h"

#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/admissionregistration/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/errors/predicates.h"
#include "apiserver/handler.h"
#include "clientset/kubernetes/admissionregistration/v1/client.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/rest/client.h"
#include "envtest/environment.h"
#include "envtest/in_process_transport.h"
#include "envtest/testing/review_handler.h"
#include "envtest/webhook_host.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::envtest {
namespace {

namespace corev1 = api::core::v1;
namespace registrationv1 = api::admissionregistration::v1;
using base::IsOk;
using base::StatusIs;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::Lt;
using ::testing::SizeIs;

constexpr char kFolder[] = "envtest/testdata/webhooks";

enum class Form { kSimulated, kInProcess, kSockets };

// A server with webhooks that `handler` answers, and a client.
struct World {
  explicit World(Form form) {
    if (form == Form::kSockets) {
      auto started = EmbeddedEnvironment::Start();
      EXPECT_THAT(started, IsOk());
      environment = *std::move(started);
      auto listening = WebhookHost::Listen(handler);
      EXPECT_THAT(listening, IsOk());
      host = *std::move(listening);
      client.emplace(*rest::MakeClient(environment->Config()));
    } else {
      server = std::make_unique<apiserver::ApiHandler>();
      host = WebhookHost::InProcess(handler, *server);
      client.emplace(*rest::MakeClient(InProcessConfig(*server)));
    }
  }

  corev1::ConfigMapClient maps() const { return {*client, "default"}; }
  absl::Status Create(absl::string_view name) const {
    return maps().Create(Context(), {.metadata = {.name = name}}).status();
  }
  absl::StatusOr<WebhookConfigurations> Install(const WebhookOptions& options) const {
    return InstallWebhooks(Context(), *client, *host, options);
  }

  ReviewHandler handler;
  std::unique_ptr<EmbeddedEnvironment> environment;
  std::unique_ptr<apiserver::ApiHandler> server;
  std::optional<rest::Client> client;
  std::unique_ptr<WebhookHost> host;
};

void InWorld(Form form, const std::function<void(World&)>& test) {
  if (form != Form::kSimulated) {
    World world(form);
    return test(world);
  }
  base::SimRuntime sim;
  ASSERT_THAT(sim.Run([&] {
    World world(form);
    test(world);
  }),
              IsOk());
}

class WebhooksTest : public ::testing::TestWithParam<Form> {};

// behaviour.md: ENVTEST-12, ENVTEST-13
TEST_P(WebhooksTest, InstalledWebhooks_OfFiles_AreCalled) {
  InWorld(GetParam(), [](World& world) {
    const auto installed = world.Install({.paths = {kFolder}});
    ASSERT_THAT(installed, IsOk());
    EXPECT_THAT(installed->mutating, SizeIs(1));
    EXPECT_THAT(installed->validating, SizeIs(1));

    const auto good = world.maps().Create(Context(), {.metadata = {.name = "good"}});
    ASSERT_THAT(good, IsOk());
    EXPECT_EQ(good->metadata.labels.value_or("mutated", ""), "yes");
    EXPECT_THAT(world.Create("bad"),
                StatusIs(::testing::_,
                         HasSubstr("admission webhook \"vconfigmap.kb.io\" denied the request: "
                                   "this one is bad")));
    EXPECT_THAT(world.handler.Paths(), ElementsAre("/mutate", "/validate", "/mutate", "/validate"));
  });
}

TEST_P(WebhooksTest, InstallAgain_ReplacesTheWebhooks) {
  InWorld(GetParam(), [](World& world) {
    ASSERT_THAT(world.Install({.paths = {kFolder}}), IsOk());
    WebhookConfigurations changed = *ReadWebhooks({kFolder});
    changed.mutating[0].webhooks.clear();
    changed.mutating[0].metadata.labels["more"] = "yes";
    changed.validating.clear();
    ASSERT_THAT(world.Install({.configurations = changed}), IsOk());

    const auto there = registrationv1::MutatingWebhookConfigurationClient(*world.client)
                           .Get(Context(), "mutating-webhook-configuration");
    ASSERT_THAT(there, IsOk());
    EXPECT_TRUE(there->webhooks.empty());
    EXPECT_EQ(there->metadata.labels.value_or("team", ""), "web");
    EXPECT_EQ(there->metadata.labels.value_or("more", ""), "yes");
    EXPECT_THAT(world.Create("good"), IsOk());
    EXPECT_THAT(world.handler.Paths(), ElementsAre("/validate"));
  });
}

// behaviour.md: ENVTEST-15
TEST_P(WebhooksTest, UninstalledWebhooks_AreNotCalled) {
  InWorld(GetParam(), [](World& world) {
    const auto installed = world.Install({.paths = {kFolder}});
    ASSERT_THAT(installed, IsOk());
    EXPECT_THAT(UninstallWebhooks(Context(), *world.client, *installed), IsOk());
    EXPECT_THAT(UninstallWebhooks(Context(), *world.client, *installed), IsOk());
    EXPECT_THAT(world.Create("bad"), IsOk());
    EXPECT_THAT(world.handler.Paths(), ElementsAre());
  });
}

TEST_P(WebhooksTest, TheHostHasEnded_CallsFail) {
  InWorld(GetParam(), [](World& world) {
    ASSERT_THAT(world.Install({.paths = {kFolder}}), IsOk());
    world.host.reset();
    EXPECT_THAT(world.Create("good"),
                StatusIs(::testing::_, HasSubstr("failed calling webhook \"mconfigmap.kb.io\"")));
    EXPECT_THAT(world.handler.Paths(), ElementsAre());
  });
}

std::string NameOf(const ::testing::TestParamInfo<Form>& form) {
  const char* const names[] = {"Simulated", "InProcess", "Sockets"};
  return names[static_cast<int>(form.param)];
}

INSTANTIATE_TEST_SUITE_P(Forms, WebhooksTest,
                         ::testing::Values(Form::kSimulated, Form::kInProcess, Form::kSockets),
                         NameOf);

// A webhook that does not answer.
constexpr char kHanging[] = R"(
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: slow}
webhooks:
- name: slow.kb.io
  admissionReviewVersions: [v1]
  clientConfig: {service: {name: webhook-service, namespace: system, path: /hang}}
  failurePolicy: Ignore
  timeoutSeconds: 5
  sideEffects: None
  rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]
)";

TEST(WebhookCalls, TheHandlerBlocks_TheCallEndsAfterItsTimeout) {
  InWorld(Form::kSimulated, [](World& world) {
    ASSERT_THAT(world.Install({.manifest = kHanging}), IsOk());
    const base::MonotonicTime begin = base::Now();
    EXPECT_THAT(world.Create("m"), IsOk());
    EXPECT_THAT(base::Now() - begin, AllOf(Ge(absl::Seconds(5)), Lt(absl::Seconds(6))));
  });
}

TEST(WebhookCalls, TheHostEndsWhileOneIsRunning_TheCallEnds) {
  InWorld(Form::kSimulated, [](World& world) {
    ASSERT_THAT(world.Install({.manifest = kHanging}), IsOk());
    const base::MonotonicTime begin = base::Now();
    absl::Status created = absl::UnknownError("not yet");
    base::Thread writer;
    ASSERT_THAT(
        writer.Start(Context(), "writer", [&](const Context&) { created = world.Create("m"); }),
        IsOk());
    ASSERT_THAT(base::SleepFor(Context(), absl::Seconds(1)), IsOk());
    world.host.reset();
    writer.Join();
    EXPECT_THAT(created, IsOk());
    EXPECT_THAT(base::Now() - begin, AllOf(Ge(absl::Seconds(1)), Lt(absl::Seconds(2))));
  });
}

TEST(WebhookCalls, OtherCodesAreErrors) {
  InWorld(Form::kSimulated, [](World& world) {
    WebhookConfigurations wrong = *ReadWebhooks({kFolder});
    wrong.mutating[0].webhooks[0].client_config.service->path = "/elsewhere";
    ASSERT_THAT(world.Install({.configurations = wrong}), IsOk());
    EXPECT_THAT(
        world.Create("m"),
        StatusIs(::testing::_, HasSubstr("the webhook answered with code 404: no such webhook")));
  });
}

TEST(ReadWebhooks, TakesTheLastOfAName) {
  const auto read = ReadWebhooks({kFolder}, R"(
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: mutating-webhook-configuration}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: other}
)");
  ASSERT_THAT(read, IsOk());
  ASSERT_THAT(read->mutating, SizeIs(2));
  EXPECT_TRUE(read->mutating[0].webhooks.empty());
  EXPECT_EQ(read->mutating[1].metadata.name, "other");
  EXPECT_THAT(read->validating, SizeIs(1));
}

// behaviour.md: ENVTEST-12
TEST(ReadWebhooks, SaysWhatIsWrong) {
  const std::string file = absl::StrCat(::testing::TempDir(), "/broken_webhooks.yaml");
  std::ofstream(file) << "kind: Service\n---\napiVersion: admissionregistration.k8s.io/v1\n"
                         "kind: ValidatingWebhookConfiguration\nwebhooks: 7\n";
  const struct {
    const char* name;
    std::vector<std::string> paths;
    std::string manifest;
    absl::StatusCode code;
    std::string message;
  } rows[] = {
      {"no file", {"no_such.yaml"}, "", absl::StatusCode::kNotFound, "no_such.yaml"},
      {"a wrong field", {file}, "", absl::StatusCode::kInvalidArgument, "document at line 3"},
      {"an old version",
       {},
       "apiVersion: admissionregistration.k8s.io/v1beta1\nkind: MutatingWebhookConfiguration\n",
       absl::StatusCode::kInvalidArgument,
       "unsupported apiVersion \"admissionregistration.k8s.io/v1beta1\""},
      {"no YAML", {}, "{", absl::StatusCode::kInvalidArgument, "read manifest"},
  };
  for (const auto& row : rows) {
    EXPECT_THAT(ReadWebhooks(row.paths, row.manifest), StatusIs(row.code, HasSubstr(row.message)))
        << row.name;
  }
}

TEST(InstallWebhooks, TheExampleOfTheHeaders) {
  ReviewHandler handler;
  apiserver::ApiHandler server;
  const rest::Client client = *rest::MakeClient(InProcessConfig(server));
  const auto host = WebhookHost::InProcess(handler, server);
  const auto installed = InstallWebhooks(Context(), client, *host, {.paths = {kFolder}});
  ASSERT_THAT(installed, IsOk());
  EXPECT_FALSE(installed->empty());
}

TEST(InstallWebhooks, AnErrorOfTheServer_NamesTheConfiguration) {
  InWorld(Form::kInProcess, [](World& world) {
    WebhookConfigurations wrong = *ReadWebhooks({kFolder});
    wrong.validating[0].webhooks[0].name = "no";
    const absl::Status status = world.Install({.configurations = wrong}).status();
    EXPECT_TRUE(errors::IsInvalid(status)) << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr("install ValidatingWebhookConfiguration "
                                                         "\"validating-webhook-configuration\""));
    EXPECT_THAT(world.Create("m"), IsOk());
    EXPECT_THAT(world.handler.Paths(), ElementsAre()) << "the other one was deleted";
  });
}

}  // namespace
}  // namespace kube::envtest

// The webhooks of a manager: in a simulation behind the embedded API server, and on real sockets.

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/unstructured/decode_unstructured.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "apiserver/fault_rule.h"
#include "apiserver/faults.h"
#include "apiserver/handler.h"
#include "clientset/dynamic/dynamic_client.h"
#include "clientset/rest/client.h"
#include "clientset/typed/resource_traits.h"
#include "clientset/typed/typed_client.h"
#include "controller/cache/cache.h"
#include "controller/health/health_server.h"
#include "controller/manager/manager.h"
#include "controller/manager/manager_options.h"
#include "controller/manager/testing/fake_controller.h"
#include "envtest/in_process_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/http_transport.h"
#include "net/httpserver/exchange.h"
#include "webhook/admission.h"
#include "webhook/admission_types.h"
#include "webhook/self_signed.h"
#include "webhook/server.h"
#include "webhook/server_options.h"
#include "webhook/testing/dog_conversions.h"
#include "webhook/testing/dogs.client.kube.h"
#include "webhook/testing/dogs.kube.h"

namespace kube::controller {
namespace {

namespace field = validation::field;
using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;
using testing::AllOf;
using testing::HasSubstr;
using tests::dogs::Dog;
using tests::dogs::OldDog;
using tests::dogs::OldestDog;
using unstructured::Unstructured;

constexpr char kMutatePath[] = "/mutate-example-com-v2-dog";
constexpr char kValidatePath[] = "/validate-example-com-v2-dog";

template <typename T>
auto DogsIn(const rest::Client& client) {
  using Traits = typed::ResourceTraits<T>;
  return typed::TypedClient<T, typename Traits::List>(client, Traits::kResource)
      .Namespace("default");
}

// The webhooks of an operator of Dogs, which is registered at a manager.
void RegisterDogs(webhook::Server& webhooks) {
  webhooks.Defaults<Dog>([](const webhook::AdmissionRequest<Dog>&, Dog& dog) {
    if (dog.spec.owner.empty()) dog.spec.owner = "nobody";
    return absl::OkStatus();
  });
  webhooks.Validates<Dog>([](const webhook::AdmissionRequest<Dog>& request) -> field::ErrorList {
    if (request.object->spec.body.size <= 100) return {};
    return {field::Forbidden(field::Path("spec").Child("body").Child("size"), "too large")};
  });
  webhooks.Converts<Dog, OldDog>(webhook::FromOldDog, webhook::ToOldDog);
  webhooks.Converts<Dog, OldestDog>(webhook::FromOldestDog, webhook::ToOldestDog);
}

std::string Configuration(absl::string_view kind, absl::string_view path) {
  return absl::StrCat(
      R"({"apiVersion":"admissionregistration.k8s.io/v1","kind":")", kind,
      R"(WebhookConfiguration","metadata":{"name":"dogs"},"webhooks":[{"name":"dogs.example.com",)",
      R"("sideEffects":"None","admissionReviewVersions":["v1"],"rules":[{"operations":)",
      R"(["CREATE","UPDATE"],"apiGroups":["example.com"],"apiVersions":["v2"],)",
      R"("resources":["dogs"]}],"clientConfig":{"service":{"namespace":"default",)",
      R"("name":"hooks","path":")", path, R"("}}}]})");
}

// A cluster that calls the webhooks of a manager in the process, with the bytes that it would send
// over a connection.
class Cluster {
 public:
  void Create(absl::string_view group, absl::string_view plural, absl::string_view json) {
    const absl::StatusOr<Unstructured> object = unstructured::DecodeUnstructured(json);
    ASSERT_THAT(object, IsOk());
    ASSERT_THAT(
        dynamic::DynamicClient(client_)
            .Resource(
                {.group = std::string(group), .version = "v1", .resource = std::string(plural)})
            .Create(Context(), *object),
        IsOk());
  }

  void Connect(const webhook::Server& webhooks) {
    for (const char* path : {kMutatePath, kValidatePath, "/convert"}) {
      server_.SetWebhook(
          "default", "hooks", path,
          [&webhooks, path](const Context& ctx,
                            absl::string_view body) -> absl::StatusOr<std::string> {
            httpserver::Request request = {.method = "POST", .target = path};
            request.headers.Set("content-type", "application/json");
            request.body = std::string(body);
            httpserver::Response response = webhooks.Answer(ctx, request);
            if (response.status == 200) return std::move(response.body);
            return absl::UnavailableError(absl::StrCat(response.status, " ", response.body));
          });
    }
    Create("admissionregistration.k8s.io", "mutatingwebhookconfigurations",
           Configuration("Mutating", kMutatePath));
    Create("admissionregistration.k8s.io", "validatingwebhookconfigurations",
           Configuration("Validating", kValidatePath));
  }

  // Call it before the webhooks are destroyed.
  void Disconnect() {
    for (const char* path : {kMutatePath, kValidatePath, "/convert"}) {
      server_.SetWebhook("default", "hooks", path, nullptr);
    }
  }

  apiserver::ApiHandler& server() { return server_; }
  const rest::Client& client() const { return client_; }

 private:
  apiserver::ApiHandler server_;
  const rest::Client client_ = *rest::MakeClient(envtest::InProcessConfig(server_));
};

Context In(absl::Duration time) { return WithTimeout(Context(), time); }

void Simulate(const std::function<void()>& test) {
  const log::LogCapture quiet;
  base::SimRuntime sim;
  ASSERT_THAT(sim.Run([&test] { test(); }), IsOk());
}

// behaviour.md: WH-52
TEST(ManagerWebhooksTest, BehindTheEmbeddedServer_DefaultsValidatesAndConverts) {
  Simulate([] {
    Cluster cluster;
    cluster.Create("apiextensions.k8s.io", "customresourcedefinitions",
                   webhook::DogDefinition("v2"));
    ManagerOptions options = {.name = "operator"};
    options.health.reset();
    options.webhooks.listen = false;
    const auto manager =
        Manager::Make(envtest::InProcessConfig(cluster.server()), std::move(options));
    ASSERT_THAT(manager, IsOk());
    webhook::Server& webhooks = (*manager)->webhooks();
    RegisterDogs(webhooks);
    cluster.Connect(webhooks);
    base::Thread runs;
    ASSERT_THAT(
        runs.Start(Context(), "manager",
                   [&manager](const Context& ctx) { EXPECT_THAT((*manager)->Run(ctx), IsOk()); }),
        IsOk());
    ASSERT_THAT(base::SleepFor(Context(), absl::Seconds(1)), IsOk());

    Dog rex;
    rex.metadata.name = "rex";
    rex.spec.body.size = 5;
    const absl::StatusOr<Dog> created = DogsIn<Dog>(cluster.client()).Create(Context(), rex);
    ASSERT_THAT(created, IsOk());
    EXPECT_EQ(created->spec.owner, "nobody");

    Dog giant;
    giant.metadata.name = "giant";
    giant.spec.body.size = 101;
    EXPECT_THAT(DogsIn<Dog>(cluster.client()).Create(Context(), giant).status().message(),
                AllOf(HasSubstr("denied the request"), HasSubstr("too large")));

    const absl::StatusOr<OldDog> old = DogsIn<OldDog>(cluster.client()).Get(Context(), "rex");
    ASSERT_THAT(old, IsOk());
    EXPECT_EQ(old->spec.size, 5);
    EXPECT_EQ(old->metadata.uid, created->metadata.uid);
    const absl::StatusOr<OldestDog> oldest =
        DogsIn<OldestDog>(cluster.client()).Get(Context(), "rex");
    ASSERT_THAT(oldest, IsOk());
    EXPECT_EQ(oldest->spec.size, "5");
    // What the old version cannot say survives a change by somebody who knows only that one.
    OldDog changed = *old;
    changed.spec.size = 6;
    ASSERT_THAT(DogsIn<OldDog>(cluster.client()).Update(Context(), changed), IsOk());
    const absl::StatusOr<Dog> read = DogsIn<Dog>(cluster.client()).Get(Context(), "rex");
    ASSERT_THAT(read, IsOk());
    EXPECT_EQ(read->spec.owner, "nobody");
    EXPECT_EQ(read->spec.body.size, 6);
    runs.RequestStop();
    runs.Join();
    cluster.Disconnect();
  });
}

// behaviour.md: WH-42
TEST(ManagerWebhooksTest, UntilTheWatchesHaveSynced_AdmissionFails_ConversionWorks) {
  Simulate([] {
    Cluster cluster;
    Journal journal;
    FakeController slow(journal, {.name = "slow", .sync_takes = absl::Minutes(1)});
    cluster.Create("apiextensions.k8s.io", "customresourcedefinitions",
                   webhook::DogDefinition("v2"));
    ManagerOptions options = {.name = "operator"};
    options.health.reset();
    options.webhooks.listen = false;
    const auto manager =
        Manager::Make(envtest::InProcessConfig(cluster.server()), std::move(options));
    ASSERT_THAT(manager, IsOk());
    ASSERT_THAT((*manager)->Register(slow), IsOk());
    RegisterDogs((*manager)->webhooks());
    Dog rex;
    rex.metadata.name = "rex";
    ASSERT_THAT(DogsIn<Dog>(cluster.client()).Create(Context(), rex), IsOk());
    cluster.Connect((*manager)->webhooks());
    base::Thread runs;
    ASSERT_THAT(
        runs.Start(Context(), "manager",
                   [&manager](const Context& ctx) { EXPECT_THAT((*manager)->Run(ctx), IsOk()); }),
        IsOk());
    ASSERT_THAT(base::SleepFor(Context(), absl::Seconds(10)), IsOk());
    Dog bella;
    bella.metadata.name = "bella";
    EXPECT_THAT(DogsIn<Dog>(cluster.client()).Create(Context(), bella).status().message(),
                HasSubstr("controller \"slow\" waits for its watches"));
    EXPECT_THAT(DogsIn<OldDog>(cluster.client()).Get(Context(), "rex"), IsOk());
    ASSERT_THAT(base::SleepFor(Context(), absl::Minutes(2)), IsOk());
    EXPECT_THAT(DogsIn<Dog>(cluster.client()).Create(Context(), bella), IsOk());
    runs.RequestStop();
    runs.Join();
    cluster.Disconnect();
  });
}

// behaviour.md: WH-42
// Otherwise a missing role or definition of one controller would refuse all writes of the kinds.
TEST(ManagerWebhooksTest, AControllerThatCannotStart_DoesNotCount) {
  Simulate([] {
    Cluster cluster;
    Journal journal;
    FakeController broken(
        journal, {.name = "broken", .sync_error = absl::PermissionDeniedError("forbidden")});
    cluster.Create("apiextensions.k8s.io", "customresourcedefinitions",
                   webhook::DogDefinition("v2"));
    ManagerOptions options = {.name = "operator"};
    options.health.reset();
    options.webhooks.listen = false;
    const auto manager =
        Manager::Make(envtest::InProcessConfig(cluster.server()), std::move(options));
    ASSERT_THAT(manager, IsOk());
    ASSERT_THAT((*manager)->Register(broken), IsOk());
    RegisterDogs((*manager)->webhooks());
    cluster.Connect((*manager)->webhooks());
    base::Thread runs;
    ASSERT_THAT(runs.Start(Context(), "manager",
                           [&manager](const Context& ctx) {
                             EXPECT_THAT((*manager)->Run(ctx),
                                         StatusIs(absl::StatusCode::kPermissionDenied));
                           }),
                IsOk());
    ASSERT_THAT(base::SleepFor(Context(), absl::Seconds(1)), IsOk());
    Dog rex;
    rex.metadata.name = "rex";
    EXPECT_THAT(DogsIn<Dog>(cluster.client()).Create(Context(), rex), IsOk());
    runs.RequestStop();
    runs.Join();
    cluster.Disconnect();
  });
}

TEST(ManagerWebhooksTest, AnotherClusterThatDoesNotAnswer_DoesNotCount) {
  Simulate([] {
    Cluster cluster;
    Cluster far;  // does not know Dogs
    cluster.Create("apiextensions.k8s.io", "customresourcedefinitions",
                   webhook::DogDefinition("v2"));
    ManagerOptions options = {.name = "operator"};
    options.health.reset();
    options.webhooks.listen = false;
    const auto manager =
        Manager::Make(envtest::InProcessConfig(cluster.server()), std::move(options));
    ASSERT_THAT(manager, IsOk());
    const absl::StatusOr<Cache*> cache = (*manager)->AddCluster(far.client(), {.name = "far"});
    ASSERT_THAT(cache, IsOk());
    const auto watched = (*cache)->Watch<Dog>();
    watched.core()->Start();
    RegisterDogs((*manager)->webhooks());
    cluster.Connect((*manager)->webhooks());
    base::Thread runs;
    ASSERT_THAT(
        runs.Start(Context(), "manager",
                   [&manager](const Context& ctx) { EXPECT_THAT((*manager)->Run(ctx), IsOk()); }),
        IsOk());
    ASSERT_THAT(base::SleepFor(Context(), absl::Seconds(1)), IsOk());
    Dog rex;
    rex.metadata.name = "rex";
    EXPECT_THAT(DogsIn<Dog>(cluster.client()).Create(Context(), rex), IsOk());
    EXPECT_THAT((*cache)->CheckSynced(), StatusIs(absl::StatusCode::kUnavailable));
    runs.RequestStop();
    runs.Join();
    cluster.Disconnect();
  });
}

// The first request may come long after a watch has broken.
TEST(ManagerWebhooksTest, AWatchThatIsAddedLater_DoesNotCount_AlsoBeforeTheFirstRequest) {
  Simulate([] {
    Cluster cluster;
    Journal journal;
    FakeController late(journal, {.name = "late", .sync_takes = absl::Minutes(1)});
    cluster.Create("apiextensions.k8s.io", "customresourcedefinitions",
                   webhook::DogDefinition("v2"));
    ManagerOptions options = {.name = "operator"};
    options.health.reset();
    options.webhooks.listen = false;
    const auto manager =
        Manager::Make(envtest::InProcessConfig(cluster.server()), std::move(options));
    ASSERT_THAT(manager, IsOk());
    RegisterDogs((*manager)->webhooks());
    cluster.Connect((*manager)->webhooks());
    base::Thread runs;
    ASSERT_THAT(
        runs.Start(Context(), "manager",
                   [&manager](const Context& ctx) { EXPECT_THAT((*manager)->Run(ctx), IsOk()); }),
        IsOk());
    ASSERT_THAT(base::SleepFor(Context(), absl::Seconds(1)), IsOk());
    ASSERT_THAT((*manager)->Register(late), IsOk());
    Dog rex;
    rex.metadata.name = "rex";
    EXPECT_THAT(DogsIn<Dog>(cluster.client()).Create(Context(), rex), IsOk());
    runs.RequestStop();
    runs.Join();
    cluster.Disconnect();
  });
}

TEST(ManagerWebhooksTest, AWrongRegistration_EndsRunBeforeAnythingStarts) {
  Simulate([] {
    Cluster cluster;
    ManagerOptions options = {.name = "operator"};
    options.health.reset();
    options.webhooks.listen = false;
    const auto manager =
        Manager::Make(envtest::InProcessConfig(cluster.server()), std::move(options));
    ASSERT_THAT(manager, IsOk());
    for (int i = 0; i < 2; ++i) {
      (*manager)->webhooks().Handle("/a", [](const Context&, const webhook::RawAdmissionRequest&) {
        return webhook::Allowed();
      });
    }
    EXPECT_THAT((*manager)->Run(In(absl::Minutes(1))),
                StatusIs(absl::StatusCode::kAlreadyExists,
                         HasSubstr("run manager \"operator\": register webhook \"/a\"")));
  });
}

TEST(ManagerWebhooksTest, SelfSigned_TheAuthorityIsWrittenAsSoonAsTheConfigurationsAreThere) {
  Simulate([] {
    Cluster cluster;
    ManagerOptions options = {.name = "operator"};
    options.health.reset();
    options.webhooks.listen = false;
    options.webhooks.self_signed = webhook::SelfSignedOptions{
        .mutating_configurations = {"dogs"}, .validating_configurations = {"dogs"}};
    const auto manager =
        Manager::Make(envtest::InProcessConfig(cluster.server()), std::move(options));
    ASSERT_THAT(manager, IsOk());
    RegisterDogs((*manager)->webhooks());
    base::Thread runs;
    ASSERT_THAT(
        runs.Start(Context(), "manager",
                   [&manager](const Context& ctx) { EXPECT_THAT((*manager)->Run(ctx), IsOk()); }),
        IsOk());
    ASSERT_THAT(base::SleepFor(Context(), absl::Seconds(30)), IsOk());
    cluster.Create("admissionregistration.k8s.io", "mutatingwebhookconfigurations",
                   Configuration("Mutating", kMutatePath));
    cluster.Create("admissionregistration.k8s.io", "validatingwebhookconfigurations",
                   Configuration("Validating", kValidatePath));
    ASSERT_THAT(base::SleepFor(Context(), absl::Seconds(30)), IsOk());
    for (const char* plural :
         {"mutatingwebhookconfigurations", "validatingwebhookconfigurations"}) {
      const absl::StatusOr<Unstructured> read =
          dynamic::DynamicClient(cluster.client())
              .Resource(
                  {.group = "admissionregistration.k8s.io", .version = "v1", .resource = plural})
              .Get(Context(), "dogs");
      ASSERT_THAT(read, IsOk());
      const unstructured::Value& first = (*read->object.find("webhooks")->list())[0];
      std::string bundle;
      EXPECT_TRUE(
          absl::Base64Unescape(first["clientConfig"]["caBundle"].text().value_or(""), &bundle));
      EXPECT_THAT((*manager)->webhooks().CaCertificate(), IsOkAndHolds(bundle)) << plural;
    }
    runs.RequestStop();
    runs.Join();
  });
}

// Over real sockets and with the real clock.
class ManagerWebhookSocketsTest : public testing::Test {
 protected:
  // Returns the response as "200 BODY".
  absl::StatusOr<std::string> Send(const std::string& url, const std::string& ca,
                                   absl::string_view body) {
    httpclient::HttpRequest request = {.method = body.empty() ? "GET" : "POST", .url = url};
    request.headers.Set("content-type", "application/json");
    if (!body.empty()) request.body = std::make_shared<const std::string>(body);
    request.connection = std::make_shared<const httpclient::ConnectionOptions>(
        httpclient::ConnectionOptions{.ca_certificates = ca});
    KUBE_ASSIGN_OR_RETURN(httpclient::HttpResponse response,
                          transport_->RoundTrip(In(absl::Seconds(60)), std::move(request)));
    std::string answer = absl::StrCat(response.status, " ");
    while (true) {
      KUBE_ASSIGN_OR_RETURN(const std::string piece, response.body->Read(In(absl::Seconds(60))));
      if (piece.empty()) return answer;
      answer += piece;
    }
  }

  const log::LogCapture quiet_;
  const std::shared_ptr<httpclient::HttpTransport> transport_ = *httpclient::MakeHttpTransport({});
  Cluster cluster_;
};

// behaviour.md: MGR-44
TEST_F(ManagerWebhookSocketsTest, ServesAndIsReady_AndEndsWithTheManager) {
  ManagerOptions options = {
      .name = "operator",
      .health = kube::health::HealthServerOptions{.address = "127.0.0.1", .port = 0}};
  options.webhooks = webhook::ServerOptions{
      .address = "127.0.0.1", .port = 0, .self_signed = webhook::SelfSignedOptions{}};
  const auto manager =
      Manager::Make(envtest::InProcessConfig(cluster_.server()), std::move(options));
  ASSERT_THAT(manager, IsOk());
  webhook::Server& webhooks = (*manager)->webhooks();
  RegisterDogs(webhooks);
  base::Thread runs;
  ASSERT_THAT(
      runs.Start(Context(), "manager",
                 [&manager](const Context& ctx) { EXPECT_THAT((*manager)->Run(ctx), IsOk()); }),
      IsOk());
  ASSERT_THAT(webhooks.WaitUntilStarted(In(absl::Seconds(60))), IsOk());
  const absl::StatusOr<std::string> ca = webhooks.CaCertificate();
  ASSERT_THAT(ca, IsOk());
  const absl::StatusOr<std::string> answer =
      Send(absl::StrCat(webhooks.url(), "/convert"), *ca,
           R"({"request":{"uid":"u","desiredAPIVersion":"example.com/v2","objects":[]}})");
  ASSERT_THAT(answer, IsOk());
  EXPECT_THAT(*answer, AllOf(HasSubstr("200 "), HasSubstr(R"("uid":"u")")));
  const absl::StatusOr<std::string> ready =
      Send(absl::StrCat((*manager)->health_url(), "/readyz/webhooks"), "", "");
  ASSERT_THAT(ready, IsOk());
  EXPECT_THAT(*ready, HasSubstr("200 "));
  EXPECT_THAT((*manager)->registry().Render(),
              HasSubstr("controller_runtime_webhook_requests_total"));
  runs.RequestStop();
  runs.Join();
  EXPECT_EQ(webhooks.url(), "");
}

// A replica that is ready is asked, and must be trusted then.
TEST_F(ManagerWebhookSocketsTest, SelfSigned_IsReadyWhenTheAuthorityIsWritten) {
  const struct {
    const char* name;
    bool fails;
    const char* ready;
  } kRows[] = {{"the API server refuses", true, "webhook authority not written yet: "},
               {"nothing asks the program yet", false, "200 "}};
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    if (row.fails) {
      cluster_.server().faults().Add(
          {.resource = "mutatingwebhookconfigurations", .fault = apiserver::fault::Error{}});
    } else {
      cluster_.server().faults().Clear();
    }
    ManagerOptions options = {
        .name = "operator",
        .health = kube::health::HealthServerOptions{.address = "127.0.0.1", .port = 0}};
    options.webhooks = webhook::ServerOptions{
        .address = "127.0.0.1",
        .port = 0,
        .self_signed = webhook::SelfSignedOptions{.mutating_configurations = {"dogs"}}};
    const auto manager =
        Manager::Make(envtest::InProcessConfig(cluster_.server()), std::move(options));
    ASSERT_THAT(manager, IsOk());
    RegisterDogs((*manager)->webhooks());
    base::Thread runs;
    ASSERT_THAT(
        runs.Start(Context(), "manager",
                   [&manager](const Context& ctx) { EXPECT_THAT((*manager)->Run(ctx), IsOk()); }),
        IsOk());
    ASSERT_THAT((*manager)->webhooks().WaitUntilStarted(In(absl::Seconds(60))), IsOk());
    const std::string url = absl::StrCat((*manager)->health_url(), "/readyz/webhooks");
    EXPECT_THAT(
        base::PollUntil(In(absl::Seconds(60)), absl::Milliseconds(2), base::FirstPoll::kAtOnce,
                        [&](const Context&) -> absl::StatusOr<bool> {
                          KUBE_ASSIGN_OR_RETURN(const std::string answer, Send(url, "", ""));
                          return absl::StrContains(answer, row.ready);
                        }),
        IsOk());
    runs.RequestStop();
    runs.Join();
  }
}

// behaviour.md: MGR-27
TEST_F(ManagerWebhookSocketsTest, NothingIsRegistered_NothingListens) {
  ManagerOptions options = {.name = "operator"};
  options.health.reset();
  // It would wait for files that are not there, and be named at the end.
  options.webhooks.certificate_folder = "/does/not/exist";
  const auto manager =
      Manager::Make(envtest::InProcessConfig(cluster_.server()), std::move(options));
  ASSERT_THAT(manager, IsOk());
  EXPECT_THAT((*manager)->Run(In(absl::Milliseconds(50))), IsOk());
  EXPECT_THAT((*manager)->webhooks().CheckStarted(),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr("has not been started")));
}

}  // namespace
}  // namespace kube::controller

// Whole programs that are recorded on the embedded server and then replayed without it, both in
// virtual time: an informer sees the same events at the same times, and a controller sends the same
// requests.
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "apiserver/handler.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/recording/load.h"
#include "clientset/recording/recorder.h"
#include "clientset/recording/replay_transport.h"
#include "clientset/recording/sink.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "controller/cache/cache.h"
#include "controller/reconcile/controller.h"
#include "controller/reconcile/controller_host.h"
#include "controller/reconcile/owned.h"
#include "controller/reconcile/request.h"
#include "controller/reconcile/testing/run_controller.h"
#include "envtest/in_process_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "informers/event_handler.h"
#include "informers/kubernetes/core/v1/informers.h"
#include "informers/kubernetes/shared_informer_factory.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/transport.h"

namespace kube::recording {
namespace {

namespace corev1 = api::core::v1;

using base::IsOk;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// What a program of these tests tells.
using Told = std::vector<std::string>;
// Runs a program until `meanwhile` returns.
using Meanwhile = std::function<void()>;
using Program = std::function<Told(const rest::Config& config, const Meanwhile& meanwhile)>;

// A network that takes its time, as all but the one within a process do.
class Latency final : public httpclient::Transport {
 public:
  explicit Latency(std::shared_ptr<httpclient::Transport> next) : next_(std::move(next)) {}

  absl::StatusOr<httpclient::HttpResponse> RoundTrip(const Context& ctx,
                                                     httpclient::HttpRequest request) override {
    KUBE_RETURN_IF_ERROR(base::SleepFor(ctx, absl::Milliseconds(10)));
    return next_->RoundTrip(ctx, std::move(request));
  }
  void CloseIdleConnections() override { next_->CloseIdleConnections(); }

 private:
  const std::shared_ptr<httpclient::Transport> next_;
};

void Sleep(absl::Duration duration) { EXPECT_THAT(base::SleepFor(Context(), duration), IsOk()); }

// Creates, changes and deletes config maps, in 40 seconds.
void Write(const corev1::ConfigMapClient& maps) {
  Sleep(absl::Seconds(10));
  corev1::ConfigMap map = {.metadata = {.name = "web"}};
  absl::StatusOr<corev1::ConfigMap> created = maps.Create(Context(), map);
  ASSERT_THAT(created, IsOk());
  Sleep(absl::Seconds(10));
  created->data["size"] = "2";
  EXPECT_THAT(maps.Update(Context(), *created), IsOk());
  Sleep(absl::Seconds(10));
  EXPECT_THAT(maps.Delete(Context(), "web"), IsOk());
  Sleep(absl::Seconds(10));
}

// Returns the recording of a program and, in `told`, what it told.
std::string RecordProgram(const Program& program, Told& told) {
  const log::LogCapture quiet;
  const auto sink = std::make_shared<MemorySink>();
  base::SimRuntime sim({.seed = 1});
  const absl::Status end = sim.Run([&] {
    apiserver::ApiHandler server;
    const kubernetes::Clientset others(*rest::MakeClient(envtest::InProcessConfig(server)));
    const auto maps = others.CoreV1().ConfigMaps("default");
    const corev1::ConfigMap old = {.metadata = {.name = "old"}};
    EXPECT_THAT(maps.Create(Context(), old), IsOk());
    rest::Config config = envtest::InProcessConfig(server);
    rest::Wrap(config, [](std::shared_ptr<httpclient::Transport> next) {
      return std::make_shared<Latency>(std::move(next));
    });
    const Recorder recorder(sink);
    told = program(recorder.Record(config), [&maps] { Write(maps); });
  });
  EXPECT_THAT(end, IsOk());
  return sink->text();
}

// Returns what a program tells when it is replayed.
Told ReplayProgram(const Program& program, const std::string& text, uint64_t seed) {
  const log::LogCapture quiet;
  Told told;
  base::SimRuntime sim({.seed = seed});
  const absl::Status end = sim.Run([&] {
    absl::StatusOr<Recording> recording = ParseRecording(text);
    ASSERT_THAT(recording, IsOk());
    const auto replay = std::make_shared<ReplayTransport>(*std::move(recording));
    told = program(ReplayConfig(replay), [] { Sleep(absl::Seconds(40)); });
    EXPECT_THAT(replay->Verify(), IsOk());
  });
  EXPECT_THAT(end, IsOk());
  return told;
}

// An informer of config maps.
Told RunInformer(const rest::Config& config, const Meanwhile& meanwhile) {
  const absl::StatusOr<kubernetes::Clientset> client = kubernetes::Clientset::Make(config);
  EXPECT_THAT(client, IsOk());
  if (!client.ok()) return {};
  Told told;
  const base::MonotonicTime start = base::Now();
  const auto tell = [&](absl::string_view what, const corev1::ConfigMap& map) {
    const int64_t seconds = absl::ToInt64Seconds(base::Now() - start + absl::Milliseconds(500));
    told.push_back(absl::StrCat(seconds, "s: ", what, " ", map.metadata.name.view(), " ",
                                map.metadata.resource_version.view()));
  };
  kubernetes::SharedInformerFactory factory(*client, {.namespace_name = "default"});
  const absl::Status added =
      factory.Core()
          .V1()
          .ConfigMaps()
          .Informer()
          .AddEventHandler({.on_add =
                                [&](const informers::AddEvent<corev1::ConfigMap>& event) {
                                  tell("add", *event.object);
                                },
                            .on_update =
                                [&](const informers::UpdateEvent<corev1::ConfigMap>& event) {
                                  tell("update", *event.object);
                                },
                            .on_delete =
                                [&](const informers::DeleteEvent<corev1::ConfigMap>& event) {
                                  tell("delete", *event.object);
                                }})
          .status();
  EXPECT_THAT(added, IsOk());
  CancelScope scope = WithCancel(Context());
  EXPECT_THAT(factory.Start(scope.context()), IsOk());
  EXPECT_THAT(factory.WaitForCacheSync(scope.context()), IsOk());
  meanwhile();
  scope.Cancel();
  factory.Shutdown();
  return told;
}

// An operator that makes a Secret for each config map, and tells whose.
Told RunOperator(const rest::Config& config, const Meanwhile& meanwhile) {
  const absl::StatusOr<rest::Client> client = rest::MakeClient(config);
  EXPECT_THAT(client, IsOk());
  if (!client.ok()) return {};
  Told told;
  controller::Cache cache(*client, {.namespaces = {"default"}});
  controller::Controller<corev1::ConfigMap> maps(
      controller::ControllerHost{.name = "test", .cache = &cache});
  const controller::Owned<corev1::Secret> secrets = maps.Owns<corev1::Secret>();
  maps.Reconciles([&](controller::Request<corev1::ConfigMap>& request) -> absl::Status {
    const absl::string_view name = request.object()->metadata.name.view();
    if (secrets.Get(request, name).ok()) return absl::OkStatus();
    corev1::Secret secret = {.metadata = {.name = name}};
    secret.data["password"] = "hunter2";
    KUBE_ASSIGN_OR_RETURN(const corev1::Secret created, secrets.Create(request, secret));
    told.push_back(
        absl::StrCat("created ", created.metadata.name.view(), " ", created.metadata.uid.view()));
    return absl::OkStatus();
  });
  controller::RunController running(maps.managed());
  meanwhile();
  running.Stop();
  return told;
}

TEST(Replay, OfAnInformer_SeesTheSameEventsAtTheSameTimes) {
  Told recorded;
  const std::string text = RecordProgram(RunInformer, recorded);
  ASSERT_EQ(recorded.size(), 4u);
  EXPECT_THAT(recorded, ElementsAre(HasSubstr("0s: add old"), HasSubstr("10s: add web"),
                                    HasSubstr("20s: update web"), HasSubstr("30s: delete web")));
  for (const uint64_t seed : {1, 2, 3}) {
    SCOPED_TRACE(seed);
    EXPECT_EQ(ReplayProgram(RunInformer, text, seed), recorded);
  }
}

TEST(Replay, OfAnOperator_SendsTheSameRequests) {
  Told recorded;
  const std::string text = RecordProgram(RunOperator, recorded);
  EXPECT_THAT(recorded, ElementsAre(HasSubstr("created old"), HasSubstr("created web")));
  EXPECT_THAT(text, Not(HasSubstr("hunter2")));
  EXPECT_THAT(text, Not(HasSubstr("aHVudGVyMg")));
  for (const uint64_t seed : {1, 2, 3}) {
    SCOPED_TRACE(seed);
    EXPECT_EQ(ReplayProgram(RunOperator, text, seed), recorded);
  }
}

}  // namespace
}  // namespace kube::recording

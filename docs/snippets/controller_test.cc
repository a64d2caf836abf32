// The snippets of docs/leader-election.md, docs/health.md and docs/events.md, in functions that the
// tests call.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/metric_members.h"
#include "apimachinery/base/metrics.h"
#include "apimachinery/base/prometheus.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/coordination/v1/client.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/kubernetes/events/v1/client.h"
#include "clientset/rest/client.h"
#include "controller/events/event_broadcaster.h"
#include "controller/events/event_object.h"
#include "controller/events/event_recorder.h"
#include "controller/events/event_sink.h"
#include "controller/health/health_server.h"
#include "controller/leaderelection/fencing_token.h"
#include "controller/leaderelection/healthz_adaptor.h"
#include "controller/leaderelection/leader_elector.h"
#include "controller/leaderelection/lease_lock.h"
#include "controller/manager/manager_status.h"
#include "controller/manager/status_page.h"
#include "controller/metrics/metrics_server.h"
#include "envtest/fake/clientset.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "informers/kubernetes/shared_informer_factory.h"
#include "net/certificates/certificate_files.h"
#include "net/httpserver/exchange.h"
#include "net/httpserver/server.h"

namespace kube {
namespace {

namespace corev1 = api::core::v1;

using leaderelection::FencingToken;
using leaderelection::LeaderElector;
using leaderelection::LeaseLock;

int controllers = 0;

void RunController(const Context& ctx) {
  ++controllers;
  base::WaitUntilDone(ctx).IgnoreError();
}

absl::Status Lead(const Context& ctx, const kubernetes::Clientset& clientset,
                  const std::string& hostname, const std::string& uuid) {
  auto lock = std::make_shared<LeaseLock>(clientset.CoordinationV1().Leases("default"),
                                          "my-controller", absl::StrCat(hostname, "_", uuid));
  KUBE_ASSIGN_OR_RETURN(
      auto elector, LeaderElector::Make(
                        lock,
                        {.on_started_leading = [](const Context& leading,
                                                  const FencingToken&) { RunController(leading); },
                         .on_stopped_leading = [] {}},
                        {.release_on_cancel = true}));
  return elector->Run(ctx);  // ABORTED: leadership was lost. End the program.
}

TEST(LeaderElectionGuide, Leads) {
  const log::LogCapture quiet;
  base::SimRuntime sim;
  const absl::Status end = sim.Run([] {
    const fake::Clientset fake;
    const Context ctx = WithTimeout(Context(), absl::Minutes(1));
    EXPECT_THAT(Lead(ctx, fake.client(), "host", "1"),
                base::StatusIs(absl::StatusCode::kDeadlineExceeded));
    EXPECT_EQ(controllers, 1);
  });
  EXPECT_THAT(end, base::IsOk());
}

absl::Status Watch(const kubernetes::SharedInformerFactory& informers) {
  auto registry = std::make_shared<base::PrometheusRegistry>();
  auto watch_dog = std::make_shared<leaderelection::HealthzAdaptor>(absl::Seconds(20));
  KUBE_ASSIGN_OR_RETURN(
      std::unique_ptr<health::HealthServer> server,
      health::HealthServer::Start(
          {.port = 8080,
           .livez = {{"leaderElection",
                      [watch_dog](const Context&) { return watch_dog->Check(); }}},
           .readyz = {{"informers", [&](const Context&) { return informers.CheckSynced(); }}},
           .metrics = registry}));
  return server->Shutdown(Context());
}

TEST(HealthGuide, Serves) {
  const fake::Clientset fake;
  EXPECT_THAT(Watch(kubernetes::SharedInformerFactory(fake.client())), base::IsOk());
}

absl::Status ServeMetrics(const Context& ctx, const rest::Client& client,
                          const std::shared_ptr<base::PrometheusRegistry>& registry,
                          uint16_t port) {
  KUBE_ASSIGN_OR_RETURN(
      std::unique_ptr<metrics::MetricsServer> server,
      metrics::MetricsServer::Start(
          ctx, {.port = port, .secure = true, .access = metrics::MetricsAccess::kTokenReview},
          registry, &client));
  return server->Shutdown(ctx);
}

absl::Status ServeFromFiles(const Context& ctx, const std::string& folder) {
  auto files =
      std::make_shared<certificates::CertificateFiles>(certificates::CertificateFilesOptions{
          .certificate_file = folder + "/tls.crt", .key_file = folder + "/tls.key"});
  KUBE_RETURN_IF_ERROR(files->WaitForFirst(WithTimeout(ctx, absl::Minutes(2))));
  KUBE_RETURN_IF_ERROR(files->Start(ctx));
  KUBE_ASSIGN_OR_RETURN(
      std::unique_ptr<health::HealthServer> server,
      health::HealthServer::Start({.port = 8443, .tls = httpserver::TlsOptions{.source = files}}));
  return server->Shutdown(ctx);
}

health::PathHandler StatusPage(std::function<controller::ManagerStatus()> status) {
  return {.path = "/debug/status", .handle = [status](const httpserver::Request&) {
            return httpserver::Response{
                .headers = {{"content-type", std::string(controller::kStatusPageType)}},
                .body = controller::RenderStatusPage(status())};
          }};
}

TEST(HealthGuide, ServesMetricsCertificatesAndAPage) {
  const fake::Clientset fake;
  EXPECT_THAT(ServeMetrics(Context(), fake.client().client(),
                           std::make_shared<base::PrometheusRegistry>(), /*port=*/0),
              base::IsOk());
  EXPECT_THAT(ServeFromFiles(WithTimeout(Context(), absl::Milliseconds(1)), "/no/such/folder"),
              base::StatusIs(absl::StatusCode::kDeadlineExceeded));
  const health::PathHandler page = StatusPage([] {
    controller::ManagerStatus status;
    status.name = "web<site>";
    return status;
  });
  EXPECT_THAT(page.handle({}).body, testing::HasSubstr("<h1>web&lt;site&gt;</h1>"));
}

class Restarter {
 public:
  explicit Restarter(std::shared_ptr<base::MetricsProvider> metrics)
      : metrics_(std::move(metrics)) {}
  void Restart() { restarts_.Increment(); }
  void Fail(absl::string_view verb) { errors_.WithLabelValues({verb}).Increment(); }

 private:
  const std::shared_ptr<base::MetricsProvider> metrics_;
  const base::Counter restarts_ = base::NewCounter(
      *metrics_, {.name = "restarter_restarts_total", .help = "Pods that were restarted."});
  const base::CounterVec errors_ = base::NewCounterVec(
      *metrics_, {.name = "restarter_errors_total", .help = "Errors.", .label_names = {"verb"}});
};

TEST(HealthGuide, Counts) {
  const auto registry = std::make_shared<base::PrometheusRegistry>();
  Restarter restarter(registry);
  restarter.Restart();
  restarter.Fail("get");
  EXPECT_THAT(registry->Render(), testing::HasSubstr("restarter_restarts_total 1\n"));
  EXPECT_THAT(registry->Render(), testing::HasSubstr("restarter_errors_total{verb=\"get\"} 1\n"));
}

absl::Status RestartPods(const Context& ctx, const kubernetes::Clientset& clientset) {
  events::EventBroadcaster broadcaster(events::NewEventSink(clientset.client()));
  KUBE_RETURN_IF_ERROR(broadcaster.StartRecordingToSink().status());
  const std::unique_ptr<events::EventRecorder> recorder =
      broadcaster.NewRecorder(events::KindsOf<corev1::PodClient>(), "example.com/restarter");

  const corev1::PodClient pods = clientset.CoreV1().Pods("default");
  while (!ctx.done()) {
    KUBE_ASSIGN_OR_RETURN(const corev1::Pod pod, pods.Get(ctx, "web-0"));
    recorder->Eventf(pod, nullptr, events::kEventTypeNormal, "Requested", "Restart", "by %s",
                     "alice");
    base::SleepFor(ctx, absl::Minutes(1)).IgnoreError();
  }
  return broadcaster.Shutdown(absl::Seconds(5));  // not WithTimeout(ctx, …): ctx is done
}

TEST(EventsGuide, EventsArriveThoughTheProgramEnds) {
  base::SimRuntime sim;
  const absl::Status end = sim.Run([] {
    const fake::Clientset fake;
    const corev1::Pod web = {.metadata = {.name = "web-0"},
                             .spec = {.containers = {{.name = "web", .image = "web:1"}}}};
    ASSERT_THAT(fake.client().CoreV1().Pods("default").Create(Context(), web), base::IsOk());
    EXPECT_THAT(RestartPods(WithTimeout(Context(), absl::Seconds(30)), fake.client()),
                base::IsOk());
    const auto events = fake.client().EventsV1().Events("default").List(Context());
    ASSERT_THAT(events, base::IsOk());
    ASSERT_EQ(events->items.size(), 1u);
    EXPECT_EQ(events->items[0].regarding.kind, "Pod");
    EXPECT_EQ(events->items[0].regarding.api_version, "v1");
    EXPECT_EQ(events->items[0].note, "by alice");
  });
  EXPECT_THAT(end, base::IsOk());
}

}  // namespace
}  // namespace kube

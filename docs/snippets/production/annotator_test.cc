// The program of docs/production.md, and its run on an API server in this process.
#include <cstdint>
#include <memory>

#include "absl/flags/declare.h"
#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/prometheus.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/meta/object_name.h"
#include "apiserver/handler.h"
#include "clientset/clientcmd/load_config.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/coordination/v1/client.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/kubernetes/events/v1/client.h"
#include "clientset/rest/config.h"
#include "clientset/typed/patch_from.h"
#include "controller/enqueue.h"
#include "controller/events/event_broadcaster.h"
#include "controller/events/event_object.h"
#include "controller/events/event_recorder.h"
#include "controller/events/event_sink.h"
#include "controller/events/event_types.h"
#include "controller/health/health_server.h"
#include "controller/leaderelection/flags.h"
#include "controller/leaderelection/healthz_adaptor.h"
#include "controller/workqueue/queue.h"
#include "controller/workqueue/run_workers.h"
#include "envtest/in_process_transport.h"
#include "gtest/gtest.h"
#include "informers/kubernetes/core/v1/informers.h"
#include "informers/kubernetes/shared_informer_factory.h"
#include "listers/lister.h"

ABSL_DECLARE_FLAG(bool, leader_elect);

namespace kube {
namespace {

namespace corev1 = api::core::v1;
using base::IsOk;

constexpr char kName[] = "annotator";
constexpr char kSeen[] = "example.com/seen";

// Annotates a ConfigMap.
absl::Status Sync(const Context& ctx, const kubernetes::Clientset& client,
                  events::EventRecorder& recorder, const listers::Lister<corev1::ConfigMap>& maps,
                  const meta::ObjectName& name) {
  const auto map = maps.Namespace(name.namespace_name).Get(name.name);
  if (!map.ok() || (*map)->metadata.annotations.find(kSeen) != nullptr) return absl::OkStatus();
  corev1::ConfigMap after = **map;
  after.metadata.annotations[kSeen] = "yes";
  KUBE_RETURN_IF_ERROR(
      typed::PatchFrom(ctx, client.CoreV1().ConfigMaps(name.namespace_name), **map, after));
  recorder.Eventf(**map, nullptr, events::kEventTypeNormal, "Seen", "Annotate", "annotated");
  return absl::OkStatus();
}

absl::Status RunController(const Context& ctx, const clientcmd::LoadedConfig& loaded,
                           uint16_t health_port) {
  const auto metrics = std::make_shared<base::PrometheusRegistry>();
  rest::Config config = loaded.config;
  config.timeout = absl::Seconds(30);  // of each request, with its retries
  config.metrics = metrics;
  KUBE_ASSIGN_OR_RETURN(const auto client, kubernetes::Clientset::Make(config));
  events::EventBroadcaster broadcaster(events::NewEventSink(client.client()), {.metrics = metrics});
  KUBE_RETURN_IF_ERROR(broadcaster.StartRecordingToSink().status());
  const std::unique_ptr<events::EventRecorder> recorder =
      broadcaster.NewRecorder(events::KindsOf<corev1::ConfigMapClient>(), "example.com/annotator");

  workqueue::Queue<meta::ObjectName> queue({.name = kName, .metrics = metrics});
  kubernetes::SharedInformerFactory informers(client, {.metrics = metrics, .metrics_name = kName});
  const corev1::ConfigMapInformer maps = informers.Core().V1().ConfigMaps();
  const listers::Lister<corev1::ConfigMap> lister = maps.Lister();
  KUBE_RETURN_IF_ERROR(
      maps.Informer().AddEventHandler(controller::EnqueueHandler<corev1::ConfigMap>(queue)));

  const auto watch_dog = std::make_shared<leaderelection::HealthzAdaptor>(absl::Seconds(20));
  KUBE_ASSIGN_OR_RETURN(
      const std::unique_ptr<health::HealthServer> server,
      health::HealthServer::Start(
          {.port = health_port,
           .livez = {{"leaderElection",
                      [watch_dog](const Context&) { return watch_dog->Check(); }}},
           .readyz = {{"informers", [&](const Context&) { return informers.CheckSynced(); }}},
           .metrics = metrics}));

  // Before the election: the caches of followers are full, too.
  KUBE_RETURN_IF_ERROR(informers.Start(ctx));
  KUBE_RETURN_IF_ERROR(informers.WaitForCacheSync(ctx, {.fail_fast = true}));
  const auto handle = [&](const Context& item_ctx, const meta::ObjectName& name) {
    return Sync(item_ctx, client, *recorder, lister, name);
  };
  const auto work = [&](const Context& leading) {
    return workqueue::RunWorkers(leading, /*workers=*/2, queue, handle,
                                 {.name = kName, .item_timeout = absl::Minutes(2)});
  };
  const absl::Status status = leaderelection::RunAsLeaderIfAsked(
      ctx, config, {.namespace_name = loaded.chosen_namespace.name, .name = kName}, work,
      {.watch_dog = watch_dog, .metrics = metrics});
  broadcaster.Shutdown(absl::Seconds(5)).IgnoreError();
  return status;
}

TEST(ProductionGuide, WorksAndReleasesItsLease) {
  const log::LogCapture quiet;
  absl::SetFlag(&FLAGS_leader_elect, true);
  apiserver::ApiHandler api;
  const kubernetes::Clientset client = *kubernetes::Clientset::Make(envtest::InProcessConfig(api));
  const corev1::ConfigMapClient maps = client.CoreV1().ConfigMaps("default");
  ASSERT_THAT(maps.Create(Context(), {.metadata = {.name = "map"}}), IsOk());

  const clientcmd::LoadedConfig loaded = {.config = envtest::InProcessConfig(api)};
  absl::Status end = absl::UnknownError("the program has not ended");
  base::Thread program;
  ASSERT_THAT(program.Start(
                  Context(), "program",
                  [&](const Context& ctx) { end = RunController(ctx, loaded, /*health_port=*/0); }),
              IsOk());
  EXPECT_THAT(base::PollUntilTimeout(
                  Context(), absl::Milliseconds(10), absl::Minutes(1), base::FirstPoll::kAtOnce,
                  [&maps](const Context& ctx) -> absl::StatusOr<bool> {
                    KUBE_ASSIGN_OR_RETURN(const corev1::ConfigMap map, maps.Get(ctx, "map"));
                    return map.metadata.annotations.find(kSeen) != nullptr;
                  }),
              IsOk());
  program.RequestStop();
  program.Join();
  EXPECT_THAT(end, IsOk());

  const auto lease = client.CoordinationV1().Leases("default").Get(Context(), kName);
  ASSERT_THAT(lease, IsOk());
  EXPECT_EQ(*lease->spec.holder_identity, "");
  const auto written = client.EventsV1().Events("default").List(Context());
  ASSERT_THAT(written, IsOk());
  EXPECT_EQ(written->items.size(), 1u);
}

}  // namespace
}  // namespace kube

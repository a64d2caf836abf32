// sample_controller [--kubeconfig FILE] [--leader-elect] ...: maintains a Deployment for each Foo.
#include <cstdint>
#include <memory>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/prometheus.h"
#include "apimachinery/base/signal_context.h"
#include "apimachinery/base/status.h"
#include "clientset/clientcmd/flags.h"
#include "clientset/clientcmd/load_config.h"
#include "clientset/kubernetes/clientset.h"
#include "controller/events/record/event_broadcaster.h"
#include "controller/events/record/event_sink.h"
#include "controller/health/health_server.h"
#include "controller/leaderelection/flags.h"
#include "controller/leaderelection/healthz_adaptor.h"
#include "examples/sample_controller/controller.h"
#include "examples/sample_controller/foo.kinds.kube.h"

ABSL_FLAG(int, workers, 2, "number of workers, that is, of Foos processed concurrently");
ABSL_FLAG(uint16_t, health_port, 0, "port of /livez, /readyz and /metrics; 0 disables them");

namespace {

using samplecontroller::Controller;

absl::Status Run(const kube::Context& ctx) {
  KUBE_ASSIGN_OR_RETURN(
      kube::clientcmd::LoadedConfig loaded,
      kube::clientcmd::LoadDefaultConfigAndNamespace(kube::clientcmd::FlagOptions()));
  const auto metrics = std::make_shared<kube::base::PrometheusRegistry>();
  loaded.config.metrics = metrics;
  KUBE_ASSIGN_OR_RETURN(const auto client, kube::kubernetes::Clientset::Make(loaded.config));
  const auto watch_dog = std::make_shared<kube::leaderelection::HealthzAdaptor>(absl::Seconds(20));
  std::unique_ptr<kube::health::HealthServer> health;
  if (const uint16_t port = absl::GetFlag(FLAGS_health_port); port != 0) {
    const auto leads = [=](const kube::Context&) { return watch_dog->Check(); };
    KUBE_ASSIGN_OR_RETURN(
        health, kube::health::HealthServer::Start(
                    {.port = port, .livez = {{"leaderElection", leads}}, .metrics = metrics}));
  }
  kube::record::EventBroadcaster events({.metrics = metrics});
  KUBE_RETURN_IF_ERROR(events.StartRecordingToSink(kube::record::NewEventSink(client.client())));
  const auto recorder =
      events.NewRecorder({samplecontroller::v1alpha1::Kinds()}, {.component = Controller::kName});

  Controller controller(client, *recorder, metrics);
  // The informers start when this program leads, so /readyz has no check of them: followers would
  // never be ready. docs/production.md has the order for a program with such a check.
  const auto work = [&](const kube::Context& leading) {
    return controller.Run(leading, absl::GetFlag(FLAGS_workers));
  };
  const absl::Status status = kube::leaderelection::RunAsLeaderIfAsked(
      ctx, loaded.config,
      {.namespace_name = loaded.chosen_namespace.name, .name = Controller::kName}, work,
      {.watch_dog = watch_dog, .metrics = metrics});
  events.Shutdown(kube::WithTimeout({}, absl::Seconds(5))).IgnoreError();
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  kube::clientcmd::ParseCommandLine(argc, argv);
  const absl::Status status = Run(kube::SignalContext());
  if (status.ok()) return 0;
  kube::log::Error(status, "controller ended");
  return 1;
}

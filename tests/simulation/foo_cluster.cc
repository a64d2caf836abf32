#include "tests/simulation/foo_cluster.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/random.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/wait.h"
#include "apiserver/handler.h"
#include "clientset/kubernetes/apps/v1/client.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/rest/config.h"
#include "controller/events/record/event_broadcaster.h"
#include "controller/events/record/event_recorder.h"
#include "controller/events/record/event_sink.h"
#include "controller/leaderelection/run_as_leader.h"
#include "envtest/crds.h"
#include "envtest/in_process_transport.h"
#include "envtest/workloads/workloads.h"
#include "examples/sample_controller/controller.h"
#include "examples/sample_controller/foo.client.kube.h"
#include "examples/sample_controller/foo.kinds.kube.h"

namespace kube::simulation {

using samplecontroller::Controller;
using samplecontroller::v1alpha1::FooClient;

namespace {

constexpr char kCrds[] = "examples/sample_controller/foo_crds.yaml";

rest::Config ControllerConfig(apiserver::ApiHandler& server, const std::string& user) {
  rest::Config config = envtest::InProcessConfig(server, {.name = user});
  config.user_agent = kControllerAgent;
  return config;
}

}  // namespace

absl::Status RunSampleController(const Context& ctx, const kubernetes::Clientset& client,
                                 record::EventRecorder& recorder) {
  Controller controller(client, recorder);
  return controller.Run(ctx, /*workers=*/2);
}

ControllerProcess::ControllerProcess(apiserver::ApiHandler& server, std::string user,
                                     RunController controller, bool elects)
    : user_(std::move(user)),
      controller_(controller),
      elects_(elects),
      config_(ControllerConfig(server, user_)) {}

absl::Status ControllerProcess::Start() {
  return thread_.Start(Context(), user_, [this](const Context& ctx) { RunAgainAndAgain(ctx); });
}

void ControllerProcess::Restart() {
  base::MutexLock lock(mutex_);
  if (program_ != nullptr) program_->Cancel();
}

void ControllerProcess::Stop() {
  thread_.RequestStop();
  thread_.Join();
}

void ControllerProcess::RunAgainAndAgain(const Context& ctx) {
  for (int n = 0; !ctx.done(); ++n) {
    CancelScope program = WithCancel(ctx);
    {
      base::MutexLock lock(mutex_);
      program_ = &program;
    }
    RunProgram(program.context(), absl::StrCat(user_, "-", n)).IgnoreError();
    {
      base::MutexLock lock(mutex_);
      program_ = nullptr;
    }
    base::SleepFor(ctx, base::Jitter(absl::Seconds(1), 9)).IgnoreError();
  }
}

// Does what the main function of examples/sample_controller does.
absl::Status ControllerProcess::RunProgram(const Context& ctx, const std::string& identity) const {
  KUBE_ASSIGN_OR_RETURN(const auto client, kubernetes::Clientset::Make(config_));
  record::EventBroadcaster events;
  KUBE_RETURN_IF_ERROR(events.StartRecordingToSink(record::NewEventSink(client.client())));
  const auto recorder =
      events.NewRecorder({samplecontroller::v1alpha1::Kinds()}, {.component = Controller::kName});
  const auto work = [&](const Context& leading) { return controller_(leading, client, *recorder); };
  const absl::Status status =
      elects_
          ? leaderelection::RunAsLeader(
                ctx, config_,
                {.namespace_name = "kube-system", .name = Controller::kName, .identity = identity},
                work)
          : work(ctx);
  events.Shutdown(WithTimeout(Context(), absl::Seconds(5))).IgnoreError();
  return status;
}

FooCluster::FooCluster(const FooClusterOptions& options)
    : start_(absl::StrCat(server_.revision())),
      client_(*kubernetes::Clientset::Make(envtest::InProcessConfig(server_))) {
  for (size_t i = 0; i < options.processes; ++i) {
    processes_.push_back(std::make_unique<ControllerProcess>(
        server_, absl::StrCat("controller-", i), options.controller, options.elects));
  }
}

absl::Status FooCluster::Start() {
  KUBE_RETURN_IF_ERROR(
      envtest::InstallCrds(Context(), client_.client(), {.paths = {kCrds}}).status());
  KUBE_ASSIGN_OR_RETURN(
      workloads_, envtest::Workloads::Start(
                      envtest::InProcessConfig(server_),
                      {.pod_ready_after = absl::Seconds(1), .pod_stops_after = absl::Seconds(1)}));
  for (const auto& process : processes_) KUBE_RETURN_IF_ERROR(process->Start());
  return absl::OkStatus();
}

void FooCluster::StopControllers() {
  for (const auto& process : processes_) process->Stop();
}

FooClient FooCluster::foos(absl::string_view namespace_name) const {
  return {client_.client(), namespace_name};
}

api::apps::v1::DeploymentClient FooCluster::deployments(absl::string_view namespace_name) const {
  return client_.AppsV1().Deployments(namespace_name);
}

api::core::v1::EventClient FooCluster::events() const { return client_.CoreV1().Events(""); }

kubernetes::Clientset FooCluster::ClientAsController() {
  return *kubernetes::Clientset::Make(ControllerConfig(server_, "controller"));
}

}  // namespace kube::simulation

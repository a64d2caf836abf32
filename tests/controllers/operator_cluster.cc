#include "tests/controllers/operator_cluster.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/random.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/wait.h"
#include "apiserver/handler.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/rest/config.h"
#include "controller/manager/manager.h"
#include "controller/manager/manager_options.h"
#include "envtest/in_process_transport.h"
#include "tests/controllers/operator.h"

namespace kube::controllers {

using base::MutexLock;

namespace {

constexpr size_t kReplicas = 2;

rest::Config ConfigOf(apiserver::ApiHandler& server, const std::string& user) {
  rest::Config config = envtest::InProcessConfig(server, {.name = user});
  config.user_agent = kAgent;
  return config;
}

// The options of a program, as those of a real one but for the endpoints, which need sockets.
controller::ManagerOptions OptionsOf(const std::string& program,
                                     absl::Duration own_writes_timeout) {
  controller::ManagerOptions options;
  options.name = "operator";
  options.leader_election.emplace();
  options.leader_election->lease.namespace_name = "kube-system";
  options.leader_election->lease.identity = program;
  options.health.reset();
  options.controllers.own_writes_timeout = own_writes_timeout;
  // Otherwise a controller that could not start, because something was denied, never would.
  options.fail_fast = true;
  return options;
}

}  // namespace

Replica::Replica(apiserver::ApiHandler& server, std::string user, const Surroundings& surroundings,
                 absl::Duration own_writes_timeout)
    : user_(std::move(user)),
      surroundings_(surroundings),
      own_writes_timeout_(own_writes_timeout),
      config_(ConfigOf(server, user_)) {}

absl::Status Replica::Start() {
  return thread_.Start(Context(), user_, [this](const Context& ctx) { RunAgainAndAgain(ctx); });
}

void Replica::Restart() {
  MutexLock lock(mutex_);
  if (running_ == nullptr) return;
  surroundings_.recorder->NoteStop(program_);
  running_->Cancel();
}

void Replica::Stop() {
  thread_.RequestStop();
  Restart();
  thread_.Join();
}

std::string Replica::program() const {
  MutexLock lock(mutex_);
  return program_;
}

void Replica::RunAgainAndAgain(const Context& ctx) {
  for (int n = 0; !ctx.done(); ++n) {
    CancelScope scope = WithCancel(ctx);
    const std::string program = absl::StrCat(user_, " #", n);
    {
      MutexLock lock(mutex_);
      program_ = program;
      running_ = &scope;
    }
    surroundings_.recorder->Tell(absl::StrCat(program, " starts"));
    const absl::Status ended = RunProgram(scope.context(), program);
    surroundings_.recorder->Tell(absl::StrCat(program, " ended: ", ended.ToString()));
    {
      MutexLock lock(mutex_);
      program_.clear();
      running_ = nullptr;
    }
    base::SleepFor(ctx, base::Jitter(absl::Seconds(1), 9)).IgnoreError();
  }
}

// Does what RunOperator does, without flags and signals.
absl::Status Replica::RunProgram(const Context& ctx, const std::string& program) const {
  KUBE_ASSIGN_OR_RETURN(
      const std::unique_ptr<controller::Manager> manager,
      controller::Manager::Make(config_, OptionsOf(program, own_writes_timeout_)));
  Surroundings surroundings = surroundings_;
  surroundings.program = program;
  absl::Status ended;
  {
    const Operator work(*manager, surroundings);
    ended = manager->Run(ctx);
    // In these cases Run has waited for everything.
    if (ended.ok() || absl::IsAborted(ended)) surroundings.recorder->NoteEnd(program);
  }
  surroundings.recorder->NoteEnd(program);
  return ended;
}

OperatorCluster::OperatorCluster(const OperatorClusterOptions& options)
    : admin_(*kubernetes::Clientset::Make(envtest::InProcessConfig(server_))) {
  const Surroundings surroundings = {.recorder = &recorder_,
                                     .other_system = &other_system_,
                                     .admin = &admin_,
                                     .creates_once = options.creates_once};
  for (size_t i = 0; i < kReplicas; ++i) {
    replicas_.push_back(std::make_unique<Replica>(server_, absl::StrCat("replica-", i),
                                                  surroundings, options.own_writes_timeout));
  }
}

absl::Status OperatorCluster::Start() {
  for (const auto& each : replicas_) KUBE_RETURN_IF_ERROR(each->Start());
  return absl::OkStatus();
}

void OperatorCluster::Stop() {
  for (const auto& each : replicas_) each->Stop();
}

Replica& OperatorCluster::AnyReplica() {
  return replica(static_cast<size_t>(base::UniformInt(0, static_cast<int64_t>(replicas_.size()))));
}

}  // namespace kube::controllers

#include "controller/testing/internal/world_replica.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/random.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/wait.h"
#include "clientset/rest/config.h"
#include "controller/manager/manager.h"
#include "controller/manager/manager_options.h"
#include "controller/manager/manager_status.h"
#include "webhook/server.h"

namespace kube::controller::internal {

using base::MutexLock;

namespace {

// How long a replica is away after the end of a program: this time, up to ten times as long.
constexpr absl::Duration kShortestRestart = absl::Milliseconds(500);
// What Manager::Run says of what has not ended; it has the same code for what could not start.
constexpr char kNotEnded[] = "have not ended";

// Webhooks answer 503 before.
bool HasSynced(const ManagerStatus& status) {
  for (const InformerStatus& informer : status.informers) {
    if (!informer.synced) return false;
  }
  return true;
}

}  // namespace

WorldReplica::WorldReplica(std::string name, ReplicaOptions options)
    : name_(std::move(name)), options_(std::move(options)) {}

absl::Status WorldReplica::Start() {
  return thread_.Start(Context(), name_, [this](const Context& ctx) {
    RunAgainAndAgain(ctx);
    ended_.Set();
  });
}

void WorldReplica::Restart() {
  MutexLock lock(mutex_);
  if (running_ != nullptr) running_->Cancel();
}

void WorldReplica::RequestStop() { thread_.RequestStop(); }

bool WorldReplica::AwaitEnd(absl::Duration timeout) {
  if (!thread_.joinable()) return true;
  if (!ended_.Wait(WithTimeout(Context(), timeout)).ok()) return false;
  thread_.Join();
  return true;
}

std::optional<ManagerStatus> WorldReplica::status() const {
  MutexLock lock(mutex_);
  if (manager_ == nullptr) return std::nullopt;
  return manager_->status();
}

std::string WorldReplica::program() const {
  MutexLock lock(mutex_);
  return program_;
}

absl::Status WorldReplica::last_end() const {
  MutexLock lock(mutex_);
  return last_end_;
}

absl::Status WorldReplica::StuckFor(absl::Duration bound) const {
  MutexLock lock(mutex_);
  return base::Now() - stuck_since_ < bound ? absl::OkStatus() : stuck_;
}

void WorldReplica::RunAgainAndAgain(const Context& ctx) {
  for (int n = 0; !ctx.done(); ++n) {
    CancelScope scope = WithCancel(ctx);
    const std::string program = absl::StrCat(name_, "#", n);
    {
      MutexLock lock(mutex_);
      running_ = &scope;
      program_ = program;
    }
    const absl::Status ended = RunProgram(scope.context(), program);
    {
      MutexLock lock(mutex_);
      running_ = nullptr;
      stuck_ = absl::OkStatus();
      last_end_ = base::Annotate(ended, program);
    }
    base::SleepFor(ctx, base::Jitter(kShortestRestart, 9)).IgnoreError();
  }
}

// Does what RunOperator does, without flags and signals.
absl::Status WorldReplica::RunProgram(const Context& ctx, const std::string& program) {
  rest::Config config = options_.config;
  config.user_agent = program;
  ManagerOptions manager_options = options_.manager;
  // Each program has metrics of its own, as each process has.
  manager_options.registry = nullptr;
  if (manager_options.leader_election.has_value()) {
    manager_options.leader_election->lease.identity = program;
  }
  KUBE_ASSIGN_OR_RETURN(const std::unique_ptr<Manager> manager,
                        Manager::Make(config, std::move(manager_options)));
  std::vector<std::shared_ptr<void>> operators;
  for (const MakeOperator& make : options_.operators) operators.push_back(make(*manager));
  {
    MutexLock lock(mutex_);
    manager_ = manager.get();
  }
  const bool serves = options_.webhooks != nullptr && manager->webhooks().has_webhooks();
  if (serves) {
    options_.webhooks->Add(manager->webhooks().handler(),
                           [&manager] { return HasSynced(manager->status()); });
  }
  const absl::Status ended = manager->Run(ctx);
  if (serves) options_.webhooks->Remove(manager->webhooks().handler());
  NoteEnd(program, ended);
  while (!operators.empty()) operators.pop_back();
  return ended;
}

void WorldReplica::NoteEnd(const std::string& program, const absl::Status& ended) {
  MutexLock lock(mutex_);
  manager_ = nullptr;
  // The destructors wait for what has not ended, perhaps for ever.
  if (!absl::IsDeadlineExceeded(ended)) return;
  if (!absl::StrContains(ended.message(), kNotEnded)) return;
  stuck_ = base::Annotate(ended, program);
  stuck_since_ = base::Now();
}

}  // namespace kube::controller::internal

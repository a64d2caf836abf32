#ifndef CONTROLLER_TESTING_INTERNAL_WORLD_REPLICA_H_
#define CONTROLLER_TESTING_INTERNAL_WORLD_REPLICA_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/thread.h"
#include "clientset/rest/config.h"
#include "controller/manager/manager.h"
#include "controller/manager/manager_options.h"
#include "controller/manager/manager_status.h"
#include "controller/testing/internal/webhook_switch.h"

namespace kube::controller::internal {

// Makes one operator of a program on its manager. Called for each program that is started.
using MakeOperator = std::function<std::shared_ptr<void>(Manager&)>;

// What the programs of a replica are made of.
struct ReplicaOptions {
  // The User-Agent of the requests is that of the program.
  rest::Config config = {};
  // The identity in the lease is the name of the program.
  ManagerOptions manager = {};
  std::vector<MakeOperator> operators = {};
  // Where the webhooks of the programs are served. May be null; outlives the replica.
  WebhookSwitch* webhooks = nullptr;
};

// A replica of an operator: a program with a manager and operators, which is started again whenever
// it ends, as a kubelet does.
//
// Thread-safe, except for Start and AwaitEnd. The destructor waits until the replica has ended.
class WorldReplica {
 public:
  // The programs are "NAME#0", "NAME#1" and so on.
  WorldReplica(std::string name, ReplicaOptions options);
  WorldReplica(const WorldReplica&) = delete;
  WorldReplica& operator=(const WorldReplica&) = delete;

  absl::Status Start();
  // Ends the program in an orderly way. It is started again after a while.
  void Restart() ABSL_LOCKS_EXCLUDED(mutex_);
  // Tells the replica to end for good. Does not block.
  void RequestStop();
  // Blocks until the replica has ended after RequestStop, `timeout` at most. Returns whether it has
  // ended.
  bool AwaitEnd(absl::Duration timeout);

  const std::string& name() const { return name_; }
  // Returns the status of the program that runs; nullopt between two programs.
  std::optional<ManagerStatus> status() const ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns the name of the program that runs, or that ran last.
  std::string program() const ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns what the last program that has ended returned, with its name.
  absl::Status last_end() const ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns OK, or DEADLINE_EXCEEDED, with what does not end, if a program was told to end and has
  // not done so for at least `bound`.
  absl::Status StuckFor(absl::Duration bound) const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  void RunAgainAndAgain(const Context& ctx);
  absl::Status RunProgram(const Context& ctx, const std::string& program);
  void NoteEnd(const std::string& program, const absl::Status& ended) ABSL_LOCKS_EXCLUDED(mutex_);

  const std::string name_;
  const ReplicaOptions options_;
  mutable base::Mutex mutex_;
  CancelScope* running_ ABSL_GUARDED_BY(mutex_) = nullptr;  // of the program, or null
  Manager* manager_ ABSL_GUARDED_BY(mutex_) = nullptr;      // of the program, or null
  std::string program_ ABSL_GUARDED_BY(mutex_);
  absl::Status last_end_ ABSL_GUARDED_BY(mutex_);
  absl::Status stuck_ ABSL_GUARDED_BY(mutex_);
  base::MonotonicTime stuck_since_ ABSL_GUARDED_BY(mutex_);
  base::Event ended_;
  base::Thread thread_;
};

}  // namespace kube::controller::internal

#endif  // CONTROLLER_TESTING_INTERNAL_WORLD_REPLICA_H_

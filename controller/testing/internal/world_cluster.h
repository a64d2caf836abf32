#ifndef CONTROLLER_TESTING_INTERNAL_WORLD_CLUSTER_H_
#define CONTROLLER_TESTING_INTERNAL_WORLD_CLUSTER_H_

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/testing/sim_wall_clock.h"
#include "apiserver/handler.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "controller/testing/internal/webhook_switch.h"
#include "controller/testing/internal/world_replica.h"
#include "controller/testing/internal/world_settlement.h"
#include "controller/testing/internal/world_troubles.h"
#include "controller/testing/operator_world_options.h"
#include "envtest/webhook_host.h"
#include "envtest/webhooks.h"
#include "envtest/workloads/workloads.h"
#include "webhook/registration.h"

namespace kube::controller::internal {

// The world of one run: a server, the replicas of an operator, what makes trouble for them, and a
// client of the administrator. Inside a simulation. Thread-compatible.
class WorldCluster {
 public:
  // All of them must outlive this object.
  WorldCluster(const OperatorWorldOptions& options, const std::vector<MakeOperator>& operators,
               WorldFault fault, base::SimWallClock& clock);
  WorldCluster(const WorldCluster&) = delete;
  WorldCluster& operator=(const WorldCluster&) = delete;

  // Starts everything, waits until the operator works and begins the troubles. Blocks. Returns the
  // errors of InstallCrds, InstallWebhooks and ServiceAccountConfig; DEADLINE_EXCEEDED, with what
  // is missing, if the operator does not work in time.
  absl::Status Start();
  // Ends the troubles and waits until nothing changes any more. Blocks.
  Settlement Settle();
  // Begins the troubles again after Settle.
  absl::Status Trouble() { return troubles_->Begin(); }
  // Watches the operator for the quiet time. Blocks.
  Settlement Watch();
  // Ends the replicas. Blocks. Returns false, and leaves them alone, if one of them does not end.
  bool Stop();

  apiserver::ApiHandler& server() { return server_; }
  const apiserver::ApiHandler& server() const { return server_; }
  const rest::Client& client() const { return *client_; }
  const rest::Config& admin_config() const { return admin_; }
  // Returns the name of the user that the operator is; empty before its first request.
  std::string user() const;
  // Returns the index in the server's log at which the last faults have ended.
  size_t settle_mark() const { return settle_mark_; }
  // Returns the time of day at which Watch has begun; the infinite future before.
  absl::Time settled() const { return settled_; }
  // Returns the index in the server's log at which the last Settle or Watch has begun.
  size_t log_mark() const { return log_mark_; }
  // Returns what the last programs of the replicas have returned, for messages.
  std::string LastEnds() const;

 private:
  // What Settle and Watch see at one moment.
  struct Sample {
    // Since Settle or Watch has begun.
    size_t requests = 0;  // of the replicas
    size_t changes = 0;   // of objects by anybody, leases and events excepted
    std::string last_change = {};
    bool idle = false;  // all replicas wait for something to do
  };

  absl::Status Connect();
  absl::Status Probe();
  absl::Status Install();
  absl::Status StartReplicas();
  absl::Status AwaitWork();
  absl::Status InstallHooks();
  ReplicaOptions OptionsOfReplicas();
  // Returns a settlement that is bad already, or nullopt.
  std::optional<Settlement> Alarm(const Sample& sample);
  // Begins to count requests and changes.
  void BeginSamples();
  // Reads what the log has more than at the last sample.
  Sample TakeSample();
  // Returns what is missing for the operator to work; "" if nothing is.
  std::string Missing() const;
  bool IsIdle() const;
  // Returns what does not end; "" if there is nothing.
  std::string NeverEnds();

  const OperatorWorldOptions& options_;
  const std::vector<MakeOperator>& operators_;
  const WorldFault fault_;
  base::SimWallClock& clock_;
  apiserver::ApiHandler server_;
  rest::Config admin_;
  rest::Config operator_;
  std::vector<webhook::Registration> registrations_;
  std::optional<rest::Client> client_;  // set by Start
  WebhookSwitch webhooks_;
  std::unique_ptr<envtest::WebhookHost> host_;
  envtest::WebhookConfigurations installed_webhooks_;
  std::unique_ptr<envtest::Workloads> workloads_;
  std::vector<std::unique_ptr<WorldReplica>> replicas_;
  std::optional<WorldTroubles> troubles_;  // set by Start
  size_t settle_mark_ = 0;
  size_t log_mark_ = 0;  // at which the last Settle or Watch has begun
  Sample counted_;       // up to the index read_
  size_t read_ = 0;      // how much of the log the samples have read
  absl::Time settled_ = absl::InfiniteFuture();
  // The work that workers have been seen with, and since when.
  std::map<std::string, base::MonotonicTime> in_work_;
};

}  // namespace kube::controller::internal

#endif  // CONTROLLER_TESTING_INTERNAL_WORLD_CLUSTER_H_

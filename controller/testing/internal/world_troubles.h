#ifndef CONTROLLER_TESTING_INTERNAL_WORLD_TROUBLES_H_
#define CONTROLLER_TESTING_INTERNAL_WORLD_TROUBLES_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/sim_wall_clock.h"
#include "apimachinery/base/thread.h"
#include "apiserver/fault_rule.h"
#include "apiserver/handler.h"
#include "controller/testing/internal/world_replica.h"
#include "controller/testing/operator_world_options.h"

namespace kube::controller::internal {

// The prefix of the names of replicas and of the User-Agent of their requests, by which fault rules
// select them.
inline constexpr char kReplicaPrefix[] = "replica-";

// What goes wrong in a world.
struct TroubleOptions {
  WorldFault fault = WorldFault::kNone;
  bool restarts = false;
  bool leader_changes = false;
  bool clock_jumps = false;
};

// Causes the troubles of one run, from Begin to End, again and again, as the seed of the simulation
// says. Requests of replicas take a few milliseconds all the time. Thread-compatible.
class WorldTroubles {
 public:
  // All of them must outlive this object.
  WorldTroubles(apiserver::ApiHandler& server,
                const std::vector<std::unique_ptr<WorldReplica>>& replicas,
                base::SimWallClock& clock, const TroubleOptions& options);
  ~WorldTroubles() { End(); }
  WorldTroubles(const WorldTroubles&) = delete;
  WorldTroubles& operator=(const WorldTroubles&) = delete;

  // Starts the troubles. Does nothing if they have begun.
  absl::Status Begin();
  // Ends the troubles and restores normal operation: all connections of replicas are reset, because
  // a watch that has stalled stays so. Blocks until that is done.
  void End();

 private:
  // Something that happens, and is over when it returns or `ctx` is done.
  using Strike = absl::Status (WorldTroubles::*)(const Context& ctx);

  void AddLatency();
  std::vector<Strike> Strikes() const;
  void StrikeAgainAndAgain(const Context& ctx);
  WorldReplica& AnyReplica() const;
  std::string AnyWatchedResource() const;
  absl::Status While(const Context& ctx, apiserver::FaultRule rule, absl::Duration most);
  absl::Status LoseLeadership(const Context& ctx);
  absl::Status Restart(const Context& ctx);
  absl::Status JumpClock(const Context& ctx);
  absl::Status Refuse(const Context& ctx);
  absl::Status Silence(const Context& ctx);
  absl::Status Lag(const Context& ctx);
  absl::Status Stall(const Context& ctx);
  absl::Status Expire(const Context& ctx);
  absl::Status BreakWatches(const Context& ctx);
  absl::Status RestartServer(const Context& ctx);

  apiserver::ApiHandler& server_;
  const std::vector<std::unique_ptr<WorldReplica>>& replicas_;
  base::SimWallClock& clock_;
  const TroubleOptions options_;
  base::Thread thread_;
};

}  // namespace kube::controller::internal

#endif  // CONTROLLER_TESTING_INTERNAL_WORLD_TROUBLES_H_

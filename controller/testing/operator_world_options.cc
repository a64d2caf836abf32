#include "controller/testing/operator_world_options.h"

#include <vector>

#include "absl/strings/string_view.h"

namespace kube::controller {

absl::string_view WorldFaultName(WorldFault fault) {
  switch (fault) {
    case WorldFault::kNone:
      return "no faults";
    case WorldFault::kSlowServer:
      return "slow server";
    case WorldFault::kSlowAnswers:
      return "slow answers";
    case WorldFault::kLostRequests:
      return "lost requests";
    case WorldFault::kLostAnswers:
      return "lost answers";
    case WorldFault::kServerErrors:
      return "server errors";
    case WorldFault::kThrottling:
      return "throttling";
    case WorldFault::kConflicts:
      return "conflicts";
    case WorldFault::kUnreachable:
      return "unreachable server";
    case WorldFault::kLaggingCaches:
      return "lagging caches";
    case WorldFault::kStalledWatches:
      return "stalled watches";
    case WorldFault::kExpiredWatches:
      return "expired watches";
    case WorldFault::kBrokenWatches:
      return "broken watches";
    case WorldFault::kRepeatedEvents:
      return "repeated events";
    case WorldFault::kServerRestarts:
      return "server restarts";
    case WorldFault::kEverything:
      break;
  }
  return "all faults";
}

std::vector<WorldFault> AllWorldFaults() {
  std::vector<WorldFault> all;
  for (int i = 0; i <= static_cast<int>(WorldFault::kEverything); ++i) {
    all.push_back(static_cast<WorldFault>(i));
  }
  return all;
}

}  // namespace kube::controller

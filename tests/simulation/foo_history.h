#ifndef TESTS_SIMULATION_FOO_HISTORY_H_
#define TESTS_SIMULATION_FOO_HISTORY_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "api/apps/v1/types.kube.h"
#include "apimachinery/watch/event.h"
#include "examples/sample_controller/foo.kube.h"
#include "tests/simulation/foo_cluster.h"

namespace kube::simulation {

// A change of a Foo or a Deployment at one version.
struct Happened {
  int64_t version = 0;
  watch::EventType type = watch::EventType::kAdded;
  // One of the two is set.
  std::shared_ptr<const samplecontroller::v1alpha1::Foo> foo = {};
  std::shared_ptr<const api::apps::v1::Deployment> deployment = {};
};

// Returns all changes since the cluster's start, as the server reports them, sorted by version.
// Call it when nothing happens any longer. Returns DATA_LOSS if the server has dropped a part of
// the history.
absl::StatusOr<std::vector<Happened>> ReadHistory(const FooCluster& cluster);

// What a history contains.
struct HistoryCounts {
  int64_t foos = 0;
  int64_t deployments = 0;  // owned by Foos
  int64_t foreign = 0;
  // Deployments created for a Foo that was already deleted.
  int64_t orphans = 0;
};

// The maximum number of Deployments that may be created for a Foo after its end, by requests that
// were on their way: one for each working process, and one more if an answer was lost.
inline constexpr int64_t kMaxOrphans = 3;

// Returns DATA_LOSS if anything happened that must not happen:
//   * each Deployment with a controller was created for an existing Foo of its namespace, under a name
//     that the Foo has requested at some time;
//   * at most kMaxOrphans were created for a Foo after its end;
//   * there never were two with the same owner and name at a time, and none was reported as new twice;
//   * no Deployment ever changed its owners;
//   * nobody changed labels or spec of those without a controller, or anything but the size in the
//     spec of the others.
absl::StatusOr<HistoryCounts> CheckHistory(const std::vector<Happened>& history);

}  // namespace kube::simulation

#endif  // TESTS_SIMULATION_FOO_HISTORY_H_

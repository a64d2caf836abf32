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

// What happened to one Foo, or one Deployment, at one version.
struct Happened {
  int64_t version = 0;
  watch::EventType type = watch::EventType::kAdded;
  // One of the two.
  std::shared_ptr<const samplecontroller::v1alpha1::Foo> foo = {};
  std::shared_ptr<const api::apps::v1::Deployment> deployment = {};
};

// All that happened to them since the cluster's start, as the server tells it, by version. Call it
// when nothing more happens. DATA_LOSS: not all is known any more.
absl::StatusOr<std::vector<Happened>> ReadHistory(const FooCluster& cluster);

// What there was to be seen in a history.
struct HistoryCounts {
  int64_t foos = 0;
  int64_t deployments = 0;  // of Foos
  int64_t foreign = 0;
  // Made for a Foo that had gone.
  int64_t orphans = 0;
};

// Deployments that may be made for one Foo after its end: by requests that were under way then. One
// for each process that works, and one more where an answer was lost.
inline constexpr int64_t kMaxOrphans = 3;

// DATA_LOSS if anything happened that must not have:
//   * each Deployment with a controller was made for a Foo that there was, of its name and in its
//     namespace, under a name that this Foo has asked for at some time;
//   * at most kMaxOrphans were made for a Foo after its end;
//   * there never were two at once of one owner and name, and none came a second time;
//   * no Deployment ever got other owners than it was made with;
//   * of those without a controller nobody changed labels or spec; of the others nobody changed
//     anything of the spec but the size.
absl::StatusOr<HistoryCounts> CheckHistory(const std::vector<Happened>& history);

}  // namespace kube::simulation

#endif  // TESTS_SIMULATION_FOO_HISTORY_H_

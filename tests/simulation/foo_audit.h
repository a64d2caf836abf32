#ifndef TESTS_SIMULATION_FOO_AUDIT_H_
#define TESTS_SIMULATION_FOO_AUDIT_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apiserver/handler.h"
#include "tests/simulation/foo_cluster.h"

namespace kube::simulation {

// What CheckConverged finds. It returns UNAVAILABLE, with what is missing, unless
//   * each Foo's Deployment exists under the requested name, is owned by the Foo, has its size (if
//     it sets one) and is fully available, and the Foo's status agrees; or a Deployment of that name
//     exists with another owner or none: the name is taken;
//   * each Deployment with a controller has an existing Foo, and no object is being deleted.
struct Converged {
  int64_t taken = 0;  // Foos whose names are taken
  // How many of these have an event ErrResourceExists. It may be missing for a few: as upstream,
  // two events about one name at the same instant have the same name, and the second is lost.
  // Outside of simulations no two happen at the same instant.
  int64_t told = 0;
};
absl::StatusOr<Converged> CheckConverged(const FooCluster& cluster);

// Checks that a converged cluster in which nobody writes stays quiet: for one minute the
// controllers write nothing except leases, and at most two events for each Foo whose name is
// `taken`; and they read only to restart the few watches that end in that time. Returns DATA_LOSS
// with the first request too many. Clears the log of requests. Blocks for that minute.
absl::Status CheckQuiet(FooCluster& cluster, int64_t taken);

// The verbs that a controller may use, by resource and subresource: "foos/status".
using Rights = std::map<std::string, std::set<std::string>>;
// Returns what the roles in examples/sample_controller/deploy/sample-controller.yaml allow.
Rights SampleControllerRights();
// Returns DATA_LOSS for a request of the controllers that these rights do not allow, such as a
// delete.
absl::Status CheckRequests(const FooCluster& cluster, const Rights& rights);

// For further audits of requests. Returns whether a controller has sent the request.
bool IsOfController(const apiserver::LoggedRequest& request);
// Returns DATA_LOSS: `what`, and the request.
absl::Status RequestError(absl::string_view what, const apiserver::LoggedRequest& request);

}  // namespace kube::simulation

#endif  // TESTS_SIMULATION_FOO_AUDIT_H_

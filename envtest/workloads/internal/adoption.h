#ifndef ENVTEST_WORKLOADS_INTERNAL_ADOPTION_H_
#define ENVTEST_WORKLOADS_INTERNAL_ADOPTION_H_

#include <set>
#include <string>

#include "apimachinery/base/context.h"
#include "envtest/workloads/internal/cluster/cluster.h"
#include "envtest/workloads/internal/cluster/outcome.h"

namespace kube::envtest::internal {

// Makes one pass in which the controllers adopt orphans that their selectors match, and release
// objects that they do not match any more: deployments do so with replica sets, replica sets with
// active pods, stateful sets with pods of their names, daemon sets and unfinished jobs with pods,
// stateful sets (which release none) and daemon sets with controller revisions. Writes through
// `cluster`, so the plans that follow see the new owners.
//
// Returns the UIDs of all controllers that took part. A controller that the mirrors show only later
// must wait for the next pass; otherwise it would create what it should have adopted.
//
// Before its first adoption, a controller is read from the server, since it may have been deleted,
// and its dependents orphaned, without the mirror knowing yet. (Go: `ClaimPods`,
// `RecheckDeletionTimestamp`)
std::set<std::string> AdoptAndRelease(const Context& ctx, Cluster& cluster, Outcome& outcome);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_WORKLOADS_INTERNAL_ADOPTION_H_

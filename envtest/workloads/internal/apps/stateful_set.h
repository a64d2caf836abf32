#ifndef ENVTEST_WORKLOADS_INTERNAL_APPS_STATEFUL_SET_H_
#define ENVTEST_WORKLOADS_INTERNAL_APPS_STATEFUL_SET_H_

#include <optional>
#include <vector>

#include "absl/time/time.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "envtest/workloads/internal/apps/controller_revisions.h"
#include "envtest/workloads/internal/cluster/pods.h"

namespace kube::envtest::internal {

// The changes for a stateful set, in this order.
struct StatefulSetPlan {
  RevisionPlan revision = {};
  std::vector<api::core::v1::PersistentVolumeClaim> create_claims = {};
  std::vector<api::core::v1::PersistentVolumeClaim> update_claims = {};
  std::vector<api::core::v1::Pod> create = {};
  // Pods that lack the labels of their identity, such as adopted ones.
  std::vector<api::core::v1::Pod> update = {};
  Objects<api::core::v1::Pod> remove = {};
  // Revisions beyond the limit of the history.
  Revisions remove_revisions = {};
  // Empty if the status is up to date.
  std::optional<api::apps::v1::StatefulSetStatus> status = {};
  // When to plan again without a change: when a pod becomes available or must be replaced.
  absl::Time again = absl::InfiniteFuture();
};

// Plans the changes for a stateful set. `pods` must contain the pods that it controls, `claims` and
// `revisions` those of its namespace. Every deletion of a pod must be visible in `pods`. With
// OrderedReady, a plan has at most one step; the next one follows when it is done.
//
// Pure. (Go: `UpdateStatefulSet`, without repair of the volumes of pods, which the server refuses,
// and rollingUpdate.maxUnavailable, a feature that is off by default)
StatefulSetPlan PlanStatefulSet(const api::apps::v1::StatefulSet& set,
                                const Objects<api::core::v1::Pod>& pods,
                                const Objects<api::core::v1::PersistentVolumeClaim>& claims,
                                const Revisions& revisions, absl::Time now);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_WORKLOADS_INTERNAL_APPS_STATEFUL_SET_H_

#ifndef ENVTEST_WORKLOADS_INTERNAL_STATEFUL_SET_H_
#define ENVTEST_WORKLOADS_INTERNAL_STATEFUL_SET_H_

#include <optional>
#include <vector>

#include "absl/time/time.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "envtest/workloads/internal/controller_revisions.h"
#include "envtest/workloads/internal/pods.h"

namespace kube::envtest::internal {

// What is to be done about a stateful set, in this order.
struct StatefulSetPlan {
  RevisionPlan revision = {};
  std::vector<api::core::v1::PersistentVolumeClaim> create_claims = {};
  std::vector<api::core::v1::PersistentVolumeClaim> update_claims = {};
  std::vector<api::core::v1::Pod> create = {};
  Objects<api::core::v1::Pod> remove = {};
  // Revisions beyond the limit of the history.
  Revisions remove_revisions = {};
  // Nothing: it is right as it is.
  std::optional<api::apps::v1::StatefulSetStatus> status = {};
  // When to look again though nothing changes: some pod becomes available, or is to be replaced.
  absl::Time again = absl::InfiniteFuture();
};

// `pods` are those that it controls, `claims` and `revisions` those of its namespace. None of its
// pods may have been deleted without `pods` showing it. With OrderedReady, a plan has one step at
// most; the next one follows when that is done.
//
// Pure. (UpdateStatefulSet, without adoption, without repairing labels and volumes of pods, and
// without rollingUpdate.maxUnavailable, a feature that is off by default)
StatefulSetPlan PlanStatefulSet(const api::apps::v1::StatefulSet& set,
                                const Objects<api::core::v1::Pod>& pods,
                                const Objects<api::core::v1::PersistentVolumeClaim>& claims,
                                const Revisions& revisions, absl::Time now);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_WORKLOADS_INTERNAL_STATEFUL_SET_H_

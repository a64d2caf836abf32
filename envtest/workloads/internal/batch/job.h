#ifndef ENVTEST_WORKLOADS_INTERNAL_BATCH_JOB_H_
#define ENVTEST_WORKLOADS_INTERNAL_BATCH_JOB_H_

#include <optional>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/batch/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "envtest/workloads/internal/cluster/pods.h"

namespace kube::envtest::internal {

// The finalizer that keeps a job's pods until they are counted.
inline constexpr absl::string_view kJobTracking = "batch.kubernetes.io/job-tracking";
bool HasJobTracking(const api::core::v1::Pod& pod);

// The changes for a job.
struct JobPlan {
  std::vector<api::core::v1::Pod> create = {};
  Objects<api::core::v1::Pod> remove = {};
  // Counted pods, whose finalizer must be removed.
  Objects<api::core::v1::Pod> release = {};
  // Empty if the status is up to date.
  std::optional<api::batch::v1::JobStatus> status = {};
  // When to plan again without a change: at the deadline or at the next retry.
  absl::Time again = absl::InfiniteFuture();
};

// Plans the changes for a job. `pods` must contain the pods that it controls. Pods are counted in
// three steps as in Kubernetes, each based on what the previous one has stored: they are added to
// uncountedTerminatedPods, their finalizer is removed, and they are moved to the counters. Pure.
// (Go: `syncJob`, without policies for failure and success and limits per index)
JobPlan PlanJob(const api::batch::v1::Job& job, const Objects<api::core::v1::Pod>& pods,
                absl::Time now);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_WORKLOADS_INTERNAL_BATCH_JOB_H_

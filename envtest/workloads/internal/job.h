#ifndef ENVTEST_WORKLOADS_INTERNAL_JOB_H_
#define ENVTEST_WORKLOADS_INTERNAL_JOB_H_

#include <optional>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/batch/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "envtest/workloads/internal/pods.h"

namespace kube::envtest::internal {

// Holds a job's pods until they are counted.
inline constexpr absl::string_view kJobTracking = "batch.kubernetes.io/job-tracking";
bool HasJobTracking(const api::core::v1::Pod& pod);

// What is to be done about a job.
struct JobPlan {
  std::vector<api::core::v1::Pod> create = {};
  Objects<api::core::v1::Pod> remove = {};
  // They have been counted: the finalizer goes.
  Objects<api::core::v1::Pod> release = {};
  // Nothing: it is right as it is.
  std::optional<api::batch::v1::JobStatus> status = {};
  // When to look again though nothing changes: the deadline, the next try.
  absl::Time again = absl::InfiniteFuture();
};

// `pods` are those that it controls. Pods are counted in three steps, as upstream, each of which
// sees what the one before has stored: into uncountedTerminatedPods, the finalizer off, into the
// counters. Pure. (syncJob, without policies for failures and success, and limits for each index)
JobPlan PlanJob(const api::batch::v1::Job& job, const Objects<api::core::v1::Pod>& pods,
                absl::Time now);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_WORKLOADS_INTERNAL_JOB_H_

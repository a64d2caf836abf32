#include "envtest/workloads/internal/batch/job_events.h"

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "api/batch/v1/types.kube.h"
#include "envtest/workloads/internal/cluster/events.h"

namespace kube::envtest::internal {
namespace {

namespace batchv1 = api::batch::v1;

// Returns the condition of this type if it holds, or null.
const batchv1::JobCondition* Holding(const batchv1::JobStatus& status, absl::string_view type) {
  for (const batchv1::JobCondition& each : status.conditions) {
    if (each.type == type && each.status == "True") return &each;
  }
  return nullptr;
}

}  // namespace

std::vector<EventText> EventsBetween(const batchv1::Job& job, const batchv1::JobStatus& after) {
  std::vector<EventText> events;
  const bool was_suspended = Holding(job.status, "Suspended") != nullptr;
  const bool is_suspended = Holding(after, "Suspended") != nullptr;
  if (is_suspended && !was_suspended) {
    events.push_back({.reason = "Suspended", .message = "Job suspended"});
  } else if (was_suspended && !is_suspended) {
    events.push_back({.reason = "Resumed", .message = "Job resumed"});
  }
  if (Holding(after, "Complete") != nullptr && Holding(job.status, "Complete") == nullptr) {
    const auto& completions = job.spec.completions;
    if (completions.has_value() && after.succeeded > *completions) {
      events.push_back(
          {.warning = true,
           .reason = "TooManySucceededPods",
           .message = "Too many succeeded pods running after completion count reached"});
    }
    events.push_back({.reason = "Completed", .message = "Job completed"});
  }
  const batchv1::JobCondition* failed = Holding(after, "Failed");
  if (failed != nullptr && Holding(job.status, "Failed") == nullptr) {
    events.push_back({.warning = true,
                      .reason = std::string(failed->reason),
                      .message = std::string(failed->message)});
  }
  return events;
}

}  // namespace kube::envtest::internal

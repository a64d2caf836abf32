#ifndef ENVTEST_WORKLOADS_INTERNAL_BATCH_JOB_EVENTS_H_
#define ENVTEST_WORKLOADS_INTERNAL_BATCH_JOB_EVENTS_H_

#include <vector>

#include "api/batch/v1/types.kube.h"
#include "envtest/workloads/internal/cluster/events.h"

namespace kube::envtest::internal {

// Returns the events for a change of a job's status to `after`: that it was suspended or resumed,
// is complete or has failed. Pure. (Go: `recordJobFinished`, `syncJob`)
std::vector<EventText> EventsBetween(const api::batch::v1::Job& job,
                                     const api::batch::v1::JobStatus& after);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_WORKLOADS_INTERNAL_BATCH_JOB_EVENTS_H_

#include "envtest/workloads/internal/batch/job_events.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/batch/v1/types.kube.h"
#include "envtest/workloads/internal/cluster/events.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::envtest::internal {
namespace {

namespace batchv1 = api::batch::v1;
using testing::ElementsAre;
using testing::IsEmpty;

batchv1::JobStatus StatusOf(absl::string_view type, absl::string_view status) {
  batchv1::JobStatus result;
  batchv1::JobCondition& condition = result.conditions.emplace_back();
  condition.type = type;
  condition.status = status;
  condition.reason = "BackoffLimitExceeded";
  condition.message = "too often";
  return result;
}

std::vector<std::string> Between(const batchv1::JobStatus& before,
                                 const batchv1::JobStatus& after) {
  batchv1::Job job;
  job.spec.completions = 2;
  job.status = before;
  std::vector<std::string> texts;
  for (const EventText& each : EventsBetween(job, after)) {
    texts.push_back(
        absl::StrCat(each.warning ? "Warning " : "Normal ", each.reason, ": ", each.message));
  }
  return texts;
}

TEST(EventsBetween, EachCondition_IsToldWhenItBeginsToHold) {
  EXPECT_THAT(Between({}, StatusOf("Suspended", "True")),
              ElementsAre("Normal Suspended: Job suspended"));
  EXPECT_THAT(Between(StatusOf("Suspended", "True"), StatusOf("Suspended", "False")),
              ElementsAre("Normal Resumed: Job resumed"));
  EXPECT_THAT(Between({}, StatusOf("Complete", "True")),
              ElementsAre("Normal Completed: Job completed"));
  EXPECT_THAT(Between({}, StatusOf("Failed", "True")),
              ElementsAre("Warning BackoffLimitExceeded: too often"));
}

TEST(EventsBetween, NothingNew_HasNoEvents) {
  for (const absl::string_view type : {"Suspended", "Complete", "Failed"}) {
    SCOPED_TRACE(type);
    EXPECT_THAT(Between(StatusOf(type, "True"), StatusOf(type, "True")), IsEmpty());
  }
  EXPECT_THAT(Between({}, StatusOf("SuccessCriteriaMet", "True")), IsEmpty());
}

TEST(EventsBetween, MoreSuccessesThanCompletions_IsAWarning) {
  batchv1::JobStatus after = StatusOf("Complete", "True");
  after.succeeded = 3;
  EXPECT_THAT(Between({}, after),
              ElementsAre("Warning TooManySucceededPods: Too many succeeded pods running after "
                          "completion count reached",
                          "Normal Completed: Job completed"));
}

}  // namespace
}  // namespace kube::envtest::internal

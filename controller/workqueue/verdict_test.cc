#include "controller/workqueue/verdict.h"

#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "controller/workqueue/queue_options.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::workqueue {
namespace {

using base::IsOk;
using base::StatusIs;

// behaviour.md: CR-3, CTRL-15, CTRL-22
TEST(VerdictTest, Judge_EachResult_SaysWhatFollows) {
  const absl::Status no = absl::InternalError("no");
  const absl::Duration second = absl::Seconds(1);
  const int16_t none = 0;
  const struct {
    const char* name;
    absl::StatusOr<Result> result;
    WorkedKey key;
    bool forget;
    bool add;
    int16_t priority;
    absl::Duration after;
    bool rate_limited;
    bool given_up;
    int failures;
  } rows[] = {
      {"success", Result{}, {2, 3, -1}, true, false, 3, {}, false, false, 0},
      {"success with a priority", Result{.priority = 5}, {}, true, false, 5, {}, false, false, 0},
      {"requeue",
       Result{.requeue_after = second},
       {2, 3, -1},
       true,
       true,
       3,
       second,
       false,
       false,
       0},
      {"requeue with a priority",
       Result{.requeue_after = second, .priority = kLowPriority},
       {0, 3, -1},
       true,
       true,
       kLowPriority,
       second,
       false,
       false,
       0},
      {"requeue with priority zero",
       Result{.requeue_after = second, .priority = 0},
       {0, 3, -1},
       true,
       true,
       0,
       second,
       false,
       false,
       0},
      {"error", no, {2, 3, -1}, false, true, 3, {}, true, false, 3},
      {"error with a priority",
       RetryWithPriority(no, -7),
       {0, 3, -1},
       false,
       true,
       -7,
       {},
       true,
       false,
       1},
      {"the last retry", no, {1, 3, 2}, false, true, 3, {}, true, false, 2},
      {"retries used up", no, {2, 3, 2}, true, false, 3, {}, true, true, 3},
      {"RetryAfter", RetryAfter(no, second), {2, 3, -1}, false, true, 3, second, false, false, 2},
      {"RetryAfter, retries used up",
       RetryAfter(no, second),
       {2, 3, 2},
       false,
       true,
       3,
       second,
       false,
       false,
       2},
      {"RetryAfter with a priority",
       RetryWithPriority(RetryAfter(no, second), 32767),
       {0, 3, -1},
       false,
       true,
       32767,
       second,
       false,
       false,
       0},
      {"terminal error", TerminalError(no), {0, 3, -1}, true, false, 3, {}, true, true, 1},
      {"terminal RetryAfter",
       TerminalError(RetryAfter(no, second)),
       {0, none, -1},
       true,
       false,
       none,
       second,
       false,
       true,
       0},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    const Verdict verdict = Judge(Context(), row.result, row.key);
    EXPECT_EQ(verdict.forget, row.forget);
    EXPECT_EQ(verdict.add, row.add);
    EXPECT_EQ(verdict.given_up, row.given_up);
    EXPECT_EQ(verdict.failures, row.failures);
    EXPECT_EQ(verdict.how.priority, row.priority);
    EXPECT_EQ(verdict.how.after, row.after);
    EXPECT_EQ(verdict.how.rate_limited, row.rate_limited);
  }
}

TEST(VerdictTest, Judge_TheWorkersAreCancelled_ErrorsSayNothing) {
  CancelScope work = WithCancel(Context());
  work.Cancel();
  const absl::Status no = absl::CancelledError("no");
  for (const absl::Status& error : {no, TerminalError(no), RetryAfter(no, absl::Seconds(1))}) {
    const Verdict verdict = Judge(work.context(), error, {.max_retries = 0});
    EXPECT_FALSE(verdict.forget);
    EXPECT_FALSE(verdict.add);
    EXPECT_FALSE(verdict.given_up);
  }
  EXPECT_TRUE(Judge(work.context(), Result{.requeue_after = absl::Seconds(1)}, {}).add);
}

TEST(VerdictTest, TerminalError_KeepsTheStatusAndMarksErrorsOnly) {
  EXPECT_FALSE(IsTerminalError(absl::OkStatus()));
  EXPECT_FALSE(IsTerminalError(absl::InternalError("no")));
  EXPECT_THAT(TerminalError(absl::OkStatus()), IsOk());
  const absl::Status terminal = TerminalError(absl::InternalError("no"));
  EXPECT_TRUE(IsTerminalError(terminal));
  EXPECT_THAT(terminal, StatusIs(absl::StatusCode::kInternal, "no"));
}

TEST(VerdictTest, RetryDelayOf_RetryAfter_ReturnsTheDelayEvenIfAnnotated) {
  EXPECT_EQ(RetryDelayOf(absl::OkStatus()), std::nullopt);
  EXPECT_EQ(RetryDelayOf(absl::InternalError("no")), std::nullopt);
  EXPECT_THAT(RetryAfter(absl::OkStatus(), absl::Minutes(1)), IsOk());
  for (const absl::Duration delay :
       {absl::ZeroDuration(), absl::Nanoseconds(1), absl::Hours(10) + absl::Nanoseconds(1),
        -absl::Seconds(1), absl::InfiniteDuration()}) {
    const absl::Status later = RetryAfter(absl::InternalError("no"), delay);
    EXPECT_THAT(later, StatusIs(absl::StatusCode::kInternal, "no"));
    EXPECT_EQ(RetryDelayOf(later), delay);
    // Annotating the status keeps the delay.
    EXPECT_EQ(RetryDelayOf(base::Annotate(later, "sync web")), delay);
  }
  EXPECT_EQ(RetryDelayOf(
                RetryAfter(RetryAfter(absl::InternalError("no"), absl::Hours(1)), absl::Hours(2))),
            absl::Hours(2));
}

TEST(VerdictTest, RetryWithPriority_KeepsTheStatusAndMarksErrorsOnly) {
  EXPECT_EQ(RetryPriorityOf(absl::InternalError("no")), std::nullopt);
  EXPECT_EQ(RetryPriorityOf(RetryWithPriority(absl::OkStatus(), 1)), std::nullopt);
  const absl::Status marked = RetryWithPriority(absl::InternalError("no"), -32768);
  EXPECT_THAT(marked, StatusIs(absl::StatusCode::kInternal, "no"));
  EXPECT_EQ(RetryPriorityOf(marked), -32768);
}

}  // namespace
}  // namespace kube::workqueue

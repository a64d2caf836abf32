#include "benchmarks/sample_controller/controller_process.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::benchmarks {
namespace {

using base::IsOk;
using base::StatusIs;
using testing::HasSubstr;

class ControllerProcessTest : public testing::Test {
 protected:
  std::unique_ptr<ControllerProcess> Shell(const std::string& script) {
    auto process =
        ControllerProcess::Start({"/bin/sh", "-c", script}, testing::TempDir() + "/controller.log");
    EXPECT_THAT(process, IsOk());
    return *std::move(process);
  }
  const Context ctx_ = WithTimeout(Context(), absl::Seconds(30));
};

TEST_F(ControllerProcessTest, IsMeasuredWhileItRuns) {
  const auto process = Shell(
      "trap 'exit 0' TERM; i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; echo ready >&2; "
      "while :; do sleep 0.01; done");
  ASSERT_THAT(process->AwaitLog(ctx_, "ready"), IsOk());
  const auto usage = process->Measure();
  ASSERT_THAT(usage, IsOk());
  EXPECT_GT(usage->cpu, absl::Milliseconds(5));
  EXPECT_GT(usage->rss_anon_bytes, 10'000);
  EXPECT_GT(usage->peak_rss_bytes, usage->rss_anon_bytes);
}

TEST_F(ControllerProcessTest, EndsWhenItIsAsked) {
  const auto process = Shell("trap 'exit 0' TERM; echo ready; while :; do sleep 0.01; done");
  ASSERT_THAT(process->AwaitLog(ctx_, "ready"), IsOk());
  EXPECT_THAT(process->Stop(ctx_), IsOk());
  EXPECT_THAT(process->Measure(), StatusIs(absl::StatusCode::kUnavailable));
}

TEST_F(ControllerProcessTest, FailuresSayWhatItWrote) {
  EXPECT_THAT(Shell("echo no cluster; exit 3")->AwaitLog(ctx_, "ready"),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr("no cluster")));
  const auto fails = Shell("trap 'echo oh; exit 3' TERM; echo ready; while :; do sleep 0.01; done");
  ASSERT_THAT(fails->AwaitLog(ctx_, "ready"), IsOk());
  EXPECT_THAT(fails->Stop(ctx_),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr("exit status 3\nready\noh")));
  const auto killed = Shell("trap 'kill -KILL $$' TERM; echo ready; while :; do sleep 0.01; done");
  ASSERT_THAT(killed->AwaitLog(ctx_, "ready"), IsOk());
  EXPECT_THAT(killed->Stop(ctx_), StatusIs(absl::StatusCode::kUnavailable, HasSubstr("signal 9")));
}

TEST_F(ControllerProcessTest, AProgramThatIsNotThere) {
  EXPECT_THAT(ControllerProcess::Start({"/nowhere"}, testing::TempDir() + "/controller.log"),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("start \"/nowhere\"")));
}

}  // namespace
}  // namespace kube::benchmarks

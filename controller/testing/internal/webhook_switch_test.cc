#include "controller/testing/internal/webhook_switch.h"

#include <memory>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/wait.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpserver/exchange.h"
#include "net/httpserver/in_process_exchange.h"

namespace kube::controller::internal {
namespace {

using base::IsOk;

// Answers 200 after a time, and counts its calls.
class SlowHandler final : public httpserver::Handler {
 public:
  explicit SlowHandler(absl::Duration time = absl::ZeroDuration()) : time_(time) {}

  void Handle(std::shared_ptr<httpserver::Exchange> exchange) override {
    base::SleepFor(Context(), time_).IgnoreError();
    ++calls_;
    exchange->Respond({.body = "done"});
  }
  int calls() const { return calls_; }

 private:
  const absl::Duration time_;
  int calls_ = 0;
};

int StatusOfACall(WebhookSwitch& all) {
  httpserver::InProcessExchange exchange({.method = "POST", .target = "/mutate"}, 1 << 20);
  all.Handle(exchange.ForHandler());
  const auto head = exchange.WaitForHead(Context(), base::MonotonicTime::Infinite());
  return head.ok() ? head->status : 0;
}

TEST(WebhookSwitchTest, Handle_WithoutAReplica_Answers503) {
  WebhookSwitch all;
  EXPECT_EQ(StatusOfACall(all), 503);
}

TEST(WebhookSwitchTest, Handle_WithTwoReplicas_CallsThemInTurn) {
  SlowHandler one;
  SlowHandler other;
  WebhookSwitch all;
  all.Add(one, [] { return true; });
  all.Add(other, [] { return true; });
  for (int i = 0; i < 4; ++i) EXPECT_EQ(StatusOfACall(all), 200);
  EXPECT_EQ(one.calls(), 2);
  EXPECT_EQ(other.calls(), 2);
  all.Remove(one);
  EXPECT_EQ(StatusOfACall(all), 200);
  EXPECT_EQ(one.calls(), 2);
}

TEST(WebhookSwitchTest, Handle_WithAReplicaThatIsNotReady_CallsTheOther) {
  SlowHandler one;
  SlowHandler other;
  WebhookSwitch all;
  all.Add(one, [] { return false; });
  EXPECT_EQ(StatusOfACall(all), 503);
  all.Add(other, [] { return true; });
  EXPECT_EQ(StatusOfACall(all), 200);
  EXPECT_EQ(StatusOfACall(all), 200);
  EXPECT_EQ(one.calls(), 0);
  EXPECT_EQ(other.calls(), 2);
}

TEST(WebhookSwitchTest, Remove_DuringACall_WaitsForItsEnd) {
  base::SimRuntime sim;
  const absl::Status end = sim.Run([] {
    SlowHandler slow(absl::Seconds(5));
    WebhookSwitch all;
    all.Add(slow, [] { return true; });
    base::Thread caller;
    EXPECT_THAT(caller.Start(Context(), "caller",
                             [&all](const Context&) { EXPECT_EQ(StatusOfACall(all), 200); }),
                IsOk());
    base::SleepFor(Context(), absl::Seconds(1)).IgnoreError();
    all.Remove(slow);
    EXPECT_EQ(slow.calls(), 1);
    EXPECT_EQ(StatusOfACall(all), 503);
  });
  EXPECT_THAT(end, IsOk());
}

}  // namespace
}  // namespace kube::controller::internal

#include "apimachinery/watch/internal/broadcaster_core.h"

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/watch/event.h"
#include "apimachinery/watch/internal/any_event.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::watch::internal {
namespace {

using base::IsOk;
using base::StatusIs;

Context Now() { return WithTimeout(Context(), absl::Milliseconds(1)); }

TEST(BroadcasterCore, Action_SeveralWatchers_FillsTheQueueOfEach) {
  BroadcasterCore core(0, /*wait_when_full=*/true);
  const std::shared_ptr<EventQueue> first = *core.Watch({});
  const std::shared_ptr<EventQueue> second = *core.Watch({Event<void>(), Event<void>()});
  EXPECT_THAT(core.Action(Context(), {}), IsOk());
  EXPECT_EQ(first->size(), 1u);
  EXPECT_EQ(second->size(), 3u);
  EXPECT_THAT(core.Action(Now(), {}), StatusIs(absl::StatusCode::kDeadlineExceeded));
  core.Remove(first);
  core.Remove(first);
  EXPECT_THAT(core.Action(Now(), {}), StatusIs(absl::StatusCode::kDeadlineExceeded));
  core.Remove(second);
  EXPECT_THAT(core.Action(Context(), {}), IsOk());
  EXPECT_EQ(first->size(), 1u) << "what was there can be pulled";
}

TEST(BroadcasterCore, Action_FullQueueWithoutWaiting_DropsAndCounts) {
  BroadcasterCore core(1, /*wait_when_full=*/false);
  const std::shared_ptr<EventQueue> queue = *core.Watch({});
  for (int i = 0; i < 3; ++i) EXPECT_THAT(core.Action(Context(), {}), IsOk());
  EXPECT_EQ(queue->size(), 1u);
  EXPECT_EQ(queue->dropped(), 2u);
}

TEST(BroadcasterCore, Shutdown_ClosesQueuesAndRefusesMore) {
  BroadcasterCore core(1, /*wait_when_full=*/true);
  const std::shared_ptr<EventQueue> queue = *core.Watch({});
  core.Shutdown();
  EXPECT_THAT(queue->Pop(Context()), StatusIs(absl::StatusCode::kOutOfRange));
  EXPECT_THAT(core.Watch({}), StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_THAT(core.Action(Context(), {}), StatusIs(absl::StatusCode::kFailedPrecondition));
}

}  // namespace
}  // namespace kube::watch::internal

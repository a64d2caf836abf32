#include "apimachinery/watch/testing/fake_watcher.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/sim_search.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/watch/event.h"
#include "apimachinery/watch/watcher.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::watch {
namespace {

namespace corev1 = api::core::v1;
using base::IsOk;
using base::StatusIs;
using testing::ElementsAre;

corev1::Pod Pod(const char* name) {
  corev1::Pod pod;
  pod.metadata.name = name;
  return pod;
}

std::string Line(const Event<corev1::Pod>& event) {
  std::string line(ToString(event.type));
  return line + " " +
         std::string(event.object ? event.object->metadata.name.view() : event.error.message());
}

// Everything up to the end.
std::vector<std::string> Drain(Watcher<corev1::Pod>& watcher) {
  std::vector<std::string> lines;
  while (true) {
    absl::StatusOr<std::optional<Event<corev1::Pod>>> event = watcher.Next(Context());
    EXPECT_THAT(event, IsOk());
    if (!event.ok() || !event->has_value()) return lines;
    lines.push_back(Line(**event));
  }
}

TEST(FakeWatcher, Next_ReturnsTheSentEventsInOrder) {
  FakeWatcher<corev1::Pod> watcher;
  watcher.Add(Pod("a"));
  watcher.Modify(Pod("b"));
  watcher.Delete(Pod("c"));
  watcher.Bookmark(Pod("d"));
  watcher.Error(errors::ResourceExpired("e"));
  watcher.Send(EventType::kAdded, Pod("f"));
  EXPECT_FALSE(watcher.IsStopped());
  watcher.Stop();
  EXPECT_TRUE(watcher.IsStopped());
  watcher.Add(Pod("dropped"));
  EXPECT_THAT(Drain(watcher), ElementsAre("ADDED a", "MODIFIED b", "DELETED c", "BOOKMARK d",
                                          "ERROR e", "ADDED f"));
  EXPECT_THAT(Drain(watcher), ElementsAre());
}

TEST(FakeWatcher, QueueOfLengthZero_HoldsOneEvent) {
  FakeWatcher<corev1::Pod> pods(0);
  pods.Add(Pod("a"));
  pods.Stop();
  EXPECT_THAT(Drain(pods), ElementsAre("ADDED a"));
}

TEST(FakeWatcher, Error_WithAStatus_IsTheEventsError) {
  FakeWatcher<corev1::Pod> watcher;
  watcher.Error(errors::ResourceExpired("e"));
  const absl::StatusOr<std::optional<Event<corev1::Pod>>> event = watcher.Next(Context());
  ASSERT_THAT(event, IsOk());
  EXPECT_TRUE(errors::IsResourceExpired((*event)->error));
}

TEST(FakeWatcher, Reset_AfterStop_AcceptsEventsAgain) {
  FakeWatcher<corev1::Pod> watcher;
  watcher.Add(Pod("a"));
  watcher.Stop();
  watcher.Reset();
  EXPECT_FALSE(watcher.IsStopped());
  watcher.Add(Pod("b"));
  watcher.Stop();
  EXPECT_THAT(Drain(watcher), ElementsAre("ADDED b"));
}

TEST(FakeWatcher, Next_DoneContext_LosesNoEvent) {
  base::SimRuntime sim;
  ASSERT_THAT(sim.Run([] {
    FakeWatcher<corev1::Pod> watcher;
    EXPECT_THAT(watcher.Next(WithTimeout(Context(), absl::Seconds(5))),
                StatusIs(absl::StatusCode::kDeadlineExceeded));
    EXPECT_EQ(base::Now().since_epoch(), absl::Seconds(5));
    watcher.Add(Pod("a"));
    EXPECT_THAT(watcher.Next(WithTimeout(Context(), absl::ZeroDuration())),
                StatusIs(absl::StatusCode::kDeadlineExceeded));
    watcher.Stop();
    EXPECT_THAT(Drain(watcher), ElementsAre("ADDED a"));
  }),
              IsOk());
}

TEST(FakeWatcher, Add_DuringNext_WakesIt) {
  EXPECT_THAT(base::SearchSeeds(
                  [](base::SimRuntime& sim) -> absl::Status {
                    std::vector<std::string> seen;
                    const absl::Status end = sim.Run([&] {
                      FakeWatcher<corev1::Pod> watcher;
                      base::Thread consumer;
                      ASSERT_THAT(consumer.Start(Context(), "consumer",
                                                 [&](const Context&) { seen = Drain(watcher); }),
                                  IsOk());
                      watcher.Add(Pod("a"));
                      watcher.Add(Pod("b"));
                      watcher.Stop();
                      consumer.Join();
                    });
                    if (!end.ok()) return end;
                    return seen == std::vector<std::string>{"ADDED a", "ADDED b"}
                               ? absl::OkStatus()
                               : absl::InternalError("events lost");
                  },
                  {.seeds = base::SimulationSeeds(300)}),
              IsOk());
}

TEST(FakeWatcher, Reset_DuringNext_EndsIt) {
  base::SimRuntime sim;
  ASSERT_THAT(sim.Run([] {
    FakeWatcher<corev1::Pod> watcher;
    base::Thread consumer;
    ASSERT_THAT(consumer.Start(Context(), "consumer",
                               [&](const Context&) { EXPECT_THAT(Drain(watcher), ElementsAre()); }),
                IsOk());
    EXPECT_THAT(base::SleepFor(Context(), absl::Seconds(1)), IsOk());
    watcher.Reset();
    consumer.Join();
  }),
              IsOk());
}

TEST(FakeWatcherDeathTest, Add_FullQueue_FailsACheck) {
  FakeWatcher<corev1::Pod> watcher(1);
  watcher.Add(Pod("a"));
  EXPECT_DEATH(watcher.Add(Pod("b")), "FakeWatcher is full: 1 events have not been received");
}

}  // namespace
}  // namespace kube::watch

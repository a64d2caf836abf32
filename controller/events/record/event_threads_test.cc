// Many recorders at once, with watchers that come and go: no event is lost, and each watcher sees
// those of one recorder in their order.

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/sim_search.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "controller/events/record/event_broadcaster.h"
#include "controller/events/record/event_recorder.h"
#include "controller/events/record/event_sink.h"
#include "controller/events/testing/fake_event_sink.h"
#include "gtest/gtest.h"

namespace kube::record {
namespace {

namespace corev1 = api::core::v1;
using FakeSink = events::FakeEventSink<EventSink, corev1::Event>;

// Events of the recorder to whose object they belong.
using Order = std::map<std::string, std::vector<int>>;

absl::Status CheckOrder(const Order& order, size_t recorders, int each) {
  if (order.size() != recorders) return absl::InternalError("recorders are missing");
  for (const auto& [name, numbers] : order) {
    if (numbers.size() != static_cast<size_t>(each)) return absl::InternalError("events are lost");
    for (int i = 0; i < each; ++i) {
      if (numbers[i] != i) return absl::InternalError(absl::StrCat(name, ": out of order"));
    }
  }
  return absl::OkStatus();
}

int NumberOf(const corev1::Event& event) {
  int number = -1;
  return absl::SimpleAtoi(event.message.view(), &number) ? number : -1;
}

absl::Status RunProgram(int recorders, int each) {
  const auto sink = std::make_shared<FakeSink>();
  EventBroadcaster broadcaster(
      {.correlator = {.burst_size = each, .max_events = each + 1}, .queue_length = 100'000});
  KUBE_RETURN_IF_ERROR(broadcaster.StartRecordingToSink(sink).status());
  Order watched;
  KUBE_RETURN_IF_ERROR(
      broadcaster
          .StartEventWatcher([&](const std::shared_ptr<const corev1::Event>& event) {
            watched[std::string(event->involved_object.name)].push_back(NumberOf(*event));
          })
          .status());
  const auto shared = broadcaster.NewRecorder({}, {.component = "c"});
  base::ThreadGroup group((Context()));
  for (int r = 0; r < recorders; ++r) {
    group.Go("recorder", [&, r](const Context&) {
      const corev1::ObjectReference object = {.kind = "X", .name = absl::StrCat("x", r)};
      const auto own = broadcaster.NewRecorder({}, {.component = absl::StrCat("c", r)});
      EventRecorder& recorder = r % 2 == 0 ? *shared : *own;
      for (int i = 0; i < each; ++i) recorder.Eventf(object, kEventTypeNormal, "R", "%d", i);
      return absl::OkStatus();
    });
  }
  group.Go("watcher", [&](const Context&) {
    for (int i = 0; i < 10; ++i) {
      KUBE_ASSIGN_OR_RETURN(const int64_t id, broadcaster.StartEventWatcher([](const auto&) {}));
      broadcaster.StopWatching(id);
    }
    return absl::OkStatus();
  });
  KUBE_RETURN_IF_ERROR(group.Wait());
  KUBE_RETURN_IF_ERROR(broadcaster.Shutdown(Context()));
  Order written;
  for (const FakeSink::Call& call : sink->Calls()) {
    if (call.verb != "create") return absl::InternalError("no event comes twice");
    written[std::string(call.event.involved_object.name)].push_back(NumberOf(call.event));
  }
  KUBE_RETURN_IF_ERROR(CheckOrder(watched, recorders, each), "watched");
  return base::Annotate(CheckOrder(written, recorders, each), "written");
}

TEST(EventThreads, Record_ManyThreads_LosesNoEvent) {
  EXPECT_THAT(RunProgram(8, 100), base::IsOk());
}

TEST(EventThreads, Record_ManyThreadsInSimulation_LosesNoEvent) {
  EXPECT_THAT(base::SearchSeeds(
                  [](base::SimRuntime& sim) -> absl::Status {
                    absl::Status result;
                    const absl::Status end = sim.Run([&] { result = RunProgram(3, 4); });
                    return end.ok() ? result : end;
                  },
                  {.seeds = base::SimulationSeeds(50)}),
              base::IsOk());
}

// Recorders that race with the end: nothing is written after it.
TEST(EventThreads, Destructor_WhileOthersRecord_NothingIsWrittenAfterIt) {
  const log::LogCapture quiet;
  EXPECT_THAT(base::SearchSeeds(
                  [](base::SimRuntime& sim) {
                    return sim.Run([] {
                      const auto sink = std::make_shared<FakeSink>();
                      auto broadcaster = std::make_unique<EventBroadcaster>();
                      broadcaster->StartRecordingToSink(sink).status().IgnoreError();
                      const auto recorder = broadcaster->NewRecorder({}, {.component = "c"});
                      base::ThreadGroup group((Context()));
                      group.Go("recorder", [&](const Context&) {
                        const corev1::ObjectReference object = {.kind = "X", .name = "x"};
                        for (int i = 0; i < 5; ++i) {
                          recorder->Eventf(object, kEventTypeNormal, "R", "%d", i);
                        }
                        return absl::OkStatus();
                      });
                      broadcaster.reset();
                      const size_t calls = sink->Calls().size();
                      group.Wait().IgnoreError();
                      EXPECT_EQ(sink->Calls().size(), calls);
                    });
                  },
                  {.seeds = base::SimulationSeeds(50)}),
              base::IsOk());
}

}  // namespace
}  // namespace kube::record

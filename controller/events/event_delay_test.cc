// The property of the queues of events: a watcher that is free gets an event at once, whatever
// other watchers and recorders do; and a sink that answers at once gets each new event at once,
// whatever timers of series there are. Virtual time moves on only when all threads wait, so a
// wake-up that is lost makes an event late by as long as the next thing takes.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "api/events/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/metrics.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/random.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/sim_search.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/wait.h"
#include "controller/events/event_broadcaster.h"
#include "controller/events/event_recorder.h"
#include "controller/events/event_sink.h"
#include "controller/events/event_types.h"
#include "controller/events/internal/event_hub.h"
#include "controller/events/internal/event_metrics.h"
#include "gtest/gtest.h"

namespace kube::events {
namespace {

namespace corev1 = api::core::v1;
namespace eventsv1 = api::events::v1;
using base::MonotonicTime;

constexpr absl::Duration kTolerance = absl::Milliseconds(1);

absl::Duration UpTo(absl::Duration most) {
  return absl::Milliseconds(base::UniformInt(0, absl::ToInt64Milliseconds(most)));
}

// Of whatever is late. Thread-safe.
class Outcome {
 public:
  void Note(absl::Duration late) ABSL_LOCKS_EXCLUDED(mutex_) {
    base::MutexLock lock(mutex_);
    ++count_;
    if (late > kTolerance && status_.ok()) {
      status_ = absl::InternalError(absl::StrCat(absl::FormatDuration(late), " late"));
    }
  }
  absl::Status status() const ABSL_LOCKS_EXCLUDED(mutex_) {
    base::MutexLock lock(mutex_);
    return status_;
  }
  int count() const ABSL_LOCKS_EXCLUDED(mutex_) {
    base::MutexLock lock(mutex_);
    return count_;
  }

 private:
  mutable base::Mutex mutex_;
  absl::Status status_ ABSL_GUARDED_BY(mutex_);
  int count_ ABSL_GUARDED_BY(mutex_) = 0;
};

absl::Status Search(absl::Status (*program)()) {
  return base::SearchSeeds(
      [&](base::SimRuntime& sim) -> absl::Status {
        absl::Status outcome;
        KUBE_RETURN_IF_ERROR(sim.Run([&] { outcome = program(); }));
        return outcome;
      },
      {.seeds = base::SimulationSeeds(100)});
}

// ---- the hub

struct Timed {
  api::meta::v1::ObjectMeta metadata = {};
  MonotonicTime published = {};
};
using Hub = internal::EventHub<Timed>;

// Each event when it was published, or when the one before was finished.
Hub::Body Watcher(Outcome& outcome, absl::Duration longest_call) {
  return [&outcome, longest_call](const Context& ctx, Hub::Queue& queue) {
    MonotonicTime free_since;
    for (auto event = queue.Pop(ctx); event.ok(); event = queue.Pop(ctx)) {
      outcome.Note(base::Now() - std::max((*event)->published, free_since));
      if (base::UniformInt(0, 3) == 0) base::SleepFor(Context(), longest_call).IgnoreError();
      free_since = base::Now();
    }
  };
}

absl::Status WatchersComeAndGo() {
  constexpr int kEvents = 20;
  Outcome outcome;
  Outcome passing;
  Hub hub(1000, internal::EventMetrics(*base::NoOpMetrics()));
  KUBE_RETURN_IF_ERROR(hub.Start("quick", Watcher(outcome, absl::ZeroDuration())).status());
  KUBE_RETURN_IF_ERROR(hub.Start("slow", Watcher(outcome, absl::Seconds(5))).status());
  base::ThreadGroup group((Context()));
  for (int i = 0; i < 2; ++i) {
    group.Go("recorder", [&](const Context& ctx) -> absl::Status {
      for (int n = 0; n < kEvents; ++n) {
        auto event = std::make_shared<Timed>();
        event->published = base::Now();
        KUBE_RETURN_IF_ERROR(hub.Publish(std::move(event)));
        if (base::UniformInt(0, 2) == 0) {
          KUBE_RETURN_IF_ERROR(base::SleepFor(ctx, UpTo(absl::Seconds(10))));
        }
      }
      return absl::OkStatus();
    });
  }
  group.Go("others", [&](const Context& ctx) -> absl::Status {
    for (int n = 0; n < 5; ++n) {
      KUBE_ASSIGN_OR_RETURN(const int64_t id,
                            hub.Start("passing", Watcher(passing, absl::Seconds(1))));
      KUBE_RETURN_IF_ERROR(base::SleepFor(ctx, UpTo(absl::Seconds(10))));
      hub.Stop(id);
    }
    return absl::OkStatus();
  });
  KUBE_RETURN_IF_ERROR(group.Wait());
  KUBE_RETURN_IF_ERROR(hub.Shutdown(WithTimeout(Context(), absl::Hours(1))));
  KUBE_RETURN_IF_ERROR(outcome.status());
  KUBE_RETURN_IF_ERROR(passing.status());
  // Of two recorders, to two watchers.
  return outcome.count() == 4 * kEvents ? absl::OkStatus() : absl::InternalError("events are lost");
}

TEST(EventDelay, AFreeWatcherGetsAnEventAtOnce) {
  EXPECT_THAT(Search(WatchersComeAndGo), base::IsOk());
}

// ---- the sink

// Answers at once, and notes how old new events are.
class TimingSink final : public EventSink {
 public:
  absl::StatusOr<eventsv1::Event> Create(const Context&, const eventsv1::Event& event) override {
    outcome.Note(base::WallNow() - event.event_time.ToAbslTime());
    return event;
  }
  absl::StatusOr<eventsv1::Event> Patch(const Context&, const eventsv1::Event& event,
                                        absl::string_view) override {
    return event;
  }

  Outcome outcome;
};

// Some events come again and make series, which are refreshed and finished by timers; each that is
// new is written at once.
absl::Status NewEventsAndSeries() {
  constexpr int kEvents = 30;
  const auto sink = std::make_shared<TimingSink>();
  EventBroadcaster broadcaster(sink);
  KUBE_RETURN_IF_ERROR(broadcaster.StartRecordingToSink().status());
  const auto recorder = broadcaster.NewRecorder({}, "controller");
  base::ThreadGroup group((Context()));
  for (int i = 0; i < 2; ++i) {
    group.Go("recorder", [&, i](const Context& ctx) -> absl::Status {
      for (int n = 0; n < kEvents; ++n) {
        const corev1::ObjectReference fresh = {.kind = "X", .name = absl::StrCat("x", i, "-", n)};
        const corev1::ObjectReference again = {.kind = "X", .name = absl::StrCat("series", i)};
        recorder->Record(base::UniformInt(0, 2) == 0 ? again : fresh, nullptr, kEventTypeNormal,
                         "R", "A", "note");
        KUBE_RETURN_IF_ERROR(base::SleepFor(ctx, UpTo(absl::Minutes(5))));
      }
      return absl::OkStatus();
    });
  }
  KUBE_RETURN_IF_ERROR(group.Wait());
  KUBE_RETURN_IF_ERROR(broadcaster.Shutdown(WithTimeout(Context(), absl::Hours(1))));
  if (sink->outcome.count() < kEvents / 2) return absl::InternalError("events are lost");
  return sink->outcome.status();
}

TEST(EventDelay, ASinkGetsANewEventAtOnce) {
  EXPECT_THAT(Search(NewEventsAndSeries), base::IsOk());
}

}  // namespace
}  // namespace kube::events

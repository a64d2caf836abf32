#ifndef CONTROLLER_EVENTS_TESTING_FAKE_RECORDER_H_
#define CONTROLLER_EVENTS_TESTING_FAKE_RECORDER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/queue.h"
#include "controller/events/event_object.h"
#include "controller/events/event_recorder.h"

namespace kube::events {

// A recorder for tests, which keeps a text for each event: "Normal Scheduled to node n1". At most
// `buffer_size` of them: those after are dropped and counted, where client-go's blocks.
// (events.FakeRecorder)
//
//   FakeRecorder recorder;
//   Reconcile(recorder);
//   EXPECT_THAT(recorder.TakeEvents(), ElementsAre("Normal Scheduled to node n1"));
//
// What it does not imitate: whatever becomes of events afterwards. Thread-safe.
class FakeRecorder final : public EventRecorder {
 public:
  explicit FakeRecorder(size_t buffer_size = 1000)
      : events_(buffer_size, base::WhenFull::kDropNewest) {}

  // All that it has, in order; it keeps none of them. Never blocks.
  std::vector<std::string> TakeEvents();
  // The next one; blocks until there is one, or `ctx` is done (its status). (<-recorder.Events)
  absl::StatusOr<std::string> NextEvent(const Context& ctx) { return events_.Pop(ctx); }
  uint64_t dropped() const { return events_.dropped(); }

  void Record(const EventObject& regarding, const EventObject& related, absl::string_view type,
              absl::string_view reason, absl::string_view action, absl::string_view note) override;

 private:
  base::BoundedQueue<std::string> events_;
};

}  // namespace kube::events

#endif  // CONTROLLER_EVENTS_TESTING_FAKE_RECORDER_H_

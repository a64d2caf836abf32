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

// A recorder for tests that keeps a text for each event: "Normal Scheduled to node n1". Keeps at
// most `buffer_size` events; further ones are dropped and counted, where client-go's recorder
// blocks. (client-go: `events.FakeRecorder`)
//
//   FakeRecorder recorder;
//   Reconcile(recorder);
//   EXPECT_THAT(recorder.TakeEvents(), ElementsAre("Normal Scheduled to node n1"));
//
// It does not imitate what happens to events after they were recorded. Thread-safe.
class FakeRecorder final : public EventRecorder {
 public:
  explicit FakeRecorder(size_t buffer_size = 1000)
      : events_(buffer_size, base::WhenFull::kDropNewest) {}

  // Returns and removes all kept events, in order. Never blocks.
  std::vector<std::string> TakeEvents();
  // Returns and removes the next event. Blocks until there is one, or returns ctx.status().
  // (client-go: `<-recorder.Events`)
  absl::StatusOr<std::string> NextEvent(const Context& ctx) { return events_.Pop(ctx); }
  uint64_t dropped() const { return events_.dropped(); }

  void Record(const EventObject& regarding, const EventObject& related, absl::string_view type,
              absl::string_view reason, absl::string_view action, absl::string_view note) override;

 private:
  base::BoundedQueue<std::string> events_;
};

}  // namespace kube::events

#endif  // CONTROLLER_EVENTS_TESTING_FAKE_RECORDER_H_

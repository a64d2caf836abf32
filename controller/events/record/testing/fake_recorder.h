#ifndef CONTROLLER_EVENTS_RECORD_TESTING_FAKE_RECORDER_H_
#define CONTROLLER_EVENTS_RECORD_TESTING_FAKE_RECORDER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/queue.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "controller/events/event_object.h"
#include "controller/events/record/event_recorder.h"

namespace kube::record {

// Options of a FakeRecorder.
struct FakeRecorderOptions {
  // Number of events to keep; further ones are dropped and counted. client-go's recorder blocks.
  size_t buffer_size = 1000;
  // Kinds of objects that do not contain their kind. For other objects "unknown" stands in place of
  // the reference.
  events::ObjectKinds kinds = {};
  // Whether each text ends with the object: " involvedObject{kind=Pod,apiVersion=v1}". Default:
  // false.
  bool include_object = false;
};

// A recorder for tests that keeps a text for each event: "Normal Created made a pod", followed by
// the annotations if there are any: " map[a:b]". (client-go: `record.FakeRecorder`)
//
//   FakeRecorder recorder;
//   Reconcile(recorder);
//   EXPECT_THAT(recorder.TakeEvents(), ElementsAre("Normal Created made a pod"));
//
// It does not imitate what happens to events after they were recorded. Thread-safe.
class FakeRecorder final : public EventRecorder {
 public:
  explicit FakeRecorder(FakeRecorderOptions options = {});

  // Returns and removes all kept events, in order. Never blocks.
  std::vector<std::string> TakeEvents();
  // Returns and removes the next event. Blocks until there is one, or returns ctx.status().
  // (client-go: `<-recorder.Events`)
  absl::StatusOr<std::string> NextEvent(const Context& ctx);
  uint64_t dropped() const { return events_.dropped(); }

  void Record(const events::EventObject& object, const Map<String>& annotations,
              absl::string_view type, absl::string_view reason, absl::string_view message) override;

 private:
  const FakeRecorderOptions options_;
  base::BoundedQueue<std::string> events_;
};

}  // namespace kube::record

#endif  // CONTROLLER_EVENTS_RECORD_TESTING_FAKE_RECORDER_H_

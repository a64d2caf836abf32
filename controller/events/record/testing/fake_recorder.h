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

struct FakeRecorderOptions {
  // How many events it keeps; those after are dropped and counted. client-go's blocks.
  size_t buffer_size = 1000;
  // What objects without a kind of their own are; an event about others is "unknown" where the
  // reference would be.
  events::ObjectKinds kinds = {};
  // Whether each text ends with the object: " involvedObject{kind=Pod,apiVersion=v1}". Default: no.
  bool include_object = false;
};

// A recorder for tests, which keeps a text for each event: "Normal Created made a pod", and the
// annotations if there are any: " map[a:b]". (record.FakeRecorder)
//
//   FakeRecorder recorder;
//   Reconcile(recorder);
//   EXPECT_THAT(recorder.TakeEvents(), ElementsAre("Normal Created made a pod"));
//
// What it does not imitate: whatever becomes of events afterwards. Thread-safe.
class FakeRecorder final : public EventRecorder {
 public:
  explicit FakeRecorder(FakeRecorderOptions options = {});

  // All that it has, in order; it keeps none of them. Never blocks.
  std::vector<std::string> TakeEvents();
  // The next one; blocks until there is one, or `ctx` is done (its status). (<-recorder.Events)
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

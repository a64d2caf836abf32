#include "controller/events/testing/fake_recorder.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "controller/events/event_object.h"

namespace kube::events {

std::vector<std::string> FakeRecorder::TakeEvents() {
  std::vector<std::string> taken;
  for (std::optional<std::string> event = events_.TryPop(); event.has_value();
       event = events_.TryPop()) {
    taken.push_back(*std::move(event));
  }
  return taken;
}

void FakeRecorder::Record(const EventObject&, const EventObject&, absl::string_view type,
                          absl::string_view reason, absl::string_view, absl::string_view note) {
  // The queue is never closed, and counts what it drops.
  events_.Push(Context(), absl::StrCat(type, " ", reason, " ", note)).IgnoreError();
}

}  // namespace kube::events

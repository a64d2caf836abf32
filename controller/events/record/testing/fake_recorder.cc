#include "controller/events/record/testing/fake_recorder.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/queue.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "controller/events/event_object.h"

namespace kube::record {
namespace {

// Formats a map as Go does.
std::string AnnotationsText(const Map<String>& annotations) {
  if (annotations.empty()) return "";
  return absl::StrCat(" map[",
                      absl::StrJoin(annotations, " ",
                                    [](std::string* out, const Map<String>::Entry& entry) {
                                      absl::StrAppend(out, entry.key.view(), ":",
                                                      entry.value.view());
                                    }),
                      "]");
}

}  // namespace

FakeRecorder::FakeRecorder(FakeRecorderOptions options)
    : options_(std::move(options)), events_(options_.buffer_size, base::WhenFull::kDropNewest) {}

std::vector<std::string> FakeRecorder::TakeEvents() {
  std::vector<std::string> taken;
  for (std::optional<std::string> event = events_.TryPop(); event.has_value();
       event = events_.TryPop()) {
    taken.push_back(*std::move(event));
  }
  return taken;
}

absl::StatusOr<std::string> FakeRecorder::NextEvent(const Context& ctx) { return events_.Pop(ctx); }

void FakeRecorder::Record(const events::EventObject& object, const Map<String>& annotations,
                          absl::string_view type, absl::string_view reason,
                          absl::string_view message) {
  std::string text = absl::StrCat(type, " ", reason, " ", message);
  if (options_.include_object) {
    const absl::StatusOr<api::core::v1::ObjectReference> reference =
        events::GetReference(options_.kinds, object);
    absl::StrAppend(
        &text, " involvedObject{kind=", reference.ok() ? reference->kind.view() : "unknown",
        ",apiVersion=", reference.ok() ? reference->api_version.view() : "unknown", "}");
  }
  absl::StrAppend(&text, AnnotationsText(annotations));
  // The queue is never closed, and counts what it drops.
  events_.Push(Context(), std::move(text)).IgnoreError();
}

}  // namespace kube::record

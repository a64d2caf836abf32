#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "api/events/v1/types.kube.h"
#include "apimachinery/base/text/quantity_text.h"
#include "apimachinery/types/micro_time.h"
#include "apimachinery/types/time.h"
#include "apiserver/printers/internal/printer.h"
#include "apiserver/printers/internal/row.h"

// Events of both groups, which are one kind upstream.
namespace kube::printers::internal {
namespace {

namespace corev1 = api::core::v1;
namespace eventsv1 = api::events::v1;

constexpr Column kEventColumns[] = {
    {"Last Seen", "string", "The time since the event occurred last."},
    {"Type", "string", "The type of the event: normal or warning."},
    {"Reason", "string", "The reason of the event in one word."},
    {"Object", "string", "The object that the event is about."},
    {"Subobject", "string", "The part of the object that the event is about, such as a container.",
     1},
    {"Source", "string", "The component that reports the event.", 1},
    {"Message", "string", "A human-readable description of the event."},
    {"First Seen", "string", "The time since the event occurred first.", 1},
    {"Count", "string", "The number of times that the event occurred.", 1},
    {"Name", "string", kName.description, 1, "name"},
};

// The common members of the two kinds, under the names of the core group.
struct EventView {
  const corev1::ObjectReference& object;
  const corev1::EventSource& source;
  absl::string_view controller;
  absl::string_view instance;
  absl::string_view message;
  Time first;
  Time last;
  MicroTime time;
  int32_t count;
};

std::string SourceOf(const EventView& view) {
  const absl::string_view component = OrElse(view.source.component, view.controller);
  const absl::string_view host = OrElse(view.source.host, view.instance);
  return host.empty() ? std::string(component) : absl::StrCat(component, ", ", host);
}

std::string ObjectOf(const corev1::ObjectReference& object) {
  const std::string kind = absl::AsciiStrToLower(object.kind.view());
  return object.name.empty() ? kind : absl::StrCat(kind, "/", object.name.view());
}

template <typename E>
void Print(const E& event, const EventView& view, Row& row) {
  const std::string first =
      view.first.IsZero() ? AgeOf(view.time, row.now()) : AgeOf(view.first, row.now());
  std::string last = view.last.IsZero() ? first : AgeOf(view.last, row.now());
  // An event that happened once may have no count.
  int32_t count = view.count == 0 ? 1 : view.count;
  if (event.series) {
    last = AgeOf(event.series->last_observed_time, row.now());
    count = event.series->count;
  }
  row.Text(last);
  row.Text(event.type);
  row.Text(event.reason);
  row.Text(ObjectOf(view.object));
  row.Text(view.object.field_path);
  row.Text(SourceOf(view));
  row.Text(kube::text::TrimGoSpace(view.message));
  row.Text(first);
  row.Number(count);
  row.Text(event.metadata.name);
}

void PrintEvent(const corev1::Event& event, Row& row) {
  Print(event,
        {.object = event.involved_object,
         .source = event.source,
         .controller = event.reporting_component,
         .instance = event.reporting_instance,
         .message = event.message,
         .first = event.first_timestamp,
         .last = event.last_timestamp,
         .time = event.event_time,
         .count = event.count},
        row);
}

void PrintNewEvent(const eventsv1::Event& event, Row& row) {
  Print(event,
        {.object = event.regarding,
         .source = event.deprecated_source,
         .controller = event.reporting_controller,
         .instance = event.reporting_instance,
         .message = event.note,
         .first = event.deprecated_first_timestamp,
         .last = event.deprecated_last_timestamp,
         .time = event.event_time,
         .count = event.deprecated_count},
        row);
}

}  // namespace

std::vector<Printer> EventPrinters() {
  return {
      PrinterOf<PrintEvent>(kEventColumns),
      PrinterOf<PrintNewEvent>(kEventColumns),
  };
}

}  // namespace kube::printers::internal

#include "apiserver/validation/validate_event.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "api/events/v1/types.kube.h"
#include "apimachinery/types/box.h"
#include "apimachinery/types/micro_time.h"
#include "apimachinery/types/string.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "apimachinery/validation/label.h"
#include "apiserver/errors/field_errors.h"
#include "apiserver/strategy/conversion.h"

namespace kube::apiserver::internal {
namespace {

namespace corev1 = api::core::v1;
namespace eventsv1 = api::events::v1;
namespace field = validation::field;
using field::ErrorList;
using field::Path;

void CheckText(ErrorList& wrong, absl::string_view member, const String& text, size_t limit,
               bool required = true) {
  if (required && text.empty()) wrong.push_back(field::Required(Path(member), ""));
  if (text.view().size() <= limit) return;
  wrong.push_back(
      field::Invalid(Path(member), "", absl::StrCat("can have at most ", limit, " characters")));
}

// kube-apiserver: `legacyValidateEvent`.
void CheckCommon(ErrorList& wrong, const corev1::Event& event, absl::string_view controller) {
  const String& space = event.metadata.namespace_;
  const String& about = event.involved_object.namespace_;
  const auto refuse_namespace = [&] {
    wrong.push_back(field::Invalid(Path("involvedObject").Child("namespace"), std::string(about),
                                   "does not match event.namespace"));
  };
  if (event.event_time == MicroTime()) {
    const bool same = about == space || (about.empty() && space == "default");
    if (!same) refuse_namespace();
    return;
  }
  if (about.empty() && space != "default" && space != "kube-system") refuse_namespace();
  if (event.reporting_component.empty()) wrong.push_back(field::Required(Path(controller), ""));
  AppendInvalid(wrong, Path(controller), event.reporting_component.view(),
                validation::IsQualifiedName(event.reporting_component.view()));
  CheckText(wrong, "reportingInstance", event.reporting_instance, 128);
  CheckText(wrong, "action", event.action, 128);
  CheckText(wrong, "reason", event.reason, 128);
  CheckText(wrong, "message", event.message, 1024, /*required=*/false);
}

// kube-apiserver: `validateV1EventSeries`.
void CheckSeries(ErrorList& wrong, const Box<corev1::EventSeries>& series) {
  if (!series) return;
  if (series->count < 2) {
    wrong.push_back(field::Invalid(Path("series.count"), "", "should be at least 2"));
  }
  if (series->last_observed_time == MicroTime()) {
    wrong.push_back(field::Required(Path("series.lastObservedTime"), ""));
  }
}

void CheckNew(ErrorList& wrong, const corev1::Event& event) {
  CheckSeries(wrong, event.series);
  if (event.event_time == MicroTime()) wrong.push_back(field::Required(Path("eventTime"), ""));
  if (event.type != "Normal" && event.type != "Warning") {
    wrong.push_back(
        field::Invalid(Path("type"), "", absl::StrCat("has invalid value: ", event.type.view())));
  }
  const auto forbid = [&](absl::string_view member, bool is_set) {
    if (is_set) wrong.push_back(field::Invalid(Path(member), "", "needs to be unset"));
  };
  forbid("firstTimestamp", !event.first_timestamp.IsZero());
  forbid("lastTimestamp", !event.last_timestamp.IsZero());
  forbid("count", event.count != 0);
  forbid("source", !event.source.component.empty() || !event.source.host.empty());
}

field::BadValue ValueOf(const String& text) { return std::string(text); }
field::BadValue ValueOf(int32_t number) { return int64_t{number}; }
template <typename T>
field::BadValue ValueOf(const Box<T>& box) {
  return box ? field::JsonOf(*box) : field::JsonValue{"null"};
}
template <typename T>
field::BadValue ValueOf(const T& value) {
  return field::JsonOf(value);
}

template <typename T>
void CheckStays(ErrorList& wrong, absl::string_view member, const T& now, const T& old) {
  if (now == old) return;
  wrong.push_back(field::Invalid(Path(member), ValueOf(now), "field is immutable"));
}

void CheckUpdate(ErrorList& wrong, const corev1::Event& now, const corev1::Event& old) {
  if (!(now.series == old.series)) CheckSeries(wrong, now.series);
  CheckStays(wrong, "involvedObject", now.involved_object, old.involved_object);
  CheckStays(wrong, "reason", now.reason, old.reason);
  CheckStays(wrong, "message", now.message, old.message);
  CheckStays(wrong, "source", now.source, old.source);
  CheckStays(wrong, "firstTimestamp", now.first_timestamp, old.first_timestamp);
  CheckStays(wrong, "lastTimestamp", now.last_timestamp, old.last_timestamp);
  CheckStays(wrong, "count", now.count, old.count);
  CheckStays(wrong, "reason", now.reason, old.reason);
  CheckStays(wrong, "type", now.type, old.type);
  CheckStays(wrong, "eventTime", now.event_time, old.event_time);
  CheckStays(wrong, "action", now.action, old.action);
  CheckStays(wrong, "related", now.related, old.related);
  CheckStays(wrong, "reportingController", now.reporting_component, old.reporting_component);
  CheckStays(wrong, "reportingInstance", now.reporting_instance, old.reporting_instance);
}

}  // namespace

void CheckEvent(ErrorList& wrong, const corev1::Event& event) {
  CheckCommon(wrong, event, "reportingComponent");
}

void CheckEvent(ErrorList& wrong, const eventsv1::Event& event, const eventsv1::Event* old) {
  const corev1::Event core = ToCore(event);
  CheckCommon(wrong, core, "reportingController");
  if (old == nullptr) {
    CheckNew(wrong, core);
  } else {
    CheckUpdate(wrong, core, ToCore(*old));
  }
}

}  // namespace kube::apiserver::internal

#include "apiserver/strategy/conversion.h"

#include <utility>

#include "api/autoscaling/v1/types.kube.h"
#include "api/autoscaling/v2/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/events/v1/types.kube.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/types/kind_info.h"
#include "apiserver/object.h"
#include "apiserver/resources.h"

namespace kube::apiserver::internal {
namespace {

namespace autoscalingv1 = api::autoscaling::v1;
namespace autoscalingv2 = api::autoscaling::v2;
namespace corev1 = api::core::v1;
namespace eventsv1 = api::events::v1;

// Converts between two structs with the same members.
template <typename To, typename From>
void ConvertSeries(const Box<From>& from, Box<To>& to) {
  if (!from) return;
  to.emplace();
  to->count = from->count;
  to->last_observed_time = from->last_observed_time;
}

template <typename T>
Object ObjectOf(T value, const KindInfo& kind) {
  codec::AnyObject any(kind);
  *any.As<T>() = std::move(value);
  return Object(std::move(any));
}

}  // namespace

corev1::Event ToCore(const eventsv1::Event& event) {
  corev1::Event core;
  core.metadata = event.metadata;
  core.involved_object = event.regarding;
  core.related = event.related;
  core.reason = event.reason;
  core.message = event.note;
  core.type = event.type;
  core.action = event.action;
  core.event_time = event.event_time;
  ConvertSeries(event.series, core.series);
  core.reporting_component = event.reporting_controller;
  core.reporting_instance = event.reporting_instance;
  core.source = event.deprecated_source;
  core.first_timestamp = event.deprecated_first_timestamp;
  core.last_timestamp = event.deprecated_last_timestamp;
  core.count = event.deprecated_count;
  return core;
}

eventsv1::Event FromCore(const corev1::Event& core) {
  eventsv1::Event event;
  event.metadata = core.metadata;
  event.regarding = core.involved_object;
  event.related = core.related;
  event.reason = core.reason;
  event.note = core.message;
  event.type = core.type;
  event.action = core.action;
  event.event_time = core.event_time;
  ConvertSeries(core.series, event.series);
  event.reporting_controller = core.reporting_component;
  event.reporting_instance = core.reporting_instance;
  event.deprecated_source = core.source;
  event.deprecated_first_timestamp = core.first_timestamp;
  event.deprecated_last_timestamp = core.last_timestamp;
  event.deprecated_count = core.count;
  return event;
}

bool PreparesStored(const Resource& resource) {
  return resource.stored_kind != nullptr && resource.FindSubresource("status") != nullptr;
}

Object AsInternal(const Resource& resource, Object object) {
  if (auto* scaler = object.As<autoscalingv2::HorizontalPodAutoscaler>()) {
    DropRoundTripAnnotations(scaler->metadata.annotations);
  }
  if (!PreparesStored(resource)) return object;
  return Converted(std::move(object), *resource.stored_kind);
}

Object Converted(Object object, const KindInfo& kind) {
  if (object.is_custom() || object.kind().message == kind.message) return object;
  if (const auto* event = object.As<eventsv1::Event>()) return ObjectOf(ToCore(*event), kind);
  if (const auto* event = object.As<corev1::Event>()) return ObjectOf(FromCore(*event), kind);
  if (const auto* scaler = object.As<autoscalingv1::HorizontalPodAutoscaler>()) {
    return ObjectOf(ToV2(*scaler), kind);
  }
  if (const auto* scaler = object.As<autoscalingv2::HorizontalPodAutoscaler>()) {
    return ObjectOf(FromV2(*scaler), kind);
  }
  return object;
}

}  // namespace kube::apiserver::internal

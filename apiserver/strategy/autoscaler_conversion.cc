// Converts HorizontalPodAutoscalers between autoscaling/v1 and v2. An object of v1 has one metric,
// the CPU utilization. Other metrics, the behavior and most of the status are stored in its
// annotations as JSON: metrics and conditions as structs of v1, the behavior as upstream's internal
// struct, whose members have the names of Go's fields (kube-apiserver:
// `pkg/apis/autoscaling/v1/conversion.go`).
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/string_view.h"
#include "api/autoscaling/v1/types.kube.h"
#include "api/autoscaling/v2/types.kube.h"
#include "apimachinery/types/box.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/opt.h"
#include "apimachinery/types/parse.h"
#include "apimachinery/types/quantity.h"
#include "apimachinery/types/string.h"
#include "apimachinery/unstructured/convert.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apimachinery/validation/field_error.h"
#include "apiserver/strategy/conversion.h"

namespace kube::apiserver::internal {
namespace {

namespace v1 = api::autoscaling::v1;
namespace v2 = api::autoscaling::v2;
using unstructured::Value;

constexpr char kMetrics[] = "autoscaling.alpha.kubernetes.io/metrics";
constexpr char kCurrentMetrics[] = "autoscaling.alpha.kubernetes.io/current-metrics";
constexpr char kConditions[] = "autoscaling.alpha.kubernetes.io/conditions";
constexpr char kBehavior[] = "autoscaling.alpha.kubernetes.io/behavior";
constexpr char kScaleDownTolerance[] = "autoscaling.alpha.kubernetes.io/scale-down-tolerance";
constexpr char kScaleUpTolerance[] = "autoscaling.alpha.kubernetes.io/scale-up-tolerance";

constexpr int32_t kDefaultUtilization = 80;

template <typename T>
Quantity ValueOf(const Opt<T>& value) {
  return value.has_value() ? *value : Quantity();
}

bool IsZero(const Quantity& quantity) {
  return quantity == Quantity() || quantity == Quantity("0");
}

template <typename To, typename From>
To Reference(const From& from) {
  To to;
  to.kind = from.kind;
  to.name = from.name;
  to.api_version = from.api_version;
  return to;
}

// ---- desired metrics

v2::MetricTarget ResourceTarget(const Opt<int32_t>& utilization, const Opt<Quantity>& average) {
  v2::MetricTarget target;
  target.type = utilization.has_value() ? "Utilization" : "AverageValue";
  target.average_utilization = utilization;
  target.average_value = average;
  return target;
}

v2::MetricSpec Convert(const v1::MetricSpec& from) {
  v2::MetricSpec to;
  to.type = from.type;
  if (from.object) {
    v2::ObjectMetricSource& object = to.object.emplace();
    object.described_object = Reference<v2::CrossVersionObjectReference>(from.object->target);
    object.metric.name = from.object->metric_name;
    object.metric.selector = from.object->selector;
    object.target.average_value = from.object->average_value;
    const bool average = from.object->average_value.has_value();
    object.target.type = average ? "AverageValue" : "Value";
    if (!average || !IsZero(from.object->target_value)) {
      object.target.value = from.object->target_value;
    }
  }
  if (from.pods) {
    v2::PodsMetricSource& pods = to.pods.emplace();
    pods.metric.name = from.pods->metric_name;
    pods.metric.selector = from.pods->selector;
    pods.target.type = "AverageValue";
    pods.target.average_value = from.pods->target_average_value;
  }
  if (from.resource) {
    v2::ResourceMetricSource& resource = to.resource.emplace();
    resource.name = from.resource->name;
    resource.target = ResourceTarget(from.resource->target_average_utilization,
                                     from.resource->target_average_value);
  }
  if (from.container_resource) {
    v2::ContainerResourceMetricSource& resource = to.container_resource.emplace();
    resource.name = from.container_resource->name;
    resource.container = from.container_resource->container;
    resource.target = ResourceTarget(from.container_resource->target_average_utilization,
                                     from.container_resource->target_average_value);
  }
  if (from.external) {
    v2::ExternalMetricSource& external = to.external.emplace();
    external.metric.name = from.external->metric_name;
    external.metric.selector = from.external->metric_selector;
    external.target.type = from.external->target_value.has_value() ? "Value" : "AverageValue";
    external.target.value = from.external->target_value;
    external.target.average_value = from.external->target_average_value;
  }
  return to;
}

v1::MetricSpec Convert(const v2::MetricSpec& from) {
  v1::MetricSpec to;
  to.type = from.type;
  if (from.object) {
    v1::ObjectMetricSource& object = to.object.emplace();
    object.target = Reference<v1::CrossVersionObjectReference>(from.object->described_object);
    object.metric_name = from.object->metric.name;
    object.selector = from.object->metric.selector;
    object.target_value = ValueOf(from.object->target.value);
    object.average_value = from.object->target.average_value;
  }
  if (from.pods) {
    v1::PodsMetricSource& pods = to.pods.emplace();
    pods.metric_name = from.pods->metric.name;
    pods.selector = from.pods->metric.selector;
    pods.target_average_value = ValueOf(from.pods->target.average_value);
  }
  if (from.resource) {
    v1::ResourceMetricSource& resource = to.resource.emplace();
    resource.name = from.resource->name;
    resource.target_average_utilization = from.resource->target.average_utilization;
    resource.target_average_value = from.resource->target.average_value;
  }
  if (from.container_resource) {
    v1::ContainerResourceMetricSource& resource = to.container_resource.emplace();
    resource.name = from.container_resource->name;
    resource.container = from.container_resource->container;
    resource.target_average_utilization = from.container_resource->target.average_utilization;
    resource.target_average_value = from.container_resource->target.average_value;
  }
  if (from.external) {
    v1::ExternalMetricSource& external = to.external.emplace();
    external.metric_name = from.external->metric.name;
    external.metric_selector = from.external->metric.selector;
    external.target_value = from.external->target.value;
    external.target_average_value = from.external->target.average_value;
  }
  return to;
}

// ---- current metrics

v2::MetricStatus Convert(const v1::MetricStatus& from) {
  v2::MetricStatus to;
  to.type = from.type;
  if (from.object) {
    v2::ObjectMetricStatus& object = to.object.emplace();
    object.described_object = Reference<v2::CrossVersionObjectReference>(from.object->target);
    object.metric.name = from.object->metric_name;
    object.metric.selector = from.object->selector;
    object.current.value = from.object->current_value;
    object.current.average_value = from.object->average_value;
  }
  if (from.pods) {
    v2::PodsMetricStatus& pods = to.pods.emplace();
    pods.metric.name = from.pods->metric_name;
    pods.metric.selector = from.pods->selector;
    pods.current.average_value = from.pods->current_average_value;
  }
  if (from.resource) {
    v2::ResourceMetricStatus& resource = to.resource.emplace();
    resource.name = from.resource->name;
    resource.current.average_value = from.resource->current_average_value;
    resource.current.average_utilization = from.resource->current_average_utilization;
  }
  if (from.container_resource) {
    v2::ContainerResourceMetricStatus& resource = to.container_resource.emplace();
    resource.name = from.container_resource->name;
    resource.container = from.container_resource->container;
    resource.current.average_value = from.container_resource->current_average_value;
    resource.current.average_utilization = from.container_resource->current_average_utilization;
  }
  if (from.external) {
    v2::ExternalMetricStatus& external = to.external.emplace();
    external.metric.name = from.external->metric_name;
    external.metric.selector = from.external->metric_selector;
    external.current.value = from.external->current_value;
    external.current.average_value = from.external->current_average_value;
  }
  return to;
}

v1::MetricStatus Convert(const v2::MetricStatus& from) {
  v1::MetricStatus to;
  to.type = from.type;
  if (from.object) {
    v1::ObjectMetricStatus& object = to.object.emplace();
    object.target = Reference<v1::CrossVersionObjectReference>(from.object->described_object);
    object.metric_name = from.object->metric.name;
    object.selector = from.object->metric.selector;
    object.current_value = ValueOf(from.object->current.value);
    object.average_value = from.object->current.average_value;
  }
  if (from.pods) {
    v1::PodsMetricStatus& pods = to.pods.emplace();
    pods.metric_name = from.pods->metric.name;
    pods.selector = from.pods->metric.selector;
    pods.current_average_value = ValueOf(from.pods->current.average_value);
  }
  if (from.resource) {
    v1::ResourceMetricStatus& resource = to.resource.emplace();
    resource.name = from.resource->name;
    resource.current_average_utilization = from.resource->current.average_utilization;
    resource.current_average_value = ValueOf(from.resource->current.average_value);
  }
  if (from.container_resource) {
    v1::ContainerResourceMetricStatus& resource = to.container_resource.emplace();
    resource.name = from.container_resource->name;
    resource.container = from.container_resource->container;
    resource.current_average_utilization = from.container_resource->current.average_utilization;
    resource.current_average_value = ValueOf(from.container_resource->current.average_value);
  }
  if (from.external) {
    v1::ExternalMetricStatus& external = to.external.emplace();
    external.metric_name = from.external->metric.name;
    external.metric_selector = from.external->metric.selector;
    external.current_value = ValueOf(from.external->current.value);
    external.current_average_value = from.external->current.average_value;
  }
  return to;
}

template <typename To, typename From>
To ConvertCondition(const From& from) {
  To to;
  to.type = from.type;
  to.status = from.status;
  to.last_transition_time = from.last_transition_time;
  to.reason = from.reason;
  to.message = from.message;
  return to;
}
v1::HorizontalPodAutoscalerCondition Convert(const v2::HorizontalPodAutoscalerCondition& from) {
  return ConvertCondition<v1::HorizontalPodAutoscalerCondition>(from);
}
v2::HorizontalPodAutoscalerCondition Convert(const v1::HorizontalPodAutoscalerCondition& from) {
  return ConvertCondition<v2::HorizontalPodAutoscalerCondition>(from);
}

// ---- annotations

// Returns a list of v2's structs as the JSON of v1's.
template <typename T>
std::string JsonOfV1(const List<T>& list) {
  std::string json = "[";
  for (const T& each : list) {
    if (json.size() > 1) json += ',';
    json += validation::field::JsonOf(Convert(each)).json;
  }
  return json + "]";
}

// Reads the list of v1's structs in an annotation. Returns false if it does not exist or is
// malformed.
template <typename V1, typename V2>
bool FromJsonOfV1(const Map<String>& annotations, absl::string_view key, List<V2>& list) {
  const String* const json = annotations.find(key);
  if (json == nullptr) return false;
  const absl::StatusOr<Value> value = unstructured::ParseJson(json->view());
  if (!value.ok() || !value->is_list()) return false;
  List<V2> found = List<V2>::Empty();
  for (const Value& each : *value->list()) {
    const absl::StatusOr<V1> typed = unstructured::FromValue<V1>(each);
    if (!typed.ok()) return false;
    found.push_back(Convert(*typed));
  }
  list = std::move(found);
  return true;
}

std::string GoJson(const Box<v2::HPAScalingRules>& rules) {
  if (!rules) return "null";
  std::string json = R"({"StabilizationWindowSeconds":)";
  json += rules->stabilization_window_seconds.has_value()
              ? std::to_string(*rules->stabilization_window_seconds)
              : "null";
  json += R"(,"SelectPolicy":)";
  json += rules->select_policy.has_value()
              ? validation::field::JsonText(rules->select_policy->view()).json
              : "null";
  json += R"(,"Policies":)";
  if (rules->policies.is_null()) {
    json += "null";
  } else {
    json += '[';
    for (const v2::HPAScalingPolicy& each : rules->policies) {
      if (json.back() != '[') json += ',';
      json += R"({"Type":)" + validation::field::JsonText(each.type.view()).json + R"(,"Value":)" +
              std::to_string(each.value) + R"(,"PeriodSeconds":)" +
              std::to_string(each.period_seconds) + "}";
    }
    json += ']';
  }
  json += R"(,"Tolerance":)";
  json += rules->tolerance.has_value()
              ? validation::field::JsonText(rules->tolerance->ToString()).json
              : "null";
  return json + "}";
}

// The functions below read a member of an object into `to`, as Go's json.Unmarshal does: null and
// missing members leave it unchanged. They return false if the member has another type or is out of
// range.

bool ReadInt(const Value& object, absl::string_view member, Opt<int32_t>& to) {
  const Value* const at = object.Find(member);
  if (at == nullptr || at->is_null()) return true;
  const std::optional<int64_t> number = at->integer();
  if (!number.has_value() || *number != static_cast<int32_t>(*number)) return false;
  to = static_cast<int32_t>(*number);
  return true;
}

bool ReadText(const Value& object, absl::string_view member, Opt<String>& to) {
  const Value* const at = object.Find(member);
  if (at == nullptr || at->is_null()) return true;
  const auto text = at->text();
  if (text.has_value()) to = *text;
  return text.has_value();
}

// A quantity may also be a number (apimachinery: `Quantity.UnmarshalJSON`).
bool ReadQuantity(const Value& object, absl::string_view member, Opt<Quantity>& to) {
  const Value* const at = object.Find(member);
  if (at == nullptr || at->is_null()) return true;
  std::string text(at->text().value_or(""));
  if (at->is_number()) text = unstructured::EncodeJson(*at).value_or("");
  const absl::StatusOr<Quantity> quantity = ParseQuantity(absl::StripAsciiWhitespace(text));
  if (quantity.ok()) to = *quantity;
  return quantity.ok();
}

bool ReadPolicies(const Value& object, List<v2::HPAScalingPolicy>& to) {
  const Value* const at = object.Find("Policies");
  if (at == nullptr || at->is_null()) return true;
  if (!at->is_list()) return false;
  to = List<v2::HPAScalingPolicy>::Empty();
  for (const Value& each : *at->list()) {
    v2::HPAScalingPolicy& policy = to.emplace_back();
    if (each.is_null()) continue;
    Opt<String> type;
    Opt<int32_t> value, period;
    if (!each.is_object() || !ReadText(each, "Type", type) || !ReadInt(each, "Value", value) ||
        !ReadInt(each, "PeriodSeconds", period)) {
      return false;
    }
    policy.type = type.value_or("");
    policy.value = value.value_or(0);
    policy.period_seconds = period.value_or(0);
  }
  return true;
}

bool ReadRules(const Value& behavior, absl::string_view member, Box<v2::HPAScalingRules>& to) {
  const Value* const at = behavior.Find(member);
  if (at == nullptr || at->is_null()) return true;
  if (!at->is_object()) return false;
  v2::HPAScalingRules& rules = to.emplace();
  return ReadInt(*at, "StabilizationWindowSeconds", rules.stabilization_window_seconds) &&
         ReadText(*at, "SelectPolicy", rules.select_policy) && ReadPolicies(*at, rules.policies) &&
         ReadQuantity(*at, "Tolerance", rules.tolerance);
}

// An annotation with an invalid part is ignored as a whole.
void ReadBehavior(const Map<String>& annotations, v2::HorizontalPodAutoscalerSpec& spec) {
  const String* const json = annotations.find(kBehavior);
  if (json == nullptr) return;
  const absl::StatusOr<Value> value = unstructured::ParseJson(json->view());
  if (!value.ok() || !value->is_object()) return;
  v2::HorizontalPodAutoscalerBehavior behavior;
  if (!ReadRules(*value, "ScaleUp", behavior.scale_up) ||
      !ReadRules(*value, "ScaleDown", behavior.scale_down)) {
    return;
  }
  if (behavior.scale_up || behavior.scale_down) spec.behavior.emplace() = std::move(behavior);
}

v2::MetricSpec CpuMetric(int32_t utilization) {
  v2::MetricSpec metric;
  metric.type = "Resource";
  v2::ResourceMetricSource& source = metric.resource.emplace();
  source.name = "cpu";
  source.target.type = "Utilization";
  source.target.average_utilization = utilization;
  return metric;
}

// Returns whether v1 has a member for the metric.
bool IsCpuUtilization(const v2::MetricSpec& metric) {
  return metric.type == "Resource" && metric.resource && metric.resource->name == "cpu" &&
         metric.resource->target.average_utilization.has_value();
}

}  // namespace

void DropRoundTripAnnotations(Map<String>& annotations) {
  for (const char* each : {kMetrics, kCurrentMetrics, kConditions, kBehavior, kScaleDownTolerance,
                           kScaleUpTolerance}) {
    annotations.erase(each);
  }
  if (annotations.empty()) annotations = {};
}

v2::HorizontalPodAutoscaler ToV2(const v1::HorizontalPodAutoscaler& from) {
  v2::HorizontalPodAutoscaler to;
  to.metadata = from.metadata;
  to.spec.scale_target_ref = Reference<v2::CrossVersionObjectReference>(from.spec.scale_target_ref);
  to.spec.min_replicas = from.spec.min_replicas;
  to.spec.max_replicas = from.spec.max_replicas;
  const Map<String>& annotations = from.metadata.annotations;
  FromJsonOfV1<v1::MetricSpec>(annotations, kMetrics, to.spec.metrics);
  const Opt<int32_t>& wanted = from.spec.target_cpu_utilization_percentage;
  if (wanted.has_value()) to.spec.metrics.push_back(CpuMetric(*wanted));
  if (to.spec.metrics.empty()) to.spec.metrics.push_back(CpuMetric(kDefaultUtilization));
  ReadBehavior(annotations, to.spec);
  to.status.observed_generation = from.status.observed_generation;
  to.status.last_scale_time = from.status.last_scale_time;
  to.status.current_replicas = from.status.current_replicas;
  to.status.desired_replicas = from.status.desired_replicas;
  const Opt<int32_t>& utilization = from.status.current_cpu_utilization_percentage;
  if (utilization.has_value()) {
    v2::MetricStatus& metric = to.status.current_metrics.emplace_back();
    metric.type = "Resource";
    metric.resource.emplace().name = "cpu";
    metric.resource->current.average_utilization = *utilization;
  }
  FromJsonOfV1<v1::MetricStatus>(annotations, kCurrentMetrics, to.status.current_metrics);
  FromJsonOfV1<v1::HorizontalPodAutoscalerCondition>(annotations, kConditions,
                                                     to.status.conditions);
  DropRoundTripAnnotations(to.metadata.annotations);
  return to;
}

v1::HorizontalPodAutoscaler FromV2(const v2::HorizontalPodAutoscaler& from) {
  v1::HorizontalPodAutoscaler to;
  to.metadata = from.metadata;
  to.spec.scale_target_ref = Reference<v1::CrossVersionObjectReference>(from.spec.scale_target_ref);
  to.spec.min_replicas = from.spec.min_replicas;
  to.spec.max_replicas = from.spec.max_replicas;
  List<v2::MetricSpec> others;
  for (const v2::MetricSpec& metric : from.spec.metrics) {
    if (!IsCpuUtilization(metric)) {
      others.push_back(metric);
    } else if (!to.spec.target_cpu_utilization_percentage.has_value()) {
      to.spec.target_cpu_utilization_percentage = *metric.resource->target.average_utilization;
    }
  }
  to.status.observed_generation = from.status.observed_generation;
  to.status.last_scale_time = from.status.last_scale_time;
  to.status.current_replicas = from.status.current_replicas;
  to.status.desired_replicas = from.status.desired_replicas;
  for (const v2::MetricStatus& metric : from.status.current_metrics) {
    const bool is_cpu = metric.type == "Resource" && metric.resource &&
                        metric.resource->name == "cpu" &&
                        metric.resource->current.average_utilization.has_value();
    if (is_cpu) {
      to.status.current_cpu_utilization_percentage = *metric.resource->current.average_utilization;
    }
  }
  Map<String>& annotations = to.metadata.annotations;
  DropRoundTripAnnotations(annotations);
  if (!others.empty()) annotations[kMetrics] = JsonOfV1(others);
  if (!from.status.current_metrics.empty()) {
    annotations[kCurrentMetrics] = JsonOfV1(from.status.current_metrics);
  }
  if (from.spec.behavior) {
    annotations[kBehavior] = R"({"ScaleUp":)" + GoJson(from.spec.behavior->scale_up) +
                             R"(,"ScaleDown":)" + GoJson(from.spec.behavior->scale_down) + "}";
  }
  if (!from.status.conditions.empty()) {
    annotations[kConditions] = JsonOfV1(from.status.conditions);
  }
  return to;
}

}  // namespace kube::apiserver::internal

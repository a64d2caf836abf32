#include "apiserver/printers/internal/old_metrics.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/autoscaling/v1/types.kube.h"
#include "api/autoscaling/v2/types.kube.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/opt.h"
#include "apimachinery/types/quantity.h"
#include "apimachinery/types/string.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"

namespace kube::printers::internal {
namespace {

namespace autoscalingv1 = api::autoscaling::v1;
namespace autoscalingv2 = api::autoscaling::v2;

using autoscalingv2::MetricSpec;
using autoscalingv2::MetricStatus;
using autoscalingv2::MetricTarget;
using autoscalingv2::MetricValueStatus;
using unstructured::Value;

constexpr absl::string_view kSpecsAnnotation = "autoscaling.alpha.kubernetes.io/metrics";
constexpr absl::string_view kStatusesAnnotation = "autoscaling.alpha.kubernetes.io/current-metrics";
constexpr int32_t kDefaultPercent = 80;

// Reads the members of JSON objects. A member of a wrong type makes the whole annotation invalid.
class Reader {
 public:
  bool ok() const { return ok_; }

  // Returns null if there is no such member.
  const Value* Object(const Value& parent, absl::string_view name) {
    const Value* member = Member(parent, name);
    if (member != nullptr && !member->is_object()) ok_ = false;
    return ok_ ? member : nullptr;
  }

  String Text(const Value& parent, absl::string_view name) {
    const Value* member = Member(parent, name);
    if (member == nullptr) return {};
    if (!member->is_string()) ok_ = false;
    return member->text().value_or("");
  }

  Opt<int32_t> Percent(const Value& parent, absl::string_view name) {
    const Value* member = Member(parent, name);
    if (member == nullptr) return {};
    const std::optional<int64_t> number = member->integer();
    if (!number.has_value() || !std::in_range<int32_t>(*number)) {
      ok_ = false;
      return {};
    }
    return static_cast<int32_t>(*number);
  }

  // Reads a string or a number.
  Opt<Quantity> Amount(const Value& parent, absl::string_view name) {
    const Value* member = Member(parent, name);
    if (member == nullptr) return {};
    Quantity amount;
    if (const std::optional<int64_t> number = member->integer()) {
      amount = Quantity(absl::StrCat(*number));
    } else if (member->is_string()) {
      amount = Quantity(*member->text());
    } else {
      ok_ = false;
    }
    if (!amount.IsValid() || amount.source().empty()) ok_ = false;
    return amount;
  }

  // Reads a member that is not a pointer in Go: zero if it is missing.
  Quantity AmountOrZero(const Value& parent, absl::string_view name) {
    return *Amount(parent, name);
  }

 private:
  static const Value* Member(const Value& parent, absl::string_view name) {
    const Value* member = parent.Find(name);
    return member == nullptr || member->is_null() ? nullptr : member;
  }

  bool ok_ = true;
};

MetricTarget ResourceTarget(Reader& reader, const Value& source) {
  return {.average_value = reader.Amount(source, "targetAverageValue"),
          .average_utilization = reader.Percent(source, "targetAverageUtilization")};
}

MetricSpec SpecOf(Reader& reader, const Value& json) {
  MetricSpec spec = {.type = reader.Text(json, "type")};
  if (const Value* source = reader.Object(json, "object")) {
    MetricTarget& target = spec.object.emplace().target;
    target.average_value = reader.Amount(*source, "averageValue");
    if (!target.average_value.has_value()) {
      target.value = reader.AmountOrZero(*source, "targetValue");
    }
  }
  if (const Value* source = reader.Object(json, "pods")) {
    spec.pods.emplace().target.average_value = reader.AmountOrZero(*source, "targetAverageValue");
  }
  if (const Value* source = reader.Object(json, "resource")) {
    spec.resource = autoscalingv2::ResourceMetricSource{.name = reader.Text(*source, "name"),
                                                        .target = ResourceTarget(reader, *source)};
  }
  if (const Value* source = reader.Object(json, "containerResource")) {
    spec.container_resource = autoscalingv2::ContainerResourceMetricSource{
        .name = reader.Text(*source, "name"), .target = ResourceTarget(reader, *source)};
  }
  if (const Value* source = reader.Object(json, "external")) {
    spec.external.emplace().target = {
        .value = reader.Amount(*source, "targetValue"),
        .average_value = reader.Amount(*source, "targetAverageValue")};
  }
  return spec;
}

MetricValueStatus ResourceCurrent(Reader& reader, const Value& source) {
  return {.average_value = reader.AmountOrZero(source, "currentAverageValue"),
          .average_utilization = reader.Percent(source, "currentAverageUtilization")};
}

MetricStatus StatusOf(Reader& reader, const Value& json) {
  MetricStatus status = {.type = reader.Text(json, "type")};
  if (const Value* source = reader.Object(json, "object")) {
    status.object.emplace().current = {.value = reader.AmountOrZero(*source, "currentValue"),
                                       .average_value = reader.Amount(*source, "averageValue")};
  }
  if (const Value* source = reader.Object(json, "pods")) {
    status.pods.emplace().current.average_value =
        reader.AmountOrZero(*source, "currentAverageValue");
  }
  if (const Value* source = reader.Object(json, "resource")) {
    status.resource = autoscalingv2::ResourceMetricStatus{
        .name = reader.Text(*source, "name"), .current = ResourceCurrent(reader, *source)};
  }
  if (const Value* source = reader.Object(json, "containerResource")) {
    status.container_resource = autoscalingv2::ContainerResourceMetricStatus{
        .name = reader.Text(*source, "name"), .current = ResourceCurrent(reader, *source)};
  }
  if (const Value* source = reader.Object(json, "external")) {
    status.external.emplace().current = {
        .value = reader.AmountOrZero(*source, "currentValue"),
        .average_value = reader.Amount(*source, "currentAverageValue")};
  }
  return status;
}

// Returns the list in an annotation, or nullopt if it is missing or invalid.
template <typename Metric>
std::optional<List<Metric>> Annotated(const Map<String>& annotations, absl::string_view name,
                                      Metric (*read)(Reader& reader, const Value& json)) {
  const String* text = annotations.find(name);
  if (text == nullptr) return std::nullopt;
  const absl::StatusOr<Value> json = unstructured::ParseJson(text->view());
  if (!json.ok()) return std::nullopt;
  List<Metric> metrics;
  if (json->is_null()) return metrics;
  if (!json->is_list()) return std::nullopt;
  Reader reader;
  for (const Value& each : *json->list()) {
    if (!each.is_object() && !each.is_null()) return std::nullopt;
    metrics.push_back(read(reader, each));
  }
  if (!reader.ok()) return std::nullopt;
  return metrics;
}

MetricSpec CpuSpec(int32_t percent) {
  MetricSpec spec = {.type = "Resource"};
  spec.resource = autoscalingv2::ResourceMetricSource{.name = "cpu",
                                                      .target = {.average_utilization = percent}};
  return spec;
}

}  // namespace

List<MetricSpec> MetricSpecsOf(const autoscalingv1::HorizontalPodAutoscaler& autoscaler) {
  List<MetricSpec> specs = Annotated(autoscaler.metadata.annotations, kSpecsAnnotation, SpecOf)
                               .value_or(List<MetricSpec>());
  const Opt<int32_t>& percent = autoscaler.spec.target_cpu_utilization_percentage;
  if (percent.has_value()) specs.push_back(CpuSpec(*percent));
  if (specs.empty()) specs.push_back(CpuSpec(kDefaultPercent));
  return specs;
}

List<MetricStatus> MetricStatusesOf(const autoscalingv1::HorizontalPodAutoscaler& autoscaler) {
  // The annotation has more details than the member.
  if (std::optional<List<MetricStatus>> statuses =
          Annotated(autoscaler.metadata.annotations, kStatusesAnnotation, StatusOf)) {
    return *std::move(statuses);
  }
  const Opt<int32_t>& percent = autoscaler.status.current_cpu_utilization_percentage;
  if (!percent.has_value()) return {};
  MetricStatus status = {.type = "Resource"};
  status.resource = autoscalingv2::ResourceMetricStatus{
      .name = "cpu", .current = {.average_utilization = percent}};
  return {std::move(status)};
}

}  // namespace kube::printers::internal

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "api/autoscaling/v1/types.kube.h"
#include "api/autoscaling/v2/types.kube.h"
#include "apimachinery/types/opt.h"
#include "apimachinery/types/quantity.h"
#include "apiserver/printers/internal/old_metrics.h"
#include "apiserver/printers/internal/printer.h"
#include "apiserver/printers/internal/row.h"

// HorizontalPodAutoscalers of both versions, and the objects of the scale subresource.
namespace kube::printers::internal {
namespace {

namespace autoscalingv1 = api::autoscaling::v1;
namespace autoscalingv2 = api::autoscaling::v2;

using autoscalingv2::MetricSpec;
using autoscalingv2::MetricStatus;
using autoscalingv2::MetricTarget;
using autoscalingv2::MetricValueStatus;

constexpr Column kAutoscalerColumns[] = {
    kName,
    {"Reference", "string", "The object that is scaled."},
    {"Targets", "string", "The current and the target values of the first metrics."},
    {"MinPods", "string", "The minimum number of replicas."},
    {"MaxPods", "string", "The maximum number of replicas."},
    {"Replicas", "string", "The current number of replicas."},
    kAge,
};

// Unlike in all other tables, the first column does not have the format "name".
constexpr Column kScaleColumns[] = {
    {"Name", "string", kName.description},
    {"Desired", "integer", "The desired number of replicas."},
    {"Available", "integer", "The current number of replicas."},
    kAge,
};

// Returns Go's text of a pointer to a quantity.
std::string TextOf(const Opt<Quantity>& quantity) {
  return quantity.has_value() ? quantity->ToString() : "<nil>";
}

std::string Percent(const Opt<int32_t>& percent, absl::string_view otherwise) {
  return percent.has_value() ? absl::StrCat(*percent, "%") : std::string(otherwise);
}

// Formats a metric from outside the pods: a value, or an average over them. `current` may be null.
std::string OfValue(const MetricTarget& target, const MetricValueStatus* current) {
  std::string is(kUnknown);
  if (target.average_value.has_value()) {
    if (current != nullptr && current->average_value.has_value()) {
      is = current->average_value->ToString();
    }
    return absl::StrCat(is, "/", target.average_value->ToString(), " (avg)");
  }
  if (current != nullptr) is = TextOf(current->value);
  return absl::StrCat(is, "/", TextOf(target.value));
}

std::string OfPods(const MetricTarget& target, const MetricValueStatus* current) {
  return absl::StrCat(current != nullptr ? TextOf(current->average_value) : std::string(kUnknown),
                      "/", TextOf(target.average_value));
}

// Formats a resource: an average, or a percentage of the request.
std::string OfResource(absl::string_view name, const MetricTarget& target,
                       const MetricValueStatus* current) {
  if (target.average_value.has_value()) return absl::StrCat(name, ": ", OfPods(target, current));
  return absl::StrCat(
      name, ": ",
      current != nullptr ? Percent(current->average_utilization, kUnknown) : std::string(kUnknown),
      "/", Percent(target.average_utilization, "<auto>"));
}

// Returns the current value, or null if the status at the same index has another type.
template <typename Source>
const MetricValueStatus* CurrentOf(const Source& source) {
  return source ? &source->current : nullptr;
}

// If the member that the type names is missing, which no server accepts, Go's printer panics.
std::string MetricText(const MetricSpec& spec, const MetricStatus& status) {
  if (spec.type == "External" && spec.external) {
    return OfValue(spec.external->target, CurrentOf(status.external));
  }
  if (spec.type == "Pods" && spec.pods) return OfPods(spec.pods->target, CurrentOf(status.pods));
  if (spec.type == "Object" && spec.object) {
    return OfValue(spec.object->target, CurrentOf(status.object));
  }
  if (spec.type == "Resource" && spec.resource) {
    return OfResource(spec.resource->name, spec.resource->target, CurrentOf(status.resource));
  }
  if (spec.type == "ContainerResource" && spec.container_resource) {
    return OfResource(spec.container_resource->name, spec.container_resource->target,
                      CurrentOf(status.container_resource));
  }
  return "<unknown type>";
}

std::string MetricsText(const List<MetricSpec>& specs, const List<MetricStatus>& statuses) {
  constexpr size_t kShown = 2;
  if (specs.empty()) return std::string(kNone);
  const MetricStatus none;
  std::vector<std::string> texts;
  for (size_t i = 0; i < specs.size() && i < kShown; ++i) {
    texts.push_back(MetricText(specs[i], i < statuses.size() ? statuses[i] : none));
  }
  std::string text = absl::StrJoin(texts, ", ");
  if (specs.size() > kShown) absl::StrAppend(&text, " + ", specs.size() - kShown, " more...");
  return text;
}

// Both versions have these members.
template <typename Autoscaler>
void Print(const Autoscaler& autoscaler, absl::string_view metrics, Row& row) {
  row.Text(autoscaler.metadata.name);
  row.Text(absl::StrCat(autoscaler.spec.scale_target_ref.kind.view(), "/",
                        autoscaler.spec.scale_target_ref.name.view()));
  row.Text(metrics);
  row.Text(autoscaler.spec.min_replicas.has_value() ? absl::StrCat(*autoscaler.spec.min_replicas)
                                                    : std::string(kUnset));
  row.Number(autoscaler.spec.max_replicas);
  row.Number(autoscaler.status.current_replicas);
  row.Age(autoscaler.metadata.creation_timestamp);
}

void PrintAutoscaler(const autoscalingv2::HorizontalPodAutoscaler& autoscaler, Row& row) {
  Print(autoscaler, MetricsText(autoscaler.spec.metrics, autoscaler.status.current_metrics), row);
}

void PrintOldAutoscaler(const autoscalingv1::HorizontalPodAutoscaler& autoscaler, Row& row) {
  Print(autoscaler, MetricsText(MetricSpecsOf(autoscaler), MetricStatusesOf(autoscaler)), row);
}

void PrintScale(const autoscalingv1::Scale& scale, Row& row) {
  row.Text(scale.metadata.name);
  row.Number(scale.spec.replicas);
  row.Number(scale.status.replicas);
  row.Age(scale.metadata.creation_timestamp);
}

}  // namespace

std::vector<Printer> AutoscalingPrinters() {
  return {
      PrinterOf<PrintAutoscaler>(kAutoscalerColumns),
      PrinterOf<PrintOldAutoscaler>(kAutoscalerColumns),
      PrinterOf<PrintScale>(kScaleColumns),
  };
}

}  // namespace kube::printers::internal

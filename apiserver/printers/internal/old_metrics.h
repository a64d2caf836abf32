#ifndef APISERVER_PRINTERS_INTERNAL_OLD_METRICS_H_
#define APISERVER_PRINTERS_INTERNAL_OLD_METRICS_H_

#include "api/autoscaling/v1/types.kube.h"
#include "api/autoscaling/v2/types.kube.h"
#include "apimachinery/types/list.h"

// Converts the metrics of an autoscaling/v1 autoscaler to those of v2, as far as tables show them.
// Except for the CPU utilization, they are JSON in annotations (kube-apiserver:
// `pkg/apis/autoscaling/v1/conversion.go`).
namespace kube::printers::internal {

// Never returns an empty list: the default is a CPU utilization of 80 %.
List<api::autoscaling::v2::MetricSpec> MetricSpecsOf(
    const api::autoscaling::v1::HorizontalPodAutoscaler& autoscaler);

List<api::autoscaling::v2::MetricStatus> MetricStatusesOf(
    const api::autoscaling::v1::HorizontalPodAutoscaler& autoscaler);

}  // namespace kube::printers::internal

#endif  // APISERVER_PRINTERS_INTERNAL_OLD_METRICS_H_

#ifndef APISERVER_PRINTERS_INTERNAL_OLD_METRICS_H_
#define APISERVER_PRINTERS_INTERNAL_OLD_METRICS_H_

#include "api/autoscaling/v1/types.kube.h"
#include "api/autoscaling/v2/types.kube.h"
#include "apimachinery/types/list.h"

// The metrics of an autoscaler of v1 as those of v2, as far as a table shows them: all but that of
// the CPU stand in annotations, as JSON. (pkg/apis/autoscaling/v1/conversion.go)
namespace kube::printers::internal {

// Never empty: by default it is 80 % of the CPU.
List<api::autoscaling::v2::MetricSpec> MetricSpecsOf(
    const api::autoscaling::v1::HorizontalPodAutoscaler& autoscaler);

List<api::autoscaling::v2::MetricStatus> MetricStatusesOf(
    const api::autoscaling::v1::HorizontalPodAutoscaler& autoscaler);

}  // namespace kube::printers::internal

#endif  // APISERVER_PRINTERS_INTERNAL_OLD_METRICS_H_

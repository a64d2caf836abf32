#include "apiserver/strategy/conversion.h"

#include <string>

#include "absl/strings/string_view.h"
#include "api/autoscaling/v1/types.kube.h"
#include "api/autoscaling/v2/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/events/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/codec/encode_json.h"
#include "apiserver/object.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

namespace autoscalingv1 = api::autoscaling::v1;
namespace autoscalingv2 = api::autoscaling::v2;
namespace corev1 = api::core::v1;
namespace eventsv1 = api::events::v1;

TEST(Conversion, NothingOfAnEventIsLost) {
  const auto event = codec::DecodeJson<corev1::Event>(
      R"({"metadata":{"name":"e","labels":{"a":"b"}},"involvedObject":{"kind":"Pod","name":"p"},)"
      R"("reason":"R","message":"M","source":{"component":"c","host":"h"},)"
      R"("firstTimestamp":"2026-01-02T03:04:05Z","lastTimestamp":"2026-01-02T03:04:06Z","count":3,)"
      R"("type":"Normal","eventTime":"2026-01-02T03:04:05.000001Z",)"
      R"("series":{"count":4,"lastObservedTime":"2026-01-02T03:04:07.000000Z"},"action":"A",)"
      R"("related":{"kind":"Node","name":"n"},"reportingComponent":"a.b/c","reportingInstance":"i"})");
  ASSERT_THAT(event, base::IsOk());
  const eventsv1::Event converted = FromCore(*event);
  EXPECT_EQ(converted.note, "M");
  EXPECT_EQ(converted.regarding.name, "p");
  EXPECT_EQ(converted.reporting_controller, "a.b/c");
  EXPECT_EQ(converted.deprecated_source.host, "h");
  EXPECT_EQ(converted.deprecated_count, 3);
  EXPECT_EQ(ToCore(converted), *event);
}

autoscalingv2::HorizontalPodAutoscaler Scaler(absl::string_view spec) {
  autoscalingv2::HorizontalPodAutoscaler scaler;
  scaler.spec = *codec::DecodeJson<autoscalingv2::HorizontalPodAutoscalerSpec>(spec);
  return scaler;
}

TEST(Conversion, AnAutoscalerComesBackFromTheFirstVersion) {
  autoscalingv2::HorizontalPodAutoscaler scaler = Scaler(
      R"({"scaleTargetRef":{"kind":"Deployment","name":"d","apiVersion":"apps/v1"},"minReplicas":1,"maxReplicas":9,)"
      R"("metrics":[)"
      R"({"type":"Object","object":{"describedObject":{"kind":"Ingress","name":"i"},"target":{"type":"Value","value":"5"},"metric":{"name":"m"}}},)"
      R"({"type":"Object","object":{"describedObject":{"kind":"Ingress","name":"i"},"target":{"type":"AverageValue","averageValue":"6"},"metric":{"name":"m","selector":{"matchLabels":{"a":"b"}}}}},)"
      R"({"type":"Pods","pods":{"metric":{"name":"m"},"target":{"type":"AverageValue","averageValue":"7"}}},)"
      R"({"type":"Resource","resource":{"name":"memory","target":{"type":"AverageValue","averageValue":"1Gi"}}},)"
      R"({"type":"ContainerResource","containerResource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":40},"container":"c"}},)"
      R"({"type":"External","external":{"metric":{"name":"m"},"target":{"type":"Value","value":"8"}}},)"
      R"({"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":70}}}],)"
      R"("behavior":{"scaleUp":{"stabilizationWindowSeconds":3,"selectPolicy":"Min","policies":[{"type":"Pods","value":4,"periodSeconds":15}],"tolerance":"0.1"}}})");
  scaler.metadata.name = "h";
  scaler.metadata.annotations["a"] = "b";
  scaler.status = *codec::DecodeJson<autoscalingv2::HorizontalPodAutoscalerStatus>(
      R"({"observedGeneration":2,"lastScaleTime":"2026-01-02T03:04:05Z","currentReplicas":3,"desiredReplicas":4,)"
      R"("currentMetrics":[{"type":"Resource","resource":{"name":"cpu","current":{"averageValue":"100m","averageUtilization":60}}},)"
      R"({"type":"Pods","pods":{"metric":{"name":"m"},"current":{"averageValue":"7"}}}],)"
      R"("conditions":[{"type":"AbleToScale","status":"True","lastTransitionTime":"2026-01-02T03:04:05Z","reason":"R","message":"M"}]})");
  const autoscalingv1::HorizontalPodAutoscaler old = FromV2(scaler);
  EXPECT_EQ(old.spec.target_cpu_utilization_percentage, 70);
  EXPECT_EQ(old.status.current_cpu_utilization_percentage, 60);
  EXPECT_EQ(old.metadata.annotations.size(), 5u);
  const autoscalingv2::HorizontalPodAutoscaler back = ToV2(old);
  EXPECT_EQ(*codec::EncodeJson(back), *codec::EncodeJson(scaler));
}

TEST(Conversion, AnAutoscalerOfTheFirstVersionHasAMetric) {
  autoscalingv1::HorizontalPodAutoscaler old;
  old.spec.max_replicas = 3;
  const autoscalingv2::HorizontalPodAutoscaler scaler = ToV2(old);
  ASSERT_EQ(scaler.spec.metrics.size(), 1u);
  EXPECT_EQ(scaler.spec.metrics[0].resource->target.average_utilization, 80);
  EXPECT_FALSE(scaler.spec.behavior);
}

TEST(Conversion, MalformedAnnotationsAreNone) {
  for (const absl::string_view text :
       {"", "x", "{}", "[7]", R"([{"type":7}])", R"({"ScaleUp":7})", R"({"ScaleUp":null})",
        R"({"ScaleUp":{"Tolerance":"x"}})", R"({"ScaleUp":{"Tolerance":true}})",
        R"({"ScaleUp":{"StabilizationWindowSeconds":4294967296}})",
        R"({"ScaleUp":{"StabilizationWindowSeconds":1.5}})", R"({"ScaleUp":{"SelectPolicy":7}})",
        R"({"ScaleUp":{"Policies":{}}})", R"({"ScaleUp":{"Policies":[7]}})",
        R"({"ScaleUp":{"Policies":[{"Value":"4"}]}})", R"({"ScaleUp":{},"ScaleDown":7})"}) {
    autoscalingv1::HorizontalPodAutoscaler old;
    for (absl::string_view name : {"metrics", "current-metrics", "conditions", "behavior"}) {
      old.metadata
          .annotations[std::string("autoscaling.alpha.kubernetes.io/") + std::string(name)] = text;
    }
    const autoscalingv2::HorizontalPodAutoscaler scaler = ToV2(old);
    EXPECT_EQ(scaler.spec.metrics.size(), 1u) << text;
    EXPECT_TRUE(scaler.status.conditions.empty()) << text;
    EXPECT_FALSE(scaler.spec.behavior) << text;
    EXPECT_TRUE(scaler.metadata.annotations.empty()) << text;
  }
}

TEST(Conversion, AToleranceMayBeANumber) {
  autoscalingv1::HorizontalPodAutoscaler old;
  old.metadata.annotations["autoscaling.alpha.kubernetes.io/behavior"] =
      R"({"ScaleUp":{"Tolerance":0.1},"ScaleDown":{"Tolerance":"200m"}})";
  const autoscalingv2::HorizontalPodAutoscaler scaler = ToV2(old);
  ASSERT_TRUE(scaler.spec.behavior);
  EXPECT_EQ(scaler.spec.behavior->scale_up->tolerance, Quantity("0.1"));
  EXPECT_EQ(scaler.spec.behavior->scale_down->tolerance, Quantity("200m"));
}

}  // namespace
}  // namespace kube::apiserver::internal

#include "apiserver/tracking/kind_versions.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/apiextensions/v1/types.kube.h"
#include "api/apps/v1/types.kube.h"
#include "api/autoscaling/v1/types.kube.h"
#include "api/autoscaling/v2/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/events/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/managedfields/table_schema.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apiserver/custom_kind.h"
#include "apiserver/resources.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

namespace appsv1 = api::apps::v1;
namespace autoscalingv1 = api::autoscaling::v1;
namespace autoscalingv2 = api::autoscaling::v2;
namespace corev1 = api::core::v1;
namespace eventsv1 = api::events::v1;

using api::apiextensions::v1::CustomResourceDefinition;
using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;
using unstructured::Value;

absl::StatusOr<Value> Convert(const KindVersions& versions, absl::string_view json,
                              absl::string_view api_version) {
  KUBE_ASSIGN_OR_RETURN(const Value object, unstructured::ParseJson(json));
  return versions.Convert(object, api_version);
}

// Returns the only item of a list, or null.
Value OnlyItem(const Value& value) {
  const bool has_one = value.is_list() && value.list()->size() == 1;
  return has_one ? value.list()->front() : Value();
}

TEST(KindVersionsTest, BuiltInKindOfOneVersion_HasOneSchema) {
  const Resources resources = Resources::BuiltIn();
  const Resource* deployments = resources.FindKind("apps/v1", "Deployment");
  ASSERT_NE(deployments, nullptr);
  const KindVersions versions(resources, *deployments);
  EXPECT_EQ(versions.SchemaOf("apps/v1"), &managedfields::SchemaOf(appsv1::Deployment::kMessage));
  for (const char* unknown : {"", "v1", "apps", "apps/v1beta1", "batch/v1", "a/b/c"}) {
    EXPECT_EQ(versions.SchemaOf(unknown), nullptr) << unknown;
  }
  EXPECT_THAT(
      Convert(versions, R"({"apiVersion":"apps/v1","kind":"Deployment"})", "apps/v1beta1"),
      StatusIs(absl::StatusCode::kNotFound, "convert Deployment to apps/v1beta1: no such version"));
  EXPECT_THAT(
      Convert(versions, R"({"apiVersion":"apps/v1beta1","kind":"Deployment"})", "apps/v1"),
      StatusIs(absl::StatusCode::kNotFound, "convert Deployment to apps/v1: no such version"));
  EXPECT_THAT(
      Convert(versions, "{}", "apps/v1"),
      StatusIs(absl::StatusCode::kNotFound, "convert Deployment to apps/v1: no such version"));
}

TEST(KindVersionsTest, Events_AreOneKindInTwoGroups) {
  const Resources resources = Resources::BuiltIn();
  for (const char* group : {"v1", "events.k8s.io/v1"}) {
    const Resource* events = resources.FindKind(group, "Event");
    ASSERT_NE(events, nullptr) << group;
    const KindVersions versions(resources, *events);
    EXPECT_EQ(versions.SchemaOf("v1"), &managedfields::SchemaOf(corev1::Event::kMessage)) << group;
    EXPECT_EQ(versions.SchemaOf("events.k8s.io/v1"),
              &managedfields::SchemaOf(eventsv1::Event::kMessage))
        << group;

    const absl::StatusOr<Value> converted =
        Convert(versions,
                R"({"apiVersion":"v1","kind":"Event","metadata":{"name":"e"},"message":"M",)"
                R"("involvedObject":{"kind":"Pod","name":"p"}})",
                "events.k8s.io/v1");
    ASSERT_THAT(converted, IsOk()) << group;
    EXPECT_EQ((*converted)["apiVersion"].text(), "events.k8s.io/v1") << group;
    EXPECT_EQ((*converted)["kind"].text(), "Event") << group;
    EXPECT_EQ((*converted)["metadata"]["name"].text(), "e") << group;
    EXPECT_EQ((*converted)["note"].text(), "M") << group;
    EXPECT_EQ((*converted)["regarding"]["name"].text(), "p") << group;
    EXPECT_EQ(converted->Find("message"), nullptr) << group;

    const absl::StatusOr<Value> back = versions.Convert(*converted, "v1");
    ASSERT_THAT(back, IsOk()) << group;
    EXPECT_EQ((*back)["apiVersion"].text(), "v1") << group;
    EXPECT_EQ((*back)["message"].text(), "M") << group;
    EXPECT_EQ((*back)["involvedObject"]["name"].text(), "p") << group;
    EXPECT_EQ(back->Find("note"), nullptr) << group;
  }
}

TEST(KindVersionsTest, Autoscaler_IsConvertedBothWays) {
  const Resources resources = Resources::BuiltIn();
  const Resource* scalers = resources.FindKind("autoscaling/v1", "HorizontalPodAutoscaler");
  ASSERT_NE(scalers, nullptr);
  const KindVersions versions(resources, *scalers);
  EXPECT_EQ(versions.SchemaOf("autoscaling/v1"),
            &managedfields::SchemaOf(autoscalingv1::HorizontalPodAutoscaler::kMessage));
  EXPECT_EQ(versions.SchemaOf("autoscaling/v2"),
            &managedfields::SchemaOf(autoscalingv2::HorizontalPodAutoscaler::kMessage));

  const absl::StatusOr<Value> second =
      Convert(versions,
              R"({"apiVersion":"autoscaling/v1","kind":"HorizontalPodAutoscaler",)"
              R"("metadata":{"name":"h"},"spec":{"maxReplicas":3,)"
              R"("scaleTargetRef":{"kind":"Deployment","name":"d"},)"
              R"("targetCPUUtilizationPercentage":70}})",
              "autoscaling/v2");
  ASSERT_THAT(second, IsOk());
  EXPECT_EQ((*second)["apiVersion"].text(), "autoscaling/v2");
  EXPECT_EQ((*second)["spec"]["maxReplicas"].integer(), 3);
  const Value metric = OnlyItem((*second)["spec"]["metrics"]);
  EXPECT_EQ(metric["resource"]["target"]["averageUtilization"].integer(), 70);
  EXPECT_EQ((*second)["spec"].Find("targetCPUUtilizationPercentage"), nullptr);

  const absl::StatusOr<Value> first = versions.Convert(*second, "autoscaling/v1");
  ASSERT_THAT(first, IsOk());
  EXPECT_EQ((*first)["apiVersion"].text(), "autoscaling/v1");
  EXPECT_EQ((*first)["spec"]["scaleTargetRef"]["name"].text(), "d");
  EXPECT_EQ((*first)["spec"]["targetCPUUtilizationPercentage"].integer(), 70);
  EXPECT_EQ((*first)["spec"].Find("metrics"), nullptr);
}

TEST(KindVersionsTest, ObjectThatDoesNotFitItsKind_IsInvalidArgument) {
  const Resources resources = Resources::BuiltIn();
  const KindVersions versions(resources, *resources.FindKind("v1", "Event"));
  EXPECT_THAT(
      Convert(versions, R"({"apiVersion":"v1","kind":"Event","message":7})", "events.k8s.io/v1"),
      StatusIs(absl::StatusCode::kInvalidArgument));
}

// Returns the built-in resources and those of a definition: the kind Event, which built-in groups
// have too, with the versions v1 and v2.
Resources WithCustomEvents() {
  const auto definition = codec::DecodeJson<CustomResourceDefinition>(
      R"({"metadata":{"name":"events.example.com"},)"
      R"("spec":{"group":"example.com","scope":"Namespaced","names":{"kind":"Event"},"versions":[)"
      R"({"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object",)"
      R"("properties":{"spec":{"type":"object","properties":{"n":{"type":"integer"}}}}}}},)"
      R"({"name":"v2","served":true,"schema":{"openAPIV3Schema":{"type":"object","properties":)"
      R"({"spec":{"type":"object","properties":{"n":{"type":"integer"},"color":{"type":"string"})"
      R"(}}}}}}]},)"
      R"("status":{"acceptedNames":{"plural":"events","singular":"event","kind":"Event",)"
      R"("listKind":"EventList"}}})");
  EXPECT_THAT(definition, IsOk());
  const auto kinds = CustomKind::MakeAll(*definition);
  EXPECT_THAT(kinds, IsOk());
  return Resources::With({{.kind = (*kinds)[0]}, {.kind = (*kinds)[1]}});
}

TEST(KindVersionsTest, CustomResource_HasTheVersionsOfItsDefinition) {
  const Resources resources = WithCustomEvents();
  const Resource* first = resources.FindKind("example.com/v1", "Event");
  const Resource* second = resources.FindKind("example.com/v2", "Event");
  ASSERT_NE(first, nullptr);
  ASSERT_NE(second, nullptr);
  const KindVersions versions(resources, *first);
  EXPECT_EQ(versions.SchemaOf("example.com/v1"), &first->custom->merge_schema());
  EXPECT_EQ(versions.SchemaOf("example.com/v2"), &second->custom->merge_schema());
  EXPECT_EQ(versions.SchemaOf("example.com/v3"), nullptr);
  // Another kind with the same name.
  EXPECT_EQ(versions.SchemaOf("v1"), nullptr);
  EXPECT_EQ(KindVersions(resources, *resources.FindKind("v1", "Event")).SchemaOf("example.com/v1"),
            nullptr);
}

TEST(KindVersionsTest, CustomResource_IsPrunedWhenItIsConverted) {
  const Resources resources = WithCustomEvents();
  const KindVersions versions(resources, *resources.FindKind("example.com/v1", "Event"));
  const absl::StatusOr<Value> converted =
      Convert(versions,
              R"({"apiVersion":"example.com/v2","kind":"Event","metadata":{"name":"e"},)"
              R"("spec":{"color":"red","n":1}})",
              "example.com/v1");
  ASSERT_THAT(converted, IsOk());
  EXPECT_THAT(unstructured::EncodeJson(*converted),
              IsOkAndHolds(std::string(
                  R"({"apiVersion":"example.com/v1","kind":"Event","metadata":{"name":"e"},)"
                  R"("spec":{"n":1}})")));
  EXPECT_THAT(
      versions.Convert(*converted, "example.com/v3"),
      StatusIs(absl::StatusCode::kNotFound, "convert Event to example.com/v3: no such version"));
}

}  // namespace
}  // namespace kube::apiserver::internal

#include "apimachinery/scheme/encoder.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "api/apps/v1/types.kinds.kube.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kinds.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/scheme/add_to_scheme.h"
#include "apimachinery/scheme/decoder.h"
#include "apimachinery/scheme/errors.h"
#include "apimachinery/scheme/media_type.h"
#include "apimachinery/scheme/scheme.h"
#include "apimachinery/unstructured/unstructured.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::scheme {
namespace {

namespace appsv1 = ::kube::api::apps::v1;
namespace corev1 = ::kube::api::core::v1;
namespace metav1 = ::kube::api::meta::v1;

using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;
using testing::HasSubstr;
using testing::StartsWith;

constexpr absl::StatusCode kInvalid = absl::StatusCode::kInvalidArgument;

TEST(EncoderTest, Encode_GivenKind_WritesItAndKeepsTheObject) {
  metav1::DeleteOptions options;
  options.grace_period_seconds = 0;
  options.kind = "a kind that is longer than what a string has room for in itself";
  const metav1::DeleteOptions before = options;
  const schema::GroupVersionKind kind = {"a-group-of-some-length.example.com", "v1",
                                         "DeleteOptions"};
  EXPECT_THAT(
      Encode(kind, options, Format::kJson),
      IsOkAndHolds("{\"kind\":\"DeleteOptions\",\"apiVersion\":"
                   "\"a-group-of-some-length.example.com/v1\",\"gracePeriodSeconds\":0}\n"));
  EXPECT_THAT(Encode(kind, options, Format::kYaml),
              IsOkAndHolds("apiVersion: a-group-of-some-length.example.com/v1\n"
                           "gracePeriodSeconds: 0\nkind: DeleteOptions\n"));
  EXPECT_THAT(Encode({"", "v1", "X"}, metav1::GetOptions(), Format::kJson, {.pretty = true}),
              IsOkAndHolds("{\n  \"kind\": \"X\",\n  \"apiVersion\": \"v1\"\n}"));
  EXPECT_EQ(options, before);
}

TEST(EncoderTest, Encode_TypeOfSeveralVersions_TakesTheGivenOne) {
  Scheme scheme("test");
  ASSERT_THAT(AddToScheme(scheme, corev1::Kinds()), IsOk());
  ASSERT_THAT(AddToScheme(scheme, appsv1::Kinds()), IsOk());
  const metav1::GetOptions options;
  EXPECT_THAT(Encode(scheme, schema::GroupVersion{"apps", "v1"}, options, Format::kJson),
              IsOkAndHolds("{\"kind\":\"GetOptions\",\"apiVersion\":\"apps/v1\"}\n"));
  EXPECT_THAT(Encode(scheme, schema::GroupVersion{"none", "v1"}, options, Format::kJson),
              IsOkAndHolds("{\"kind\":\"GetOptions\",\"apiVersion\":\"v1\"}\n"));
  EXPECT_THAT(Encode(scheme, std::nullopt, options, Format::kJson),
              IsOkAndHolds("{\"kind\":\"GetOptions\",\"apiVersion\":\"v1\"}\n"));
  EXPECT_TRUE(
      IsNotRegistered(Encode(scheme, std::nullopt, metav1::Table(), Format::kJson).status()));
}

TEST(EncoderTest, EncodeThenDecode_EachFormat_ReturnsTheObject) {
  Scheme scheme("test");
  ASSERT_THAT(AddToScheme(scheme, appsv1::Kinds()), IsOk());
  appsv1::Deployment deployment;
  deployment.metadata.name = "web";
  deployment.metadata.labels["a-key-longer-than-fifteen"] = "a value that is in memory of its own";
  deployment.spec.replicas = 3;
  for (const Format format : {Format::kJson, Format::kYaml, Format::kProtobuf}) {
    const absl::StatusOr<std::string> body =
        Encode({"apps", "v1", "Deployment"}, deployment, format);
    ASSERT_TRUE(body.ok()) << body.status();
    absl::StatusOr<DecodedObject> decoded =
        UniversalDecoder(scheme).Decode(*body, {.content_type = MediaTypeOf(format)});
    ASSERT_TRUE(decoded.ok()) << decoded.status();
    appsv1::Deployment& again = *decoded->As<appsv1::Deployment>();
    EXPECT_EQ(again.kind, "Deployment");
    again.kind = "";
    again.api_version = "";
    EXPECT_EQ(again, deployment) << MediaTypeOf(format);
    // Typed at run time, it is the same.
    codec::AnyObject any = scheme.New({"apps", "v1", "Deployment"}).value();
    *any.As<appsv1::Deployment>() = deployment;
    EXPECT_THAT(Encode(any, format), IsOkAndHolds(*body));
  }
}

TEST(EncoderTest, Encode_Unstructured_HasNoProtobuf) {
  const unstructured::Unstructured object = {{{"kind", "Widget"}, {"apiVersion", "e.com/v1"}}};
  EXPECT_THAT(Encode(object, Format::kJson),
              IsOkAndHolds("{\"apiVersion\":\"e.com/v1\",\"kind\":\"Widget\"}\n"));
  EXPECT_THAT(Encode(object, Format::kJson, {.pretty = true}),
              IsOkAndHolds("{\n  \"apiVersion\": \"e.com/v1\",\n  \"kind\": \"Widget\"\n}"));
  EXPECT_THAT(Encode(object, Format::kYaml), IsOkAndHolds("apiVersion: e.com/v1\nkind: Widget\n"));
  EXPECT_THAT(Encode(object, Format::kProtobuf), StatusIs(kInvalid, HasSubstr("no protobuf")));
}

}  // namespace
}  // namespace kube::scheme

#include "apimachinery/unstructured/typed_cbor.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/unstructured/cbor.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::unstructured {
namespace {

namespace corev1 = api::core::v1;
using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;

corev1::Pod MakePod() {
  corev1::Pod pod = {.metadata = {.name = "web-0", .labels = {{"app", "web"}}}};
  pod.kind = "Pod";
  pod.api_version = "v1";
  pod.spec.containers.push_back({.name = "web",
                                 .image = "web:1",
                                 .ports = {{.container_port = 8080}},
                                 .resources = {.requests = {{"cpu", "100m"}, {"memory", "64Mi"}}}});
  pod.spec.priority = -5;
  return pod;
}

TEST(TypedCbor, AnObject_ComesBackAsItWas) {
  const absl::StatusOr<std::string> cbor = EncodeTypedCbor(MakePod());
  ASSERT_THAT(cbor, IsOk());
  EXPECT_TRUE(IsCbor(*cbor));
  const absl::StatusOr<corev1::Pod> pod = DecodeTypedCbor<corev1::Pod>(*cbor);
  EXPECT_THAT(pod, IsOkAndHolds(MakePod()));
}

TEST(TypedCbor, AnObject_IsThatOfItsJson) {
  corev1::ConfigMap map = {.metadata = {.name = "m"}, .data = {{"k", "v"}}};
  map.kind = "ConfigMap";
  map.api_version = "v1";
  const absl::StatusOr<Value> value = ParseJson(
      R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"m"},"data":{"k":"v"}})");
  ASSERT_THAT(value, IsOk());
  const absl::StatusOr<std::string> want = EncodeCbor(*value);
  ASSERT_THAT(want, IsOk());
  EXPECT_THAT(EncodeTypedCbor(map), IsOkAndHolds(*want));
}

TEST(TypedCbor, Bytes_OfEitherForm_AreDecoded) {
  // {"data": {"a": 22(h'6869')}}, as Go writes it, and {"data": {"a": 'aGk='}}.
  const absl::string_view of_go =
      "\xa1\x44"
      "data"
      "\xa1\x41"
      "a"
      "\xd6\x42hi";
  const absl::string_view of_ours =
      "\xa1\x44"
      "data"
      "\xa1\x41"
      "a"
      "\x44"
      "aGk=";
  for (const absl::string_view cbor : {of_go, of_ours}) {
    const absl::StatusOr<corev1::Secret> secret = DecodeTypedCbor<corev1::Secret>(cbor);
    ASSERT_THAT(secret, IsOk());
    const auto* const data = secret->data.find("a");
    ASSERT_NE(data, nullptr);
    EXPECT_EQ(data->view(), "hi");
  }
}

TEST(TypedCbor, OtherData_IsRefused) {
  EXPECT_THAT(DecodeTypedCbor<corev1::Pod>("\xff"), StatusIs(absl::StatusCode::kInvalidArgument));
  const absl::StatusOr<std::string> text = EncodeCbor(Value("text"));
  ASSERT_THAT(text, IsOk());
  EXPECT_THAT(DecodeTypedCbor<corev1::Pod>(*text), StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace kube::unstructured

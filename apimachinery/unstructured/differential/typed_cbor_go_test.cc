// Compares with Go's apimachinery what typed objects are in CBOR: each reads what the other writes.
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/unstructured/cbor.h"
#include "apimachinery/unstructured/typed_cbor.h"
#include "gtest/gtest.h"
#include "tests/oracle/go_cases.h"
#include "tests/oracle/oracle.h"

namespace kube::unstructured {
namespace {

namespace corev1 = api::core::v1;

constexpr absl::string_view kNul("\0", 1);
constexpr EncodeCborOptions kBare = {.self_described = false};

constexpr char kPod[] =
    R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"web-0","uid":"u",)"
    R"("creationTimestamp":"2026-01-02T03:04:05Z","labels":{"app":"web","b":""}},)"
    R"("spec":{"containers":[{"name":"web","image":"web:1","ports":[{"containerPort":8080}],)"
    R"("resources":{"requests":{"cpu":"100m","memory":"64Mi"}},)"
    R"("readinessProbe":{"httpGet":{"path":"/ready","port":"http"},"periodSeconds":5}}],)"
    R"("terminationGracePeriodSeconds":0,"hostNetwork":true,"priority":-5},"status":{}})";
constexpr char kMap[] =
    R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"m"},"immutable":false,)"
    R"("data":{"a":"1","bb":"2","c":"\u00e9"}})";
constexpr char kSecret[] = R"({"kind":"Secret","apiVersion":"v1","metadata":{"name":"s"},)"
                           R"("data":{"a":"aGk=","b":"","c":"AAECAw=="},"type":"Opaque"})";

template <typename T>
T Object(absl::string_view json) {
  return codec::DecodeJson<T>(json).value();
}

template <typename T>
std::string JsonOf(const T& object) {
  return codec::EncodeJson(object).value();
}

template <typename T>
void AddObject(oracle::GoCases& cases, absl::string_view kind, absl::string_view json) {
  const T object = Object<T>(json);
  const std::string cbor = EncodeTypedCbor(object, kBare).value();
  cases.Add("cbor_typed", absl::StrCat(kind, kNul, cbor), absl::BytesToHexString(JsonOf(object)));
}

TEST(TypedCborGoTest, WhatWeWrite_GoReads) {
  oracle::GoCases cases("unstructured_oracle");
  AddObject<corev1::Pod>(cases, "Pod", kPod);
  AddObject<corev1::ConfigMap>(cases, "ConfigMap", kMap);
  AddObject<corev1::Secret>(cases, "Secret", kSecret);
  cases.Check();
}

TEST(TypedCborGoTest, WhatGoWrites_WeRead) {
  const std::vector<oracle::GoQuestion> questions = {
      {.function = "cbor_struct", .text = absl::StrCat("Pod", kNul, kPod)},
      {.function = "cbor_struct", .text = absl::StrCat("ConfigMap", kNul, kMap)},
      {.function = "cbor_struct", .text = absl::StrCat("Secret", kNul, kSecret)}};
  const absl::StatusOr<std::vector<std::string>> answers =
      oracle::AskGo("unstructured_oracle", questions);
  if (oracle::PrintSkipped(answers.status())) GTEST_SKIP();
  ASSERT_TRUE(answers.ok()) << answers.status();
  std::vector<std::string> cbor;
  for (const std::string& answer : *answers) cbor.push_back(absl::HexStringToBytes(answer));
  EXPECT_EQ(JsonOf(DecodeTypedCbor<corev1::Pod>(cbor[0]).value()),
            JsonOf(Object<corev1::Pod>(kPod)));
  EXPECT_EQ(JsonOf(DecodeTypedCbor<corev1::ConfigMap>(cbor[1]).value()),
            JsonOf(Object<corev1::ConfigMap>(kMap)));
  EXPECT_EQ(JsonOf(DecodeTypedCbor<corev1::Secret>(cbor[2]).value()),
            JsonOf(Object<corev1::Secret>(kSecret)));
  // Without bytes, both write the same.
  EXPECT_EQ(cbor[1], EncodeTypedCbor(Object<corev1::ConfigMap>(kMap), kBare).value());
}

}  // namespace
}  // namespace kube::unstructured

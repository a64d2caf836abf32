#include "clientset/typed/internal/body.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.applies.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/content_type.h"
#include "apimachinery/codec/encode_protobuf.h"
#include "apimachinery/table/message.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/unstructured_list.h"
#include "gtest/gtest.h"

namespace kube::typed::internal {
namespace {

namespace corev1 = api::core::v1;
using unstructured::Unstructured;
using unstructured::UnstructuredList;

constexpr BodyKind kPod = {.api_version = "v1", .kind = "Pod"};

TEST(EncodeBody, EncodeBody_TypedObject_WritesTheKindAndKeepsTheObject) {
  corev1::Pod pod;
  // Longer than a String's inline buffer, so that its memory is allocated.
  pod.kind = "A kind of more than fifteen bytes";
  pod.api_version = "example.com/v1alpha1-and-so-on";
  pod.metadata.name = "a name of more than fifteen bytes";
  const corev1::Pod before = pod;
  const BodyKind kind = {.api_version = "long.example.com/v1beta1",
                         .kind = "CustomResourceDefinitionOfPods"};
  const auto json = EncodeBody(&pod, corev1::Pod::kMessage, kind, codec::ContentType::kJson);
  EXPECT_THAT(json, base::IsOkAndHolds(R"({"kind":"CustomResourceDefinitionOfPods",)"
                                       R"("apiVersion":"long.example.com/v1beta1","metadata":{)"
                                       R"("name":"a name of more than fifteen bytes"},)"
                                       R"("spec":{"containers":null},"status":{}})"
                                       "\n"));
  EXPECT_EQ(pod, before);
  EXPECT_EQ(pod.kind, before.kind);
  const auto protobuf =
      EncodeBody(&pod, corev1::Pod::kMessage, kPod, codec::ContentType::kProtobuf);
  EXPECT_EQ(*protobuf, *codec::EncodeKubernetesProtobuf(pod, {.api_version = "v1", .kind = "Pod"}));
}

TEST(EncodeBody, EncodeBody_ValueWithoutJson_IsInvalidArgument) {
  corev1::Pod pod;
  pod.spec.overhead = {{"cpu", "not a quantity"}};
  EXPECT_THAT(EncodeBody(&pod, corev1::Pod::kMessage, kPod, codec::ContentType::kJson).status(),
              base::StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(EncodeBody, EncodeBody_Unstructured_KeepsItsOwnKind) {
  Unstructured object;
  object.set_kind("Own");
  EXPECT_THAT(EncodeBody(&object, Unstructured::kMessage, kPod, codec::ContentType::kJson),
              base::IsOkAndHolds("{\"apiVersion\":\"v1\",\"kind\":\"Own\"}\n"));
  EXPECT_EQ(object.api_version(), "");
}

TEST(EncodeConfiguration, EncodeConfiguration_EachType_HasTheKindIfItLacksOne) {
  const corev1::PodApplyConfiguration nothing;
  const corev1::PodApplyConfiguration own = {.kind = "A kind of more than fifteen bytes",
                                             .metadata = {{.name = "a"}}};
  const corev1::Pod object = {.kind = "Own"};
  const corev1::LocalObjectReferenceApplyConfiguration part = {.name = "a"};
  Unstructured untyped;
  untyped.set_kind("Own");
  const struct {
    const char* name;
    const void* configuration;
    const kube::table::Message& message;
    const char* want;
  } kRows[] = {
      {"apply configuration without a kind", &nothing, corev1::PodApplyConfiguration::kMessage,
       R"({"kind":"Pod","apiVersion":"v1"})"},
      {"apply configuration with a kind", &own, corev1::PodApplyConfiguration::kMessage,
       R"({"kind":"A kind of more than fifteen bytes","apiVersion":"v1","metadata":{"name":"a"}})"},
      {"object", &object, corev1::Pod::kMessage,
       R"({"kind":"Own","apiVersion":"v1","metadata":{},"spec":{"containers":null},"status":{}})"},
      {"struct that has no place for a kind", &part,
       corev1::LocalObjectReferenceApplyConfiguration::kMessage,
       R"({"apiVersion":"v1","kind":"Pod","name":"a"})"},
      {"unstructured", &untyped, Unstructured::kMessage, R"({"apiVersion":"v1","kind":"Own"})"},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    EXPECT_THAT(EncodeConfiguration(row.configuration, row.message, kPod),
                base::IsOkAndHolds(row.want));
  }
  EXPECT_FALSE(nothing.kind.has_value());
  EXPECT_EQ(own.kind, "A kind of more than fifteen bytes");
}

TEST(NameOfConfiguration, NameOfConfiguration_EachType_IsTheNameInItsMetadata) {
  const corev1::PodApplyConfiguration nothing;
  const corev1::PodApplyConfiguration unnamed = {.metadata = {{}}};
  const corev1::PodApplyConfiguration named = {.metadata = {{.name = "a"}}};
  const corev1::Pod object = {.metadata = {.name = "b"}};
  const corev1::LocalObjectReferenceApplyConfiguration part = {.name = "c"};
  Unstructured untyped;
  untyped.set_name("d");
  const auto name_of = [](const auto& configuration) {
    return NameOfConfiguration(&configuration, configuration.kMessage);
  };
  EXPECT_EQ(name_of(nothing), "");
  EXPECT_EQ(name_of(unnamed), "");
  EXPECT_EQ(name_of(named), "a");
  EXPECT_EQ(name_of(object), "b");
  EXPECT_EQ(name_of(part), "");
  EXPECT_EQ(name_of(untyped), "d");
}

TEST(DecodeBody, DecodeBody_TypedObject_HasNoKind) {
  corev1::Pod pod;
  EXPECT_THAT(DecodeBody("application/json", R"({"kind":"Pod","metadata":{"name":"a"}})", kPod,
                         &pod, corev1::Pod::kMessage),
              base::IsOk());
  EXPECT_EQ(pod.kind, "");
  EXPECT_EQ(pod.metadata.name, "a");
}

TEST(WithKind, WithKind_ObjectWithKind_IsNotCopied) {
  auto object = std::make_shared<Unstructured>();
  object->set_name("a");
  const std::shared_ptr<const void> named = WithKind(object, Unstructured::kMessage, kPod);
  EXPECT_EQ(static_cast<const Unstructured*>(named.get())->kind(), "Pod");
  EXPECT_EQ(object->kind(), "");
  EXPECT_EQ(WithKind(named, Unstructured::kMessage, kPod), named);
  const auto pod = std::make_shared<corev1::Pod>();
  EXPECT_EQ(WithKind(pod, corev1::Pod::kMessage, kPod), pod);
}

TEST(WithKind, WithKind_ObjectWithVersionOnly_IsLeftAlone) {
  auto object = std::make_shared<Unstructured>();
  object->set_api_version("v2");
  EXPECT_FALSE(LacksKind(object.get(), Unstructured::kMessage));
  EXPECT_EQ(WithKind(object, Unstructured::kMessage, kPod), object);
}

TEST(SetKindOfItems, SetKindOfItems_NoKnownKind_TakesThatOfTheList) {
  const struct {
    const char* name;
    BodyKind known;
    const char* want;
  } kRows[] = {{"known", kPod, "v1 Pod"}, {"of the list", {}, "v2 Widget"}};
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    UnstructuredList list;
    list.api_version = "v2";
    list.kind = "WidgetList";
    list.items.emplace_back();
    list.items.emplace_back().set_kind("Own");
    SetKindOfItems(&list, UnstructuredList::kMessage, row.known);
    EXPECT_EQ(absl::StrCat(list.items[0].api_version(), " ", list.items[0].kind()), row.want);
    EXPECT_EQ(list.items[1].kind(), "Own");
    EXPECT_EQ(list.items[1].api_version(), "");
  }
}

TEST(WithoutKind, WithoutKind_OfOneType_IsMadeOnce) {
  EXPECT_NE(WithoutKind(corev1::Pod::kMessage), nullptr);
  EXPECT_EQ(WithoutKind(corev1::Pod::kMessage), WithoutKind(corev1::Pod::kMessage));
  EXPECT_EQ(WithoutKind(Unstructured::kMessage), nullptr);
}

}  // namespace
}  // namespace kube::typed::internal

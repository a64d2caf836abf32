#include "apimachinery/scheme/scheme.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "api/apps/v1/types.kinds.kube.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kinds.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/scheme/errors.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/unstructured/unstructured.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::scheme {
namespace {

namespace appsv1 = ::kube::api::apps::v1;
namespace corev1 = ::kube::api::core::v1;

using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;
using schema::GroupVersion;
using schema::GroupVersionKind;
using testing::ElementsAre;
using testing::HasSubstr;

KindInfo Named(const char* group, const char* version, const char* kind,
               const kube::table::Message& message) {
  return {.group = group, .version = version, .kind = kind, .message = &message};
}

Scheme Apps() {
  Scheme scheme("test");
  EXPECT_THAT(scheme.AddKinds(appsv1::Kinds()), IsOk());
  return scheme;
}

TEST(SchemeTest, New_RegisteredKind_HasItsType) {
  const Scheme scheme = Apps();
  EXPECT_THAT(scheme.ObjectKinds<appsv1::Deployment>(),
              IsOkAndHolds(ElementsAre(GroupVersionKind{"apps", "v1", "Deployment"})));
  EXPECT_TRUE(scheme.Recognizes({"apps", "v1", "DeploymentList"}));
  EXPECT_FALSE(scheme.Recognizes({"apps", "v2", "Deployment"}));

  absl::StatusOr<codec::AnyObject> object = scheme.New({"apps", "v1", "Deployment"});
  ASSERT_TRUE(object.ok()) << object.status();
  ASSERT_NE(object->As<appsv1::Deployment>(), nullptr);
  EXPECT_EQ(object->As<appsv1::StatefulSet>(), nullptr);
  object->As<appsv1::Deployment>()->spec.replicas = 3;
  EXPECT_THAT(object->EncodeJson(), IsOkAndHolds(HasSubstr("\"replicas\":3")));
  EXPECT_THAT(scheme.ObjectKinds(*object),
              IsOkAndHolds(ElementsAre(GroupVersionKind{"apps", "v1", "Deployment"})));
}

TEST(SchemeTest, New_UnknownKind_IsNotRegistered) {
  const Scheme scheme = Apps();
  const absl::Status kind = scheme.New({"", "v1", "Pod"}).status();
  EXPECT_TRUE(IsNotRegistered(kind));
  EXPECT_EQ(kind.message(), "no kind \"Pod\" is registered for version \"v1\" in scheme \"test\"");
  const absl::Status type = scheme.ObjectKinds<corev1::Pod>().status();
  EXPECT_TRUE(IsNotRegistered(type));
  EXPECT_EQ(type.message(), "no kind is registered for the type Pod in scheme \"test\"");
}

TEST(SchemeTest, UnstructuredObjectsSayTheirKind) {
  const Scheme scheme;
  unstructured::Unstructured object;
  EXPECT_TRUE(IsMissingKind(scheme.ObjectKinds(object).status()));
  object.set_kind("Widget");
  EXPECT_THAT(scheme.ObjectKinds(object),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "Object 'apiVersion' is missing in 'unstructured object has no version'"));
  object.set_api_version("e.com/v1");
  EXPECT_THAT(scheme.ObjectKinds(object),
              IsOkAndHolds(ElementsAre(GroupVersionKind{"e.com", "v1", "Widget"})));
}

TEST(SchemeTest, RegistersTwiceButNotTwoTypes) {
  Scheme scheme = Apps();
  const size_t known = scheme.AllKnownTypes().size();
  EXPECT_THAT(scheme.AddKinds(appsv1::Kinds()), IsOk());
  EXPECT_EQ(scheme.AllKnownTypes().size(), known);

  const KindInfo kinds[] = {Named("apps", "v1", "New", corev1::Pod::kMessage),
                            Named("apps", "v1", "Deployment", corev1::Pod::kMessage)};
  EXPECT_THAT(scheme.AddKinds(kinds),
              StatusIs(absl::StatusCode::kAlreadyExists,
                       "Double registration of different types for apps/v1, Kind=Deployment: "
                       "old=Deployment, new=Pod in scheme \"test\""));
  EXPECT_FALSE(scheme.Recognizes({"apps", "v1", "New"}));
  const KindInfo unversioned = Named("apps", "", "Pod", corev1::Pod::kMessage);
  EXPECT_THAT(scheme.AddKinds(absl::MakeConstSpan(&unversioned, 1)),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("version is required")));
}

TEST(SchemeTest, ATypeMayHaveSeveralNames) {
  Scheme scheme = Apps();
  const KindInfo& deployment = *scheme.Find({"apps", "v1", "Deployment"});
  ASSERT_THAT(scheme.AddKnownTypeWithName({"shop.example.com", "v2", "Web"}, deployment), IsOk());
  const Scheme moved = std::move(scheme);
  EXPECT_THAT(moved.ObjectKinds<appsv1::Deployment>(),
              IsOkAndHolds(ElementsAre(GroupVersionKind{"apps", "v1", "Deployment"},
                                       GroupVersionKind{"shop.example.com", "v2", "Web"})));
  const absl::StatusOr<codec::AnyObject> object = moved.New({"shop.example.com", "v2", "Web"});
  ASSERT_TRUE(object.ok());
  EXPECT_EQ(object->kind().group, "shop.example.com");
  EXPECT_EQ(object->kind().version, "v2");
  EXPECT_EQ(object->kind().kind, "Web");
  EXPECT_EQ(object->kind().plural, "deployments");
}

TEST(SchemeTest, UnversionedKindsAreInEveryVersion) {
  Scheme scheme = Apps();
  const KindInfo pod = Named("", "v1", "Pod", corev1::Pod::kMessage);
  ASSERT_THAT(scheme.AddUnversionedKinds(absl::MakeConstSpan(&pod, 1)), IsOk());
  EXPECT_THAT(scheme.New({"any.example.com", "v7", "Pod"}), IsOk());
  EXPECT_FALSE(scheme.Recognizes({"any.example.com", "v7", "Pod"}));
  EXPECT_TRUE(scheme.IsUnversioned<corev1::Pod>());
  EXPECT_FALSE(scheme.IsUnversioned<appsv1::Deployment>());

  const KindInfo other = Named("", "v2", "Pod", corev1::Node::kMessage);
  EXPECT_THAT(scheme.AddUnversionedKinds(absl::MakeConstSpan(&other, 1)),
              StatusIs(absl::StatusCode::kAlreadyExists, HasSubstr("must be unique")));
}

TEST(SchemeTest, KnownTypes_OfAVersion_AreItsKinds) {
  Scheme scheme = Apps();
  ASSERT_THAT(scheme.AddKinds(corev1::Kinds()), IsOk());
  const auto apps = scheme.KnownTypes({"apps", "v1"});
  EXPECT_EQ(apps.size(), appsv1::Kinds().size());
  EXPECT_EQ(apps.at("Deployment")->plural, "deployments");
  EXPECT_EQ(scheme.AllKnownTypes().size(), appsv1::Kinds().size() + corev1::Kinds().size());
  EXPECT_TRUE(scheme.KnownTypes({"apps", "v2"}).empty());
}

TEST(SchemeTest, Versions) {
  Scheme scheme("test");
  for (const char* version : {"v1alpha1", "v1", "v1beta1"}) {
    ASSERT_THAT(scheme.AddKnownTypeWithName({"b", version, "Pod"}, corev1::Kinds()[0]), IsOk());
  }
  ASSERT_THAT(scheme.AddKnownTypeWithName({"a", "v1", "Pod"}, corev1::Kinds()[0]), IsOk());
  ASSERT_THAT(scheme.AddKnownTypeWithName({"a", "__internal", "Pod"}, corev1::Kinds()[0]), IsOk());
  EXPECT_THAT(scheme.PrioritizedVersionsForGroup("b"),
              ElementsAre(GroupVersion{"b", "v1alpha1"}, GroupVersion{"b", "v1"},
                          GroupVersion{"b", "v1beta1"}));
  EXPECT_THAT(scheme.PreferredVersionAllGroups(),
              ElementsAre(GroupVersion{"b", "v1alpha1"}, GroupVersion{"a", "v1"}));

  ASSERT_THAT(scheme.SetVersionPriority({{"b", "v2"}, {"b", "v1"}}), IsOk());
  EXPECT_THAT(
      scheme.PrioritizedVersionsAllGroups(),
      ElementsAre(GroupVersion{"b", "v2"}, GroupVersion{"b", "v1"}, GroupVersion{"b", "v1alpha1"},
                  GroupVersion{"b", "v1beta1"}, GroupVersion{"a", "v1"}));
  EXPECT_THAT(scheme.PreferredVersionAllGroups(),
              ElementsAre(GroupVersion{"b", "v2"}, GroupVersion{"a", "v1"}));
  EXPECT_THAT(scheme.VersionsForGroupKind({"b", "Pod"}),
              ElementsAre(GroupVersion{"b", "v1"}, GroupVersion{"b", "v1alpha1"},
                          GroupVersion{"b", "v1beta1"}));
  EXPECT_TRUE(scheme.IsVersionRegistered({"b", "v1"}));
  EXPECT_FALSE(scheme.IsVersionRegistered({"b", "v2"}));
  EXPECT_FALSE(scheme.IsVersionRegistered({"a", "__internal"}));
  EXPECT_TRUE(scheme.IsGroupRegistered("a"));
  EXPECT_FALSE(scheme.IsGroupRegistered(""));

  EXPECT_THAT(scheme.SetVersionPriority({{"a", "v1"}, {"b", "v1"}}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "must register versions for exactly one group: a, b"));
  EXPECT_THAT(scheme.SetVersionPriority({}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "must register versions for exactly one group: "));
  EXPECT_THAT(scheme.SetVersionPriority({{"a", "__internal"}}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "internal versions cannot be prioritized: a/__internal"));
}

TEST(SchemeTest, Default_LastFunctionOfTheType_IsCalled) {
  Scheme scheme = Apps();
  scheme.AddTypeDefaultingFunc<appsv1::Deployment>(
      [](appsv1::Deployment& deployment) { deployment.spec.replicas = 7; });
  scheme.AddTypeDefaultingFunc<appsv1::Deployment>([](appsv1::Deployment& deployment) {
    if (!deployment.spec.replicas.has_value()) deployment.spec.replicas = 1;
  });
  appsv1::Deployment deployment;
  scheme.Default(deployment);
  EXPECT_EQ(deployment.spec.replicas, 1);
  codec::AnyObject object = scheme.New({"apps", "v1", "Deployment"}).value();
  scheme.Default(object);
  EXPECT_EQ(object.As<appsv1::Deployment>()->spec.replicas, 1);
  appsv1::StatefulSet other;
  scheme.Default(other);
  EXPECT_EQ(other, appsv1::StatefulSet());
}

TEST(SchemeTest, ConvertFieldLabel_UnknownLabel_NeedsAConversionFunction) {
  Scheme scheme = Apps();
  const GroupVersionKind kind = {"apps", "v1", "Deployment"};
  EXPECT_THAT(scheme.ConvertFieldLabel(kind, "metadata.name", "web"),
              IsOkAndHolds(FieldLabel{"metadata.name", "web"}));
  EXPECT_THAT(scheme.ConvertFieldLabel(kind, "metadata.namespace", ""),
              IsOkAndHolds(FieldLabel{"metadata.namespace", ""}));
  EXPECT_THAT(scheme.ConvertFieldLabel(kind, "spec.x", "1"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "\"spec.x\" is not a known field selector: only \"metadata.name\", "
                       "\"metadata.namespace\""));
  scheme.AddFieldLabelConversionFunc(kind, [](absl::string_view label, absl::string_view value) {
    return absl::StatusOr<FieldLabel>(FieldLabel{std::string(label) + "!", std::string(value)});
  });
  EXPECT_THAT(scheme.ConvertFieldLabel(kind, "spec.x", "1"),
              IsOkAndHolds(FieldLabel{"spec.x!", "1"}));
}

}  // namespace
}  // namespace kube::scheme

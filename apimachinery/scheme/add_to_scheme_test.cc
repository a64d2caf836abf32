#include "apimachinery/scheme/add_to_scheme.h"

#include <vector>

#include "absl/status/statusor.h"
#include "api/apps/v1/types.kinds.kube.h"
#include "api/core/v1/types.kinds.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/scheme/scheme.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::scheme {
namespace {

namespace appsv1 = ::kube::api::apps::v1;
namespace corev1 = ::kube::api::core::v1;
namespace metav1 = ::kube::api::meta::v1;

using base::IsOk;
using base::IsOkAndHolds;
using schema::GroupVersionKind;
using testing::ElementsAre;

TEST(AddToSchemeTest, AddToScheme_EachVersion_HasOptionsAndWatchEvent) {
  Scheme scheme("test");
  ASSERT_THAT(AddToScheme(scheme, api::apps::v1::Kinds()), IsOk());
  ASSERT_THAT(AddToScheme(scheme, api::core::v1::Kinds()), IsOk());
  EXPECT_THAT(scheme.ObjectKinds<metav1::DeleteOptions>(),
              IsOkAndHolds(ElementsAre(GroupVersionKind{"apps", "v1", "DeleteOptions"},
                                       GroupVersionKind{"", "v1", "DeleteOptions"})));
  EXPECT_THAT(scheme.ObjectKinds<metav1::WatchEvent>(),
              IsOkAndHolds(ElementsAre(GroupVersionKind{"apps", "v1", "WatchEvent"},
                                       GroupVersionKind{"", "v1", "WatchEvent"})));
  const absl::StatusOr<codec::AnyObject> options = scheme.New({"apps", "v1", "DeleteOptions"});
  ASSERT_TRUE(options.ok());
  EXPECT_NE(options->As<metav1::DeleteOptions>(), nullptr);
  EXPECT_EQ(options->kind().group, "apps");
}

TEST(AddToSchemeTest, AddToScheme_Status_IsUnversioned) {
  Scheme scheme("test");
  ASSERT_THAT(AddToScheme(scheme, api::apps::v1::Kinds()), IsOk());
  EXPECT_TRUE(scheme.IsUnversioned<metav1::Status>());
  EXPECT_THAT(scheme.ObjectKinds<metav1::Status>(),
              IsOkAndHolds(ElementsAre(GroupVersionKind{"", "v1", "Status"})));
  EXPECT_THAT(scheme.New({"apps", "v1", "Status"}), IsOk());
}

TEST(AddToSchemeTest, AddMetaToScheme_Table_IsKnownOnlyThen) {
  Scheme scheme("test");
  ASSERT_THAT(AddToScheme(scheme, api::apps::v1::Kinds()), IsOk());
  EXPECT_FALSE(scheme.Recognizes({"meta.k8s.io", "v1", "Table"}));
  ASSERT_THAT(AddMetaToScheme(scheme), IsOk());
  EXPECT_TRUE(scheme.Recognizes({"meta.k8s.io", "v1", "Table"}));
  EXPECT_TRUE(scheme.Recognizes({"meta.k8s.io", "v1", "PartialObjectMetadataList"}));
}

// The example of scheme.h, too.
absl::StatusOr<std::vector<GroupVersionKind>> KindsOfADeployment() {
  Scheme scheme("my-controller");
  KUBE_RETURN_IF_ERROR(AddToScheme(scheme, appsv1::Kinds()));
  KUBE_RETURN_IF_ERROR(AddToScheme(scheme, corev1::Kinds()));
  KUBE_ASSIGN_OR_RETURN(const codec::AnyObject object, scheme.New({"apps", "v1", "Deployment"}));
  return scheme.ObjectKinds(object);
}

TEST(AddToSchemeTest, ASchemeKnowsItsKinds_AsInTheHeader) {
  EXPECT_THAT(KindsOfADeployment(),
              IsOkAndHolds(ElementsAre(GroupVersionKind{"apps", "v1", "Deployment"})));
}

}  // namespace
}  // namespace kube::scheme

// typed::ResourceTraits as code generation writes it: of kinds of one's own, whose clients and
// informers are both included, of built-in kinds by their clients alone (apps/v1), and by their
// informers alone (core/v1).

#include <type_traits>

#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/unstructured/unstructured.h"
#include "clientset/kubernetes/apps/v1/client.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/resource_traits.h"
#include "gtest/gtest.h"
#include "informers/kubernetes/core/v1/informers.h"
#include "tests/kube_library/idl/orchard.client.kube.h"
#include "tests/kube_library/idl/orchard.informers.kube.h"
#include "tests/kube_library/idl/orchard.kube.h"

namespace kube {
namespace {

namespace appsv1 = api::apps::v1;
namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;
namespace orchardv1 = tests::orchard::v1;
using typed::ResourceKind;
using typed::ResourceTraits;
using typed::StatusOf;

static_assert(ResourceKind<orchardv1::Tree>);
static_assert(ResourceKind<orchardv1::k1_36::Tree>);
static_assert(ResourceKind<orchardv1::OldTree>);
static_assert(ResourceKind<orchardv1::Resource>);
static_assert(!ResourceKind<orchardv1::HarvestReview>);
static_assert(!ResourceKind<orchardv1::TreeList>);
static_assert(!ResourceKind<orchardv1::TreeStatus>);
static_assert(ResourceKind<appsv1::Deployment>);
static_assert(ResourceKind<corev1::Pod>);
static_assert(ResourceKind<corev1::ComponentStatus>);
static_assert(!ResourceKind<corev1::Binding>);
static_assert(!ResourceKind<unstructured::Unstructured>);
static_assert(!ResourceKind<metav1::PartialObjectMetadata>);

static_assert(std::is_same_v<ResourceTraits<orchardv1::Tree>::List, orchardv1::TreeList>);
static_assert(std::is_same_v<ResourceTraits<orchardv1::OldTree>::List, orchardv1::OldTreeList>);
static_assert(std::is_same_v<ResourceTraits<orchardv1::Resource>::List, orchardv1::ResourceList>);
static_assert(std::is_same_v<ResourceTraits<appsv1::Deployment>::List, appsv1::DeploymentList>);
static_assert(std::is_same_v<ResourceTraits<corev1::Endpoints>::List, corev1::EndpointsList>);

static_assert(ResourceTraits<orchardv1::Tree>::kHasStatus);
static_assert(!ResourceTraits<orchardv1::OldTree>::kHasStatus);
static_assert(!ResourceTraits<orchardv1::Resource>::kHasStatus);
static_assert(ResourceTraits<appsv1::Deployment>::kHasStatus);
static_assert(ResourceTraits<corev1::Node>::kHasStatus);
static_assert(!ResourceTraits<corev1::ConfigMap>::kHasStatus);

static_assert(ResourceTraits<orchardv1::Tree>::kHasGeneration);
static_assert(ResourceTraits<orchardv1::OldTree>::kHasGeneration);
static_assert(ResourceTraits<orchardv1::Resource>::kHasGeneration);
static_assert(ResourceTraits<appsv1::Deployment>::kHasGeneration);
static_assert(!ResourceTraits<appsv1::ControllerRevision>::kHasGeneration);
static_assert(ResourceTraits<corev1::Pod>::kHasGeneration);
static_assert(!ResourceTraits<corev1::Node>::kHasGeneration);
static_assert(!ResourceTraits<corev1::ConfigMap>::kHasGeneration);

static_assert(ResourceTraits<orchardv1::Tree>::kResource.namespaced);
static_assert(!ResourceTraits<orchardv1::Resource>::kResource.namespaced);
static_assert(!ResourceTraits<orchardv1::Tree>::kResource.built_in);
static_assert(ResourceTraits<corev1::Pod>::kResource.namespaced);
static_assert(!ResourceTraits<corev1::Node>::kResource.namespaced);
static_assert(ResourceTraits<corev1::Node>::kResource.built_in);

static_assert(std::is_same_v<StatusOf<orchardv1::Tree>, orchardv1::TreeStatus>);
static_assert(std::is_same_v<StatusOf<orchardv1::OldTree>, orchardv1::TreeStatus>);
static_assert(std::is_same_v<StatusOf<corev1::Pod>, corev1::PodStatus>);

TEST(Traits, NameTheResource) {
  const typed::Resource& trees = ResourceTraits<orchardv1::Tree>::kResource;
  EXPECT_EQ(trees.group, "orchard.example.com");
  EXPECT_EQ(trees.version, "v1");
  EXPECT_EQ(trees.plural, "trees");
  EXPECT_EQ(trees.kind, "Tree");
  EXPECT_EQ(typed::KindOf<corev1::Pod>().ToString(), "/v1, Kind=Pod");
  EXPECT_EQ(typed::GroupVersionResourceOf<appsv1::Deployment>().ToString(),
            "apps/v1, Resource=deployments");
}

TEST(Traits, VersionsOfAKindDiffer) {
  EXPECT_EQ(typed::KindOf<orchardv1::Tree>().ToString(), "orchard.example.com/v1, Kind=Tree");
  EXPECT_EQ(typed::KindOf<orchardv1::OldTree>().ToString(),
            "orchard.example.com/v1alpha1, Kind=Tree");
  EXPECT_EQ(typed::GroupVersionResourceOf<orchardv1::OldTree>().ToString(),
            "orchard.example.com/v1alpha1, Resource=trees");
}

TEST(Traits, ClientsUseTheSameConstant) {
  EXPECT_EQ(&orchardv1::TreeClient::kResource, &ResourceTraits<orchardv1::Tree>::kResource);
  EXPECT_EQ(&appsv1::DeploymentClient::kResource, &ResourceTraits<appsv1::Deployment>::kResource);
  EXPECT_EQ(orchardv1::HarvestReviewClient::kResource.plural, "harvestreviews");
}

}  // namespace
}  // namespace kube

#include "controller/triggers/enqueue_owner.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/meta/object_name.h"
#include "apimachinery/unstructured/unstructured.h"
#include "clientset/kubernetes/apps/v1/client.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/typed/resource.h"
#include "controller/triggers/trigger.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::controller {
namespace {

namespace appsv1 = api::apps::v1;
namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;
using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::IsEmpty;
using unstructured::Unstructured;

template <typename K>
std::vector<std::string> KeysOf(const Trigger<K>& trigger, absl::string_view json) {
  std::vector<std::string> keys;
  for (const meta::ObjectName& name : trigger.keys_of(*codec::DecodeJson<K>(json))) {
    keys.push_back(name.ToString());
  }
  return keys;
}

// Returns a pod of the namespace "prod" with these owner references.
std::string OwnedBy(absl::string_view references) {
  return absl::StrCat(R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"web",)",
                      R"("namespace":"prod","ownerReferences":[)", references, "]}}");
}

constexpr char kController[] =
    R"({"apiVersion":"apps/v1","kind":"Deployment","name":"shop","uid":"1","controller":true})";
constexpr char kOtherVersion[] =
    R"({"apiVersion":"apps/v2","kind":"Deployment","name":"shop","uid":"1","controller":true})";
constexpr char kOtherGroup[] =
    R"({"apiVersion":"a.io/v1","kind":"Deployment","name":"shop","uid":"1","controller":true})";
constexpr char kOtherKind[] =
    R"({"apiVersion":"apps/v1","kind":"StatefulSet","name":"db","uid":"2","controller":true})";
constexpr char kOwner[] = R"({"apiVersion":"apps/v1","kind":"Deployment","name":"blog","uid":"3"})";
constexpr char kMalformed[] =
    R"({"apiVersion":"a/b/c","kind":"Deployment","name":"wiki","uid":"4"})";
constexpr char kNameless[] = R"({"apiVersion":"apps/v1","kind":"Deployment","name":"","uid":"5"})";

struct Row {
  const char* name;
  std::string references;
  std::vector<std::string> controller;
  std::vector<std::string> every;
};

std::vector<Row> Rows() {
  return {
      {"none", "", {}, {}},
      {"its controller", kController, {"prod/shop"}, {"prod/shop"}},
      {"another version", kOtherVersion, {"prod/shop"}, {"prod/shop"}},
      {"another group", kOtherGroup, {}, {}},
      {"another kind", kOtherKind, {}, {}},
      {"an owner that does not control it", kOwner, {}, {"prod/blog"}},
      {"several",
       absl::StrCat(kOwner, ",", kController),
       {"prod/shop"},
       {"prod/blog", "prod/shop"}},
      // Upstream does not look at what is behind a malformed reference.
      {"behind malformed ones",
       absl::StrCat(kMalformed, ",", kNameless, ",", kController, ",", kOwner),
       {"prod/shop"},
       {"prod/shop", "prod/blog"}},
  };
}

template <typename K>
void TestRows() {
  const Trigger<K> controller = EnqueueOwner<appsv1::Deployment, K>();
  const Trigger<K> every = EnqueueOwner<appsv1::Deployment, K>({.every_owner = true});
  const Trigger<K> dynamic = EnqueueOwner<K>(
      typed::Resource{
          .group = "apps", .version = "v1", .plural = "deployments", .kind = "Deployment"},
      {.every_owner = true});
  for (const Row& row : Rows()) {
    SCOPED_TRACE(row.name);
    const std::string object = OwnedBy(row.references);
    EXPECT_THAT(KeysOf(controller, object), ElementsAreArray(row.controller));
    EXPECT_THAT(KeysOf(every, object), ElementsAreArray(row.every));
    EXPECT_THAT(KeysOf(dynamic, object), ElementsAreArray(row.every));
  }
}

// behaviour.md: HND-2, HND-3, HND-6
TEST(EnqueueOwnerTest, TypedMetadataOrUnstructured_FindsOwnersOfTheKind) {
  TestRows<corev1::Pod>();
  TestRows<metav1::PartialObjectMetadata>();
  TestRows<Unstructured>();
}

TEST(EnqueueOwnerTest, TheExampleOfTheHeader_FindsTheController) {
  const auto trigger = EnqueueOwner<appsv1::Deployment, corev1::Pod>();
  EXPECT_THAT(KeysOf(trigger, OwnedBy(kController)), ElementsAre("prod/shop"));
}

// behaviour.md: HND-4
TEST(EnqueueOwnerTest, ClusterScopedOwner_HasNoNamespace) {
  constexpr char kNode[] =
      R"({"apiVersion":"v1","kind":"Node","name":"node-1","uid":"1","controller":true})";
  EXPECT_THAT(KeysOf(EnqueueOwner<corev1::Node, corev1::Pod>(), OwnedBy(kNode)),
              ElementsAre("node-1"));
  EXPECT_THAT(
      KeysOf(EnqueueOwner<corev1::Node, corev1::Pod>({.every_owner = true}), OwnedBy(kNode)),
      ElementsAre("node-1"));
  // Of a group like the core group, which has no name.
  EXPECT_THAT(KeysOf(EnqueueOwner<corev1::Pod>(typed::Resource{.group = "",
                                                               .version = "v1",
                                                               .plural = "nodes",
                                                               .kind = "Node",
                                                               .namespaced = false}),
                     OwnedBy(kNode)),
              ElementsAre("node-1"));
}

// A server does not make such references work either: the garbage collector takes the owner for
// absent.
// behaviour.md: HND-4
TEST(EnqueueOwnerTest, NamespacedOwnerOfAClusterScopedObject_IsSkipped) {
  const std::string node =
      absl::StrCat(R"({"metadata":{"name":"node-1","ownerReferences":[)", kController, "]}}");
  EXPECT_THAT(KeysOf(EnqueueOwner<appsv1::Deployment, corev1::Node>(), node), IsEmpty());
  EXPECT_THAT(KeysOf(EnqueueOwner<appsv1::Deployment, corev1::Node>({.every_owner = true}), node),
              IsEmpty());
}

// behaviour.md: HND-6
TEST(EnqueueOwnerTest, MalformedMetadata_EnqueuesNothing) {
  for (const char* json :
       {R"({"metadata":"text"})", R"({"metadata":{"namespace":"a","ownerReferences":{}}})",
        R"({"metadata":{"namespace":"a","ownerReferences":["a"]}})"}) {
    EXPECT_THAT(KeysOf(EnqueueOwner<appsv1::Deployment, Unstructured>({.every_owner = true}), json),
                IsEmpty());
  }
}

}  // namespace
}  // namespace kube::controller

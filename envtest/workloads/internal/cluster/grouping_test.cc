#include "envtest/workloads/internal/cluster/grouping.h"

#include <memory>
#include <string>

#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/no_destructor.h"
#include "apimachinery/meta/owner_reference.h"
#include "envtest/workloads/internal/cluster/pods.h"
#include "gtest/gtest.h"

namespace kube::envtest::internal {
namespace {

namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;

std::shared_ptr<corev1::Pod> PodOf(absl::string_view space, absl::string_view name,
                                   absl::string_view controller = "") {
  auto pod = std::make_shared<corev1::Pod>();
  pod->metadata.namespace_ = space;
  pod->metadata.name = name;
  if (controller.empty()) return pod;
  metav1::ObjectMeta owner;
  owner.uid = controller;
  pod->metadata.owner_references.push_back(
      meta::NewControllerRef(owner, {.group = "apps", .version = "v1", .kind = "ReplicaSet"}));
  return pod;
}

std::string Names(const Objects<corev1::Pod>& pods) {
  std::string names;
  for (const auto& each : pods) names += std::string(each->metadata.name);
  return names;
}

const Objects<corev1::Pod>& Pods() {
  static base::NoDestructor<Objects<corev1::Pod>> kPods(Objects<corev1::Pod>{
      PodOf("x", "a", "u"), PodOf("y", "b", "v"), PodOf("x", "c"), PodOf("y", "d", "u")});
  return *kPods;
}

TEST(ByNamespace, ObjectsOfTwoNamespaces_AreApart) {
  const auto groups = ByNamespace(Pods());
  EXPECT_EQ(groups.size(), 2u);
  EXPECT_EQ(Names(Of(groups, "x")), "ac");
  EXPECT_EQ(Names(Of(groups, "y")), "bd");
  EXPECT_EQ(Names(Of(groups, "z")), "");
}

TEST(ByController, ObjectsWithoutController_AreInNoGroup) {
  const auto groups = ByController(Pods());
  EXPECT_EQ(groups.size(), 2u);
  EXPECT_EQ(Names(Of(groups, "u")), "ad");
  EXPECT_EQ(Names(Of(groups, "v")), "b");
}

}  // namespace
}  // namespace kube::envtest::internal

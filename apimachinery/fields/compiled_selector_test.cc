#include "apimachinery/fields/compiled_selector.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/fields/selector.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::fields {
namespace {

using base::IsOkAndHolds;
using base::StatusIs;

namespace corev1 = api::core::v1;

corev1::Pod MakePod() {
  corev1::Pod pod;
  pod.metadata.name = "web-0";
  pod.metadata.namespace_ = "a-namespace-of-many-letters";
  pod.metadata.generation = 7;
  pod.spec.node_name = "node-1";
  pod.spec.host_network = true;
  pod.spec.priority = -5;
  pod.spec.security_context = corev1::PodSecurityContext{.run_as_non_root = false};
  pod.status.phase = "Running";
  return pod;
}

template <typename T>
bool Matches(const T& object, const std::string& text) {
  const auto compiled = CompiledSelector::Make<T>(ParseSelector(text).value());
  EXPECT_TRUE(compiled.ok()) << text << ": " << compiled.status();
  return compiled.ok() && compiled->Matches(object);
}

TEST(CompiledSelector, Matches_FieldsOfAPod_ComparesTheirText) {
  const corev1::Pod pod = MakePod();
  for (const char* text : {
           "",
           "metadata.name=web-0",
           "metadata.name!=web-1",
           "metadata.namespace=a-namespace-of-many-letters",
           "spec.nodeName=node-1,status.phase=Running,status.phase!=Failed",
           "spec.hostNetwork=true",
           "spec.hostNetwork!=True",
           "spec.hostPID=false",
           "metadata.generation=7",
           "metadata.generation!=07",
           "metadata.generation!=+7",
           "spec.priority=-5",
           "spec.securityContext.runAsNonRoot=false",
           "spec.terminationGracePeriodSeconds=",
           "spec.terminationGracePeriodSeconds!=0",
           "status.podIP=",
       }) {
    EXPECT_TRUE(Matches(pod, text)) << text;
  }
  for (const char* text : {"metadata.name=web", "metadata.name!=web-0", "spec.hostNetwork=",
                           "spec.hostNetwork=1", "metadata.generation=", "spec.priority=5",
                           "status.phase=Running,metadata.name=x", "status.podIP=1.2.3.4"}) {
    EXPECT_FALSE(Matches(pod, text)) << text;
  }
}

absl::StatusOr<bool> IsOnNode(const corev1::Pod& pod, const Selector& selector) {
  KUBE_ASSIGN_OR_RETURN(const CompiledSelector on_node,
                        CompiledSelector::Make<corev1::Pod>(selector));
  return on_node.Matches(pod);
}

TEST(CompiledSelector, SelectsPodsOfANode_AsInTheHeader) {
  EXPECT_THAT(IsOnNode(MakePod(), *ParseSelector("spec.nodeName=node-1")), IsOkAndHolds(true));
  EXPECT_THAT(IsOnNode(MakePod(), *ParseSelector("spec.nodeName=node-2")), IsOkAndHolds(false));
  EXPECT_THAT(IsOnNode(MakePod(), *ParseSelector("spec.nod=node-1")),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(CompiledSelector, Matches_AbsentField_IsTheEmptyText) {
  const corev1::Pod pod;
  EXPECT_TRUE(Matches(pod, "spec.securityContext.runAsNonRoot="));
  EXPECT_TRUE(Matches(pod, "spec.securityContext.runAsNonRoot!=false"));
  EXPECT_FALSE(Matches(pod, "spec.securityContext.runAsNonRoot=false"));
}

TEST(CompiledSelector, Matches_OtherKinds_ComparesTheirFields) {
  corev1::Event event;
  event.involved_object.name = "web-0";
  EXPECT_TRUE(Matches(event, "involvedObject.name=web-0,source.component="));
  corev1::Node node;
  EXPECT_TRUE(Matches(node, "spec.unschedulable=false"));
  corev1::Secret secret;
  secret.type = "Opaque";
  EXPECT_TRUE(Matches(secret, "type=Opaque"));
}

TEST(CompiledSelector, Make_UnsupportedField_IsInvalidArgument) {
  for (const char* field :
       {"", "metadata", "metadata.", ".metadata", "metadata.name.x", "metadata.labels",
        "metadata.labels.app", "metadata.labels[app]", "spec.containers.name", "spec.nodename",
        "metadata.creationTimestamp", "spec.affinity", "spec.nodeName ", "spec.priority.x"}) {
    EXPECT_THAT(CompiledSelector::Make<corev1::Pod>(OneTermEqualSelector(field, "x")).status(),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         absl::StrCat("field label not supported: ", field)))
        << field;
  }
}

TEST(CompiledSelector, Make_EverythingOrNothing_MatchesAllOrNone) {
  const corev1::Pod pod = MakePod();
  EXPECT_TRUE(CompiledSelector::Make<corev1::Pod>(Everything())->Matches(pod));
  EXPECT_FALSE(CompiledSelector::Make<corev1::Pod>(Nothing())->Matches(pod));
}

}  // namespace
}  // namespace kube::fields

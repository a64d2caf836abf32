// The snippets about predicates and triggers of docs/controllers.md, in functions that the tests
// call.

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/labels/selector.h"
#include "apimachinery/meta/object_name.h"
#include "clientset/kubernetes/apps/v1/client.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "controller/predicates/predicate.h"
#include "controller/predicates/predicates.h"
#include "controller/triggers/enqueue_owner.h"
#include "controller/triggers/trigger.h"
#include "controller/workqueue/queue.h"
#include "gtest/gtest.h"
#include "informers/event_handler.h"

namespace kube::controller {
namespace {

namespace appsv1 = api::apps::v1;
namespace corev1 = api::core::v1;

Predicate<appsv1::Deployment> PredicateOf(const labels::Selector& selector) {
  // All changes but those of the status, and of these objects alone.
  const auto wanted =
      And(SpecOrMetadataChanged<appsv1::Deployment>(), Selected<appsv1::Deployment>(selector));
  // Also when one becomes ready.
  return Or(wanted, FieldChanged<appsv1::Deployment>("status.readyReplicas"));
}

Trigger<corev1::Pod> TriggerOfNodes() {
  return EnqueueMapped<corev1::Pod>([](const corev1::Pod& pod) {
    std::vector<meta::ObjectName> nodes;
    if (!pod.spec.node_name.empty()) nodes.push_back({.name = std::string(pod.spec.node_name)});
    return nodes;
  });
}

informers::EventHandler<corev1::Pod> PodHandler(workqueue::Queue<meta::ObjectName>& queue) {
  return HandlerFor(EnqueueOwner<appsv1::ReplicaSet, corev1::Pod>(),
                    SpecOrMetadataChanged<corev1::Pod>(),
                    [&queue](const meta::ObjectName& name, int16_t priority, const TriggerEvent&) {
                      queue.Add(name, {.priority = priority});
                    });
}

TEST(PredicatesTriggersGuide, ThePredicate_PassesWhatTheCommentsSay) {
  const auto before = std::make_shared<const appsv1::Deployment>();
  appsv1::Deployment ready;
  ready.status.ready_replicas = 1;
  appsv1::Deployment unready;
  unready.status.unavailable_replicas = 1;
  const auto predicate = PredicateOf(labels::Everything());
  using Update = informers::UpdateEvent<appsv1::Deployment>;
  EXPECT_TRUE(predicate.Passes(
      Update{.old_object = before, .object = std::make_shared<const appsv1::Deployment>(ready)}));
  EXPECT_FALSE(predicate.Passes(
      Update{.old_object = before, .object = std::make_shared<const appsv1::Deployment>(unready)}));
}

TEST(PredicatesTriggersGuide, TheTrigger_NamesTheNode) {
  corev1::Pod pod;
  const Trigger<corev1::Pod> trigger = TriggerOfNodes();
  EXPECT_TRUE(trigger.keys_of(pod).empty());
  pod.spec.node_name = "node-1";
  ASSERT_EQ(trigger.keys_of(pod).size(), 1u);
  EXPECT_EQ(trigger.keys_of(pod)[0].ToString(), "node-1");
}

TEST(PredicatesTriggersGuide, TheHandler_EnqueuesTheReplicaSet) {
  workqueue::Queue<meta::ObjectName> queue;
  corev1::Pod pod;
  pod.metadata.namespace_ = "prod";
  pod.metadata.owner_references = {
      {.api_version = "apps/v1", .kind = "ReplicaSet", .name = "web", .controller = true}};
  PodHandler(queue).on_add({.object = std::make_shared<const corev1::Pod>(std::move(pod))});
  ASSERT_EQ(queue.length(), 1u);
  EXPECT_EQ(queue.Get(Context())->text(), "prod/web");
}

}  // namespace
}  // namespace kube::controller

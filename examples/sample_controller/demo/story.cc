#include "examples/sample_controller/demo/story.h"

#include <functional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "clientset/kubernetes/clientset.h"
#include "examples/sample_controller/demo/screen.h"
#include "examples/sample_controller/foo.informers.kube.h"
#include "examples/sample_controller/foo.kube.h"
#include "informers/kubernetes/apps/v1/informers.h"
#include "informers/kubernetes/core/v1/informers.h"
#include "informers/shared_informer.h"

namespace samplecontroller {
namespace {

namespace appsv1 = kube::api::apps::v1;
namespace corev1 = kube::api::core::v1;
using FooInformers = v1alpha1::SamplecontrollerV1alpha1Informers;
using v1alpha1::Foo;

constexpr char kFoo[] = "example-foo";
constexpr char kOtherFoo[] = "other-foo";
constexpr char kDeployment[] = "web";
constexpr char kForeign[] = "somebody-elses";

// ---- the visible state of objects

std::string Describe(const Foo& foo) {
  return absl::StrCat("replicas: ", foo.spec.replicas.value_or(1),
                      ", status.availableReplicas: ", foo.status.available_replicas);
}

std::string Describe(const appsv1::Deployment& deployment) {
  return absl::StrCat(deployment.status.available_replicas, " of ",
                      deployment.spec.replicas.value_or(1), " available");
}

std::string Describe(const appsv1::ReplicaSet& replica_set) {
  return absl::StrCat(replica_set.status.ready_replicas, " of ",
                      replica_set.spec.replicas.value_or(1), " ready");
}

bool IsReady(const corev1::Pod& pod) {
  for (const corev1::PodCondition& condition : pod.status.conditions) {
    if (condition.type == "Ready") return condition.status == "True";
  }
  return false;
}

std::string Describe(const corev1::Pod& pod) {
  if (pod.metadata.deletion_timestamp.has_value()) return "Terminating";
  return absl::StrCat(pod.status.phase.view(), IsReady(pod) ? ", ready" : "");
}

std::string Describe(const corev1::Event& event) {
  return absl::StrCat(event.type.view(), " ", event.reason.view(), ": ", event.message.view());
}

template <typename T>
absl::Status ShowAll(kube::informers::SharedInformer<T>& informer, Screen& screen,
                     const char* kind) {
  const auto show = [&screen, kind](const auto& event) {
    screen.Show(kind, event.object->metadata.name.view(), Describe(*event.object));
  };
  const auto gone = [&screen, kind](const auto& event) {
    screen.Show(kind, event.object->metadata.name.view(), "gone");
  };
  return informer.AddEventHandler({.on_add = show, .on_update = show, .on_delete = gone}).status();
}

// Shows only events of Foos, under the name of the Foo, since the name of an event is a number.
absl::Status ShowEvents(kube::informers::SharedInformer<corev1::Event>& informer, Screen& screen) {
  const auto show = [&screen](const auto& event) {
    const corev1::ObjectReference& about = event.object->involved_object;
    if (about.kind == "Foo") screen.Show("Event", about.name.view(), Describe(*event.object));
  };
  return informer.AddEventHandler({.on_add = show, .on_update = show}).status();
}

}  // namespace

Story::Story(const kube::kubernetes::Clientset& client, std::string namespace_name, Screen& screen)
    : namespace_name_(std::move(namespace_name)),
      deployments_(client.AppsV1().Deployments(namespace_name_)),
      foos_(client.client(), namespace_name_),
      screen_(screen),
      factory_(client, {.namespace_name = namespace_name_}) {}

absl::Status Story::Watch(const kube::Context& ctx) {
  const auto apps = factory_.Apps().V1();
  const auto core = factory_.Core().V1();
  KUBE_RETURN_IF_ERROR(ShowAll(FooInformers(factory_).Foos().Informer(), screen_, "Foo"));
  KUBE_RETURN_IF_ERROR(ShowAll(apps.Deployments().Informer(), screen_, "Deployment"));
  KUBE_RETURN_IF_ERROR(ShowAll(apps.ReplicaSets().Informer(), screen_, "ReplicaSet"));
  KUBE_RETURN_IF_ERROR(ShowAll(core.Pods().Informer(), screen_, "Pod"));
  KUBE_RETURN_IF_ERROR(ShowEvents(core.Events().Informer(), screen_));
  KUBE_RETURN_IF_ERROR(factory_.Start(ctx));
  return factory_.WaitForCacheSync(ctx, {.fail_fast = true});
}

absl::Status Story::Await(const kube::Context& ctx, absl::string_view what,
                          const std::function<bool()>& reached) {
  return kube::base::Annotate(screen_.Await(kube::WithTimeout(ctx, absl::Minutes(1)), reached),
                              absl::StrCat("wait for ", what));
}

bool Story::HasPods(int count) {
  const auto foo = FooInformers(factory_).Foos().Lister().Namespace(namespace_name_).Get(kFoo);
  int ready = 0;
  int all = 0;
  for (const corev1::Pod& pod : factory_.Core().V1().Pods().Lister().List()) {
    const kube::String* owner = pod.metadata.labels.find("controller");
    if (owner == nullptr || *owner != kFoo) continue;
    ++all;
    if (IsReady(pod)) ++ready;
  }
  return foo.ok() && (*foo)->status.available_replicas == count && ready == count && all == count;
}

absl::Status Story::CreateFoo(const kube::Context& ctx, absl::string_view name,
                              absl::string_view deployment, int replicas) {
  return foos_
      .Create(ctx, {.metadata = {.name = name},
                    .spec = {.deployment_name = deployment, .replicas = replicas}})
      .status();
}

absl::Status Story::Tell(const kube::Context& ctx) {
  screen_.Step("1. A Foo that wants a Deployment of 2 replicas:");
  KUBE_RETURN_IF_ERROR(CreateFoo(ctx, kFoo, kDeployment, 2));
  KUBE_RETURN_IF_ERROR(Await(ctx, "2 pods", [this] { return HasPods(2); }));

  screen_.Step("2. The Foo wants 3:");
  const auto three = [](Foo& foo) {
    foo.spec.replicas = 3;
    return absl::OkStatus();
  };
  KUBE_RETURN_IF_ERROR(foos_.Edit(ctx, kFoo, three));
  KUBE_RETURN_IF_ERROR(Await(ctx, "3 pods", [this] { return HasPods(3); }));

  screen_.Step("3. Somebody deletes the Deployment. The controller makes another one:");
  KUBE_ASSIGN_OR_RETURN(const appsv1::Deployment old, deployments_.Get(ctx, kDeployment));
  KUBE_RETURN_IF_ERROR(deployments_.Delete(ctx, kDeployment, {.propagation_policy = "Background"}));
  const auto deployments = factory_.Apps().V1().Deployments().Lister().Namespace(namespace_name_);
  KUBE_RETURN_IF_ERROR(Await(ctx, "another deployment", [&] {
    const auto found = deployments.Get(kDeployment);
    return found.ok() && (*found)->metadata.uid != old.metadata.uid &&
           (*found)->status.available_replicas == 3 && HasPods(3);
  }));
  return MakeFooOfForeignDeployment(ctx);
}

absl::Status Story::MakeFooOfForeignDeployment(const kube::Context& ctx) {
  screen_.Step("4. Another Foo names a Deployment that is not its own. It is told so by an event:");
  const kube::Map<kube::String> labels = {{"app", kForeign}};
  appsv1::Deployment foreign = {.metadata = {.name = kForeign}};
  foreign.spec.replicas = 0;
  foreign.spec.selector = {{.match_labels = labels}};
  foreign.spec.template_.metadata.labels = labels;
  foreign.spec.template_.spec.containers = {{.name = "web", .image = "nginx:latest"}};
  KUBE_RETURN_IF_ERROR(deployments_.Create(ctx, foreign));
  const auto lister = factory_.Apps().V1().Deployments().Lister().Namespace(namespace_name_);
  KUBE_RETURN_IF_ERROR(Await(ctx, "the deployment", [&] { return lister.Get(kForeign).ok(); }));
  KUBE_RETURN_IF_ERROR(CreateFoo(ctx, kOtherFoo, kForeign, 1));
  const auto events = factory_.Core().V1().Events().Lister();
  return Await(ctx, "the event", [&] {
    for (const corev1::Event& event : events.List()) {
      if (event.reason == "ErrResourceExists") return true;
    }
    return false;
  });
}

absl::Status Story::End(const kube::Context& ctx) {
  screen_.Step("5. The Foos are deleted, and what they own goes with them:");
  KUBE_RETURN_IF_ERROR(foos_.Delete(ctx, kOtherFoo));
  KUBE_RETURN_IF_ERROR(foos_.Delete(ctx, kFoo));
  const auto deployments = factory_.Apps().V1().Deployments().Lister().Namespace(namespace_name_);
  const auto pods = factory_.Core().V1().Pods().Lister();
  const auto foos = FooInformers(factory_).Foos().Lister();
  return Await(ctx, "the end of all", [&] {
    return foos.List().empty() && pods.List().empty() && !deployments.Get(kDeployment).ok();
  });
}

}  // namespace samplecontroller

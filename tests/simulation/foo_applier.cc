#include "tests/simulation/foo_applier.h"

#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "api/apps/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/meta/object_name.h"
#include "apimachinery/meta/owner_reference.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/value.h"
#include "clientset/kubernetes/apps/v1/client.h"
#include "clientset/kubernetes/clientset.h"
#include "controller/enqueue.h"
#include "controller/events/record/event_recorder.h"
#include "controller/workqueue/queue.h"
#include "controller/workqueue/run_workers.h"
#include "examples/sample_controller/foo.client.kube.h"
#include "examples/sample_controller/foo.informers.kube.h"
#include "examples/sample_controller/foo.kube.h"
#include "informers/kubernetes/apps/v1/informers.h"
#include "informers/kubernetes/shared_informer_factory.h"
#include "listers/lister.h"

namespace kube::simulation {

namespace appsv1 = api::apps::v1;
namespace metav1 = api::meta::v1;
using samplecontroller::v1alpha1::Foo;
using samplecontroller::v1alpha1::FooClient;
using unstructured::Unstructured;
using unstructured::Value;

namespace {

const schema::GroupVersionKind kFoo = {
    .group = "samplecontroller.k8s.io", .version = "v1alpha1", .kind = "Foo"};

samplecontroller::v1alpha1::FooInformer Foos(kubernetes::SharedInformerFactory& factory) {
  return samplecontroller::v1alpha1::SamplecontrollerV1alpha1Informers(factory).Foos();
}

class FooApplier {
 public:
  // `recorder` must outlive it.
  FooApplier(const kubernetes::Clientset& client, record::EventRecorder& recorder)
      : client_(client),
        recorder_(recorder),
        queue_({.name = "Foos"}),
        factory_(client),
        foos_(Foos(factory_).Lister()),
        deployments_(factory_.Apps().V1().Deployments().Lister()) {}

  absl::Status Run(const Context& ctx, int workers) {
    KUBE_RETURN_IF_ERROR(
        Foos(factory_).Informer().AddEventHandler(controller::EnqueueHandler<Foo>(queue_)));
    KUBE_RETURN_IF_ERROR(factory_.Apps().V1().Deployments().Informer().AddEventHandler(
        controller::EnqueueControllerHandler<appsv1::Deployment>(queue_, kFoo)));
    KUBE_RETURN_IF_ERROR(factory_.Start(ctx));
    KUBE_RETURN_IF_ERROR(factory_.WaitForCacheSync(ctx, {.fail_fast = true}));
    return workqueue::RunWorkers(
        ctx, workers, queue_,
        [this](const Context& work, const meta::ObjectName& name) { return Sync(work, name); },
        {.name = kApplier});
  }

 private:
  absl::Status Sync(const Context& ctx, const meta::ObjectName& name) {
    const auto foo = foos_.Namespace(name.namespace_name).Get(name.name);
    if (!foo.ok() || (*foo)->metadata.deletion_timestamp.has_value()) return absl::OkStatus();
    const auto deployment =
        deployments_.Namespace(name.namespace_name).Get((*foo)->spec.deployment_name);
    if (deployment.ok() && !meta::IsControlledBy((*deployment)->metadata, (*foo)->metadata)) {
      const std::string message = absl::StrCat("Resource \"", (*deployment)->metadata.name.view(),
                                               "\" already exists and is not managed by Foo");
      recorder_.Event(**foo, record::kEventTypeWarning, "ErrResourceExists", message);
      return absl::AlreadyExistsError(message);
    }
    const int32_t available = deployment.ok() ? (*deployment)->status.available_replicas : 0;
    KUBE_RETURN_IF_ERROR(Apply(ctx, **foo, available));
    recorder_.Event(**foo, record::kEventTypeNormal, "Synced", "Foo synced successfully");
    return absl::OkStatus();
  }

  absl::Status Apply(const Context& ctx, const Foo& foo, int32_t available) const {
    const metav1::ApplyOptions by_force = {.force = true, .field_manager = kApplier};
    KUBE_RETURN_IF_ERROR(FooClient(client_.client(), foo.metadata.namespace_)
                             .ApplyStatus(ctx, DesiredStatus(foo, available), by_force));
    return client_.AppsV1()
        .Deployments(foo.metadata.namespace_)
        .Apply(ctx, DesiredDeployment(foo), by_force)
        .status();
  }

  const kubernetes::Clientset client_;
  record::EventRecorder& recorder_;
  workqueue::Queue<meta::ObjectName> queue_;
  // Declared after the queue, so that its handlers, which use the queue, are stopped first.
  kubernetes::SharedInformerFactory factory_;
  const listers::Lister<Foo> foos_;
  const listers::Lister<appsv1::Deployment> deployments_;
};

}  // namespace

Unstructured DesiredDeployment(const Foo& foo) {
  const Map<Value> labels = {{"app", "nginx"},
                             {"controller", foo.metadata.name.view()},
                             {kFooUidLabel, foo.metadata.uid.view()}};
  const Map<Value> container = {{"name", "nginx"}, {"image", "nginx:latest"}};
  Map<Value> pod = {{"metadata", Map<Value>{{"labels", labels}}},
                    {"spec", Map<Value>{{"containers", List<Value>{Value(container)}}}}};
  Map<Value> spec = {{"selector", Map<Value>{{"matchLabels", labels}}},
                     {"template", std::move(pod)}};
  if (foo.spec.replicas.has_value()) spec["replicas"] = *foo.spec.replicas;
  Unstructured deployment;
  deployment.set_name(foo.spec.deployment_name.view());
  deployment.set_namespace(foo.metadata.namespace_.view());
  // An empty map would be a field of its own, which the controller would own.
  if (!foo.metadata.labels.empty()) deployment.set_labels(foo.metadata.labels);
  deployment.set_owner_references({meta::NewControllerRef(foo.metadata, kFoo)});
  deployment.object["spec"] = std::move(spec);
  return deployment;
}

Unstructured DesiredStatus(const Foo& foo, int32_t available_replicas) {
  Unstructured status;
  status.set_name(foo.metadata.name.view());
  status.set_namespace(foo.metadata.namespace_.view());
  status.set_resource_version(foo.metadata.resource_version.view());
  status.object["status"] = Map<Value>{{"availableReplicas", available_replicas}};
  return status;
}

absl::Status RunFooApplier(const Context& ctx, const kubernetes::Clientset& client,
                           record::EventRecorder& recorder) {
  FooApplier applier(client, recorder);
  return applier.Run(ctx, /*workers=*/2);
}

}  // namespace kube::simulation

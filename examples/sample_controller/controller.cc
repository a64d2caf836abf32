#include "examples/sample_controller/controller.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/status.h"
#include "apimachinery/meta/owner_reference.h"
#include "apimachinery/schema/group_version.h"
#include "clientset/kubernetes/apps/v1/client.h"
#include "controller/enqueue.h"
#include "controller/workqueue/rate_limiter.h"
#include "controller/workqueue/run_workers.h"
#include "examples/sample_controller/foo.client.kube.h"
#include "examples/sample_controller/foo.informers.kube.h"
#include "informers/kubernetes/apps/v1/informers.h"

namespace samplecontroller {
namespace {

namespace appsv1 = kube::api::apps::v1;
namespace workqueue = kube::workqueue;
using kube::Context;
using kube::controller::EnqueueControllerHandler;
using kube::controller::EnqueueHandler;
using kube::meta::ObjectName;
using v1alpha1::Foo;

const kube::schema::GroupVersionKind kFoo = {
    .group = "samplecontroller.k8s.io", .version = "v1alpha1", .kind = "Foo"};

// The factory for Kubernetes' kinds also makes the informer for Foos.
v1alpha1::FooInformer Foos(kube::kubernetes::SharedInformerFactory& factory) {
  return v1alpha1::SamplecontrollerV1alpha1Informers(factory).Foos();
}

// Returns the Deployment that a Foo asks for, with an owner reference to the Foo.
appsv1::Deployment NewDeployment(const Foo& foo) {
  const kube::Map<kube::String> labels = {{"app", "nginx"}, {"controller", foo.metadata.name}};
  return {.metadata = {.name = foo.spec.deployment_name,
                       .namespace_ = foo.metadata.namespace_,
                       .owner_references = {kube::meta::NewControllerRef(foo.metadata, kFoo)}},
          .spec = {
              .replicas = foo.spec.replicas,
              .selector = {{.match_labels = labels}},
              .template_ = {.metadata = {.labels = labels},
                            .spec = {.containers = {{.name = "nginx", .image = "nginx:latest"}}}}}};
}

}  // namespace

Controller::Controller(const kube::kubernetes::Clientset& client,
                       kube::record::EventRecorder& recorder,
                       std::shared_ptr<kube::base::MetricsProvider> metrics)
    : client_(client),
      recorder_(recorder),
      queue_(
          {.name = "Foos",
           .metrics = metrics,
           // A Foo from 5 ms to 1000 s, all of them 50 a second after the first 300.
           .rate_limiter = workqueue::MaxOfRateLimiter({workqueue::ExponentialFailureRateLimiter(),
                                                        workqueue::BucketRateLimiter(50, 300)})}),
      factory_(client, {.metrics = metrics, .metrics_name = kName}),
      foos_(Foos(factory_).Lister()),
      deployments_(factory_.Apps().V1().Deployments().Lister()) {}

absl::Status Controller::Run(const Context& ctx, int workers) {
  KUBE_RETURN_IF_ERROR(Foos(factory_).Informer().AddEventHandler(EnqueueHandler<Foo>(queue_)));
  // Changes of a Deployment enqueue the Foo that owns it.
  KUBE_RETURN_IF_ERROR(factory_.Apps().V1().Deployments().Informer().AddEventHandler(
      EnqueueControllerHandler<appsv1::Deployment>(queue_, kFoo)));
  KUBE_RETURN_IF_ERROR(factory_.Start(ctx));
  KUBE_RETURN_IF_ERROR(factory_.WaitForCacheSync(ctx, {.fail_fast = true}));
  return workqueue::RunWorkers(ctx, workers, queue_,
                               [this](auto& work, auto& name) { return Sync(work, name); },
                               {.name = kName});
}

// Updates a Foo's status, and then its Deployment.
absl::Status Controller::Sync(const Context& ctx, const ObjectName& name) {
  const auto foo = foos_.Namespace(name.namespace_name).Get(name.name);
  // The Foo and its Deployment are deleted or being deleted.
  if (!foo.ok() || (*foo)->metadata.deletion_timestamp.has_value()) return absl::OkStatus();
  if ((*foo)->spec.deployment_name.empty()) {
    kube::log::Error({}, "deployment name missing", {{"foo", name.ToString()}});
    return absl::OkStatus();  // a retry would not help: only a change of the Foo does
  }
  const auto deployment =
      deployments_.Namespace(name.namespace_name).Get((*foo)->spec.deployment_name);
  if (deployment.ok() && !kube::meta::IsControlledBy((*deployment)->metadata, (*foo)->metadata)) {
    const std::string message = absl::StrCat("Resource \"", (*deployment)->metadata.name.view(),
                                             "\" already exists and is not managed by Foo");
    recorder_.Event(**foo, kube::record::kEventTypeWarning, "ErrResourceExists", message);
    return absl::AlreadyExistsError(message);
  }
  // The status is written first: if the server accepts it, this Foo still exists. The cache may
  // lag, and a Deployment of a deleted Foo would be garbage-collected and created again and again.
  Foo updated = **foo;
  updated.status.available_replicas =
      deployment.ok() ? (*deployment)->status.available_replicas : 0;
  KUBE_RETURN_IF_ERROR(v1alpha1::FooClient(client_.client(), name.namespace_name)
                           .UpdateStatus(ctx, updated, {.field_manager = kName}));
  KUBE_RETURN_IF_ERROR(SyncDeployment(ctx, **foo, deployment.ok() ? deployment->get() : nullptr));
  recorder_.Event(**foo, kube::record::kEventTypeNormal, "Synced", "Foo synced successfully");
  kube::log::Info("synced", {{"foo", name.ToString()}});
  return absl::OkStatus();
}

absl::Status Controller::SyncDeployment(const Context& ctx, const Foo& foo,
                                        const appsv1::Deployment* cached) {
  const auto client = client_.AppsV1().Deployments(foo.metadata.namespace_);
  if (cached == nullptr) {
    return client.Create(ctx, NewDeployment(foo), {.field_manager = kName}).status();
  }
  if (!foo.spec.replicas.has_value() || foo.spec.replicas == cached->spec.replicas) {
    return absl::OkStatus();
  }
  appsv1::Deployment deployment = *cached;
  deployment.spec.replicas = foo.spec.replicas;
  return client.Update(ctx, deployment, {.field_manager = kName})
      .status();  // ABORTED if it has changed
}

}  // namespace samplecontroller

#include "examples/sample_controller/controller.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/log.h"
#include "apimachinery/base/status.h"
#include "apimachinery/meta/owner_reference.h"
#include "apimachinery/schema/group_version.h"
#include "clientset/kubernetes/apps/v1/client.h"
#include "controller/handlers/enqueue.h"
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

// The factory of Kubernetes' informers makes those of Foos, too.
v1alpha1::FooInformer Foos(kube::kubernetes::SharedInformerFactory& factory) {
  return v1alpha1::SamplecontrollerV1alpha1Informers(factory).Foos();
}

// The Deployment that a Foo asks for. Its owner reference leads from it back to the Foo.
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
  // A Deployment matters to the Foo that owns it.
  KUBE_RETURN_IF_ERROR(factory_.Apps().V1().Deployments().Informer().AddEventHandler(
      EnqueueControllerHandler<appsv1::Deployment>(queue_, kFoo)));
  KUBE_RETURN_IF_ERROR(factory_.Start(ctx));
  KUBE_RETURN_IF_ERROR(factory_.WaitForCacheSync(ctx, {.fail_fast = true}));
  kube::log::Info("starting workers", {{"count", workers}});
  return workqueue::RunWorkers(ctx, workers, queue_,
                               [this](auto& work, auto& name) { return Sync(work, name); });
}

// Brings a Foo's Deployment, and then its status, to where they should be.
absl::Status Controller::Sync(const Context& ctx, const ObjectName& name) {
  const auto foo = foos_.Namespace(name.namespace_).Get(name.name);
  if (!foo.ok()) return absl::OkStatus();  // it is gone, and so will be its Deployment
  if ((*foo)->spec.deployment_name.empty()) {
    kube::log::Error({}, "deployment name missing", {{"foo", name.ToString()}});
    return absl::OkStatus();  // trying again would not help: it waits for the Foo's next change
  }
  KUBE_ASSIGN_OR_RETURN(const appsv1::Deployment deployment, SyncDeployment(ctx, **foo));
  Foo updated = **foo;
  updated.status.available_replicas = deployment.status.available_replicas;
  KUBE_RETURN_IF_ERROR(v1alpha1::FooClient(client_.client(), name.namespace_)
                           .UpdateStatus(ctx, updated, {.field_manager = kName}));
  recorder_.Event(**foo, kube::record::kEventTypeNormal, "Synced", "Foo synced successfully");
  kube::log::Info("synced", {{"foo", name.ToString()}});
  return absl::OkStatus();
}

absl::StatusOr<appsv1::Deployment> Controller::SyncDeployment(const Context& ctx, const Foo& foo) {
  const auto client = client_.AppsV1().Deployments(foo.metadata.namespace_);
  const auto cached = deployments_.Namespace(foo.metadata.namespace_).Get(foo.spec.deployment_name);
  if (!cached.ok()) {
    // The cache may lag. For a Foo that is gone it would be collected, and made again, and so on.
    const v1alpha1::FooClient foos(client_.client(), foo.metadata.namespace_);
    KUBE_ASSIGN_OR_RETURN(const Foo now, foos.Get(ctx, foo.metadata.name));
    if (now.metadata.deletion_timestamp.has_value()) return absl::AbortedError("being deleted");
    return client.Create(ctx, NewDeployment(now), {.field_manager = kName});
  }
  appsv1::Deployment deployment = **cached;
  if (!kube::meta::IsControlledBy(deployment.metadata, foo.metadata)) {
    const std::string message = absl::StrCat("Resource \"", deployment.metadata.name.view(),
                                             "\" already exists and is not managed by Foo");
    recorder_.Event(foo, kube::record::kEventTypeWarning, "ErrResourceExists", message);
    return absl::AlreadyExistsError(message);
  }
  if (foo.spec.replicas.has_value() && foo.spec.replicas != deployment.spec.replicas) {
    deployment.spec.replicas = foo.spec.replicas;
    return client.Update(ctx, deployment, {.field_manager = kName});  // a conflict: it has changed
  }
  return deployment;
}

}  // namespace samplecontroller

#include "benchmarks/sample_controller/cluster.h"

#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/apps/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/meta/owner_reference.h"
#include "apimachinery/unstructured/nested.h"
#include "apimachinery/unstructured/unstructured.h"
#include "clientset/dynamic/dynamic_client.h"
#include "clientset/kubernetes/apps/v1/client.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "envtest/control_plane.h"
#include "envtest/crds.h"
#include "envtest/environment.h"
#include "envtest/workloads/workloads.h"
#include "examples/sample_controller/foo.client.kube.h"
#include "examples/sample_controller/foo.kube.h"
#include "informers/dynamic_shared_informer_factory.h"
#include "informers/event_handler.h"
#include "informers/kubernetes/apps/v1/informers.h"
#include "informers/kubernetes/shared_informer_factory.h"

namespace kube::benchmarks {
namespace {

namespace appsv1 = kube::api::apps::v1;
using samplecontroller::v1alpha1::Foo;
using samplecontroller::v1alpha1::FooClient;
using unstructured::Unstructured;

constexpr char kNamespace[] = "foos";
constexpr int kWriters = 4;

base::MonotonicTime Now() { return base::Runtime::Real().Now(); }

// A set of names that remembers when it became large enough. Thread-safe.
class Names {
 public:
  explicit Names(size_t enough) : enough_(enough) {}

  void Add(absl::string_view name) ABSL_LOCKS_EXCLUDED(mutex_) {
    base::MutexLock lock(mutex_);
    names_.emplace(name);
    if (names_.size() < enough_ || reached_.IsSet()) return;
    when_ = Now();
    reached_.Set();
  }

  // Blocks until there are enough names, and returns when that was.
  absl::StatusOr<base::MonotonicTime> Await(const Context& ctx) ABSL_LOCKS_EXCLUDED(mutex_) {
    const absl::Status status = reached_.Wait(ctx);
    base::MutexLock lock(mutex_);
    KUBE_RETURN_IF_ERROR(status, absl::StrFormat("%d of %d", names_.size(), enough_));
    return when_;
  }

 private:
  const size_t enough_;
  base::Mutex mutex_;
  std::set<std::string> names_ ABSL_GUARDED_BY(mutex_);
  base::MonotonicTime when_ ABSL_GUARDED_BY(mutex_);
  base::Event reached_;
};

// Returns whether a controller has written the status. The type does not distinguish absent from
// zero.
bool HasStatus(const Unstructured& foo) {
  const auto field = unstructured::NestedField(foo.object, {"status", "availableReplicas"});
  return field.ok() && *field != nullptr;
}

bool IsOfAFoo(const appsv1::Deployment& deployment) {
  const auto* owner = meta::GetControllerOf(deployment.metadata);
  return owner != nullptr && owner->kind == "Foo";
}

}  // namespace

absl::StatusOr<std::unique_ptr<Cluster>> Cluster::Start(const Context& ctx, bool embedded,
                                                        const std::string& crds) {
  std::unique_ptr<envtest::Environment> environment;
  if (embedded) {
    KUBE_ASSIGN_OR_RETURN(environment, envtest::EmbeddedEnvironment::Start());
  } else {
    KUBE_ASSIGN_OR_RETURN(environment,
                          envtest::ControlPlane::Start(ctx, {.controller_manager = true}));
  }
  KUBE_ASSIGN_OR_RETURN(kubernetes::Clientset client,
                        kubernetes::Clientset::Make(environment->Config()));
  auto cluster = std::make_unique<Cluster>(std::move(environment), std::move(client));
  if (embedded) {
    KUBE_ASSIGN_OR_RETURN(cluster->workloads_,
                          envtest::Workloads::Start(cluster->environment_->Config()));
  }
  KUBE_RETURN_IF_ERROR(
      envtest::InstallCrds(ctx, cluster->client_.client(), {.paths = {crds}}).status());
  KUBE_RETURN_IF_ERROR(cluster->client_.CoreV1()
                           .Namespaces()
                           .Create(ctx, {.metadata = {.name = kNamespace}})
                           .status());
  KUBE_RETURN_IF_ERROR(cluster->AwaitDeploymentController(ctx));
  return cluster;
}

// Waits for the controller, which becomes active some seconds after the server, so that this does
// not happen during a measurement.
absl::Status Cluster::AwaitDeploymentController(const Context& ctx) const {
  const auto deployments = client_.AppsV1().Deployments("default");
  const Map<String> labels = {{"app", "warm-up"}};
  const appsv1::Deployment warm_up = {
      .metadata = {.name = "warm-up"},
      .spec = {.replicas = 0,
               .selector = {{.match_labels = labels}},
               .template_ = {.metadata = {.labels = labels},
                             .spec = {.containers = {{.name = "main", .image = "main"}}}}}};
  KUBE_RETURN_IF_ERROR(deployments.Create(ctx, warm_up).status());
  return base::PollUntil(ctx, absl::Milliseconds(50), base::FirstPoll::kAtOnce,
                         [&](const Context& polling) -> absl::StatusOr<bool> {
                           KUBE_ASSIGN_OR_RETURN(const appsv1::Deployment deployment,
                                                 deployments.Get(polling, "warm-up"));
                           return deployment.status.observed_generation > 0;
                         });
}

absl::Status Cluster::CreateFoos(const Context& ctx, int foos) const {
  base::ThreadGroup writers(ctx);
  for (int writer = 0; writer < kWriters; ++writer) {
    writers.Go("writer", [this, writer, foos](const Context& writing) -> absl::Status {
      const FooClient client(client_.client(), kNamespace);
      for (int i = writer; i < foos; i += kWriters) {
        const std::string name = absl::StrFormat("foo-%04d", i);
        const Foo foo = {.metadata = {.name = name},
                         .spec = {.deployment_name = name, .replicas = 1}};
        KUBE_RETURN_IF_ERROR(client.Create(writing, foo).status());
      }
      return absl::OkStatus();
    });
  }
  return writers.Wait();
}

absl::StatusOr<Convergence> Cluster::Converge(const Context& ctx, int foos) {
  Names deployments(static_cast<size_t>(foos));
  Names statuses(static_cast<size_t>(foos));
  // Declared after the names, so that they end first.
  informers::DynamicSharedInformerFactory dynamic(dynamic::DynamicClient(client_.client()),
                                                  {.namespace_name = kNamespace});
  kubernetes::SharedInformerFactory typed(client_, {.namespace_name = kNamespace});
  KUBE_RETURN_IF_ERROR(
      dynamic
          .ForResource(
              {.group = "samplecontroller.k8s.io", .version = "v1alpha1", .resource = "foos"})
          .AddEventHandler({.on_update =
                                [&](const informers::UpdateEvent<Unstructured>& event) {
                                  if (HasStatus(*event.object)) statuses.Add(event.object->name());
                                }})
          .status());
  KUBE_RETURN_IF_ERROR(
      typed.Apps()
          .V1()
          .Deployments()
          .Informer()
          .AddEventHandler({.on_add =
                                [&](const informers::AddEvent<appsv1::Deployment>& event) {
                                  if (IsOfAFoo(*event.object))
                                    deployments.Add(event.object->metadata.name.view());
                                }})
          .status());
  KUBE_RETURN_IF_ERROR(dynamic.Start(ctx));
  KUBE_RETURN_IF_ERROR(typed.Start(ctx));
  KUBE_RETURN_IF_ERROR(dynamic.WaitForCacheSync(ctx, {.fail_fast = true}));
  KUBE_RETURN_IF_ERROR(typed.WaitForCacheSync(ctx, {.fail_fast = true}));

  const base::MonotonicTime start = Now();
  KUBE_RETURN_IF_ERROR(CreateFoos(ctx, foos), "create Foos");
  const base::MonotonicTime created = Now();
  KUBE_ASSIGN_OR_RETURN(const auto deployed, deployments.Await(ctx), "await Deployments");
  KUBE_ASSIGN_OR_RETURN(const auto written, statuses.Await(ctx), "await statuses");
  return Convergence{
      .created = created - start, .deployments = deployed - start, .statuses = written - start};
}

}  // namespace kube::benchmarks

#include "tests/simulation/foo_writer.h"

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "api/apps/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/random.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/meta/owner_reference.h"
#include "apimachinery/unstructured/unstructured.h"
#include "clientset/kubernetes/apps/v1/client.h"
#include "examples/sample_controller/foo.client.kube.h"
#include "examples/sample_controller/foo.kube.h"
#include "tests/simulation/foo_cluster.h"

namespace kube::simulation {

namespace appsv1 = api::apps::v1;
using samplecontroller::v1alpha1::Foo;

bool Chance(double probability) { return base::UniformDouble() < probability; }

absl::Duration UpTo(absl::Duration most) { return most * base::UniformDouble(); }

namespace {

int32_t AnySize() { return static_cast<int32_t>(base::UniformInt(1, 4)); }

// Returns usually one of the Foo's own two names, or else one that other Foos use too.
std::string AnyDeploymentName(const std::string& foo) {
  if (Chance(0.15)) return absl::StrCat("shared-", base::UniformInt(0, 2));
  return absl::StrCat(foo, Chance(0.3) ? "-b" : "-a");
}

api::meta::v1::DeleteOptions AnyDeletion() {
  api::meta::v1::DeleteOptions options;
  options.propagation_policy = Chance(0.3) ? "Foreground" : "Background";
  return options;
}

// Returns what the controller would create, but without an owner.
appsv1::Deployment Foreigner(const Foo& like) {
  const Map<String> labels = {{"app", "nginx"}, {"controller", like.metadata.name}};
  return {.metadata = {.name = like.spec.deployment_name},
          .spec = {.replicas = AnySize(),
                   .selector = {{.match_labels = labels}},
                   .template_ = {
                       .metadata = {.labels = labels},
                       .spec = {.containers = {{.name = "nginx", .image = "nginx:foreign"}}}}}};
}

class Writer {
 public:
  Writer(const FooCluster& cluster, std::string namespace_name, std::string foo,
         const WriterOptions& options)
      : foos_(cluster.foos(namespace_name)),
        deployments_(cluster.deployments(namespace_name)),
        name_(std::move(foo)),
        options_(options) {}

  // Errors are ignored: CheckHistory judges the result.
  void Act(const Context& ctx) const {
    const absl::StatusOr<Foo> foo = foos_.Get(ctx, name_);
    if (foo.ok()) return Change(ctx, *foo);
    if (!errors::IsNotFound(foo.status())) return;
    Foo made = {.metadata = {.name = name_}, .spec = {.deployment_name = AnyDeploymentName(name_)}};
    if (Chance(0.9)) made.spec.replicas = AnySize();
    foos_.Create(ctx, made).IgnoreError();
  }

 private:
  void Change(const Context& ctx, const Foo& foo) const {
    const std::string deployment(foo.spec.deployment_name.view());
    if (options_.labels && Chance(0.3)) return ChangeFields(ctx, deployment);
    switch (base::UniformInt(0, 12)) {
      case 0:
      case 1:
        return foos_.Delete(ctx, name_, AnyDeletion()).IgnoreError();
      case 2:
        Edit(ctx, [this](Foo& changed) {
          changed.spec.deployment_name = AnyDeploymentName(name_);
          return absl::OkStatus();
        });
        return;
      case 3:
        return deployments_.Delete(ctx, deployment, AnyDeletion()).IgnoreError();
      case 4:
        return Scale(ctx, deployment);
      case 5:
        deployments_.Create(ctx, Foreigner(foo)).IgnoreError();
        return;
      case 6:
      case 7:
        // A cache that is behind still shows the controller's own Deployment.
        deployments_.Delete(ctx, deployment).IgnoreError();
        deployments_.Create(ctx, Foreigner(foo)).IgnoreError();
        [[fallthrough]];
      default:
        Edit(ctx, [](Foo& changed) {
          changed.spec.replicas = AnySize();
          return absl::OkStatus();
        });
    }
  }

  // Changes what only matters to a controller that applies.
  void ChangeFields(const Context& ctx, const std::string& deployment) const {
    switch (base::UniformInt(0, 6)) {
      case 0:
        Edit(ctx, [](Foo& changed) {
          changed.spec.replicas.reset();
          return absl::OkStatus();
        });
        return;
      case 1:
      case 2:
        return Label(ctx, deployment);
      default:
        return ChangeLabel(ctx);
    }
  }

  void ChangeLabel(const Context& ctx) const {
    const std::string key = Chance(0.5) ? "team" : "tier";
    const std::string value = absl::StrCat("v", base::UniformInt(0, 3));
    const bool removes = Chance(0.4);
    Edit(ctx, [&](Foo& changed) {
      if (removes) {
        changed.metadata.labels.erase(key);
      } else {
        changed.metadata.labels[key] = value;
      }
      return absl::OkStatus();
    });
  }

  void Label(const Context& ctx, const std::string& deployment) const {
    const absl::StatusOr<appsv1::Deployment> found = deployments_.Get(ctx, deployment);
    if (!found.ok() || meta::GetControllerOf(found->metadata) == nullptr) return;
    unstructured::Unstructured configuration;
    configuration.set_name(deployment);
    // A foreign one may have taken its place.
    configuration.set_uid(found->metadata.uid.view());
    configuration.set_labels({{kHumanLabel, "yes"}});
    deployments_.Apply(ctx, configuration, {.force = true, .field_manager = kHuman}).IgnoreError();
  }

  template <typename Function>
  void Edit(const Context& ctx, Function change) const {
    foos_.Edit(ctx, name_, change).IgnoreError();
  }

  void Scale(const Context& ctx, const std::string& deployment) const {
    deployments_
        .Edit(ctx, deployment,
              [](appsv1::Deployment& scaled) -> absl::Status {
                if (meta::GetControllerOf(scaled.metadata) == nullptr) {
                  return absl::AbortedError("a foreign one");
                }
                scaled.spec.replicas = AnySize();
                return absl::OkStatus();
              })
        .IgnoreError();
  }

  const samplecontroller::v1alpha1::FooClient foos_;
  const appsv1::DeploymentClient deployments_;
  const std::string name_;
  const WriterOptions options_;
};

}  // namespace

absl::Status WriteAtRandom(const Context& ctx, const FooCluster& cluster, int writer,
                           const WriterOptions& options) {
  while (true) {
    KUBE_RETURN_IF_ERROR(
        base::SleepFor(ctx, UpTo(Chance(0.3) ? absl::Milliseconds(20) : absl::Seconds(30))));
    const int64_t number = base::UniformInt(0, 4);
    Writer(cluster, number == 0 ? "kube-public" : "default",
           absl::StrCat("foo-", writer, "-", number), options)
        .Act(ctx);
  }
}

}  // namespace kube::simulation

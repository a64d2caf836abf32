// apply_deployment NAME IMAGE [--namespace NS]: applies a deployment of IMAGE:1 and then of IMAGE:2
// server-side, as two field managers that own different parts of it: "renderer" says what it runs,
// "scaler" how often. Each sends all that it owns and nothing else, so neither undoes what the
// other has decided.
//
//   renderer: web runs web:1
//   scaler: web has 3 replicas
//   renderer: web runs web:2, and still has 3 replicas
//   intruder: refused, scaler owns the replicas
//   scaler: web has 4 replicas
//   scaler owns {"replicas":4}
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/apps/v1/types.applies.kube.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.applies.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/signal_context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/managedfields/typed_extract.h"
#include "apimachinery/types/apply_of.h"
#include "clientset/clientcmd/flags.h"
#include "clientset/clientcmd/load_config.h"
#include "clientset/kubernetes/apps/v1/client.h"
#include "clientset/kubernetes/clientset.h"

namespace appsv1 = kube::api::apps::v1;
namespace corev1 = kube::api::core::v1;
namespace errors = kube::errors;
namespace managedfields = kube::managedfields;

namespace {

// A controller forces: what it applies is right, and nobody is there to resolve a conflict.
absl::StatusOr<appsv1::Deployment> ApplyImage(const kube::Context& ctx,
                                              const appsv1::DeploymentClient& deployments,
                                              const std::string& name, absl::string_view image) {
  const kube::ApplyOf<corev1::PodTemplateSpec> pod = {
      .metadata = {{.labels = {{"app", name}}}},
      .spec = {{.containers = {{.name = "main", .image = image}}}},
  };
  return deployments.Apply(
      ctx,
      {.metadata = {{.name = name}},
       .spec = {{.selector = {{.match_labels = {{"app", name}}}}, .template_ = pod}}},
      {.force = true, .field_manager = "renderer"});
}

absl::StatusOr<appsv1::Deployment> ApplyReplicas(const kube::Context& ctx,
                                                 const appsv1::DeploymentClient& deployments,
                                                 const std::string& name, int32_t replicas,
                                                 absl::string_view manager) {
  return deployments.Apply(ctx, {.metadata = {{.name = name}}, .spec = {{.replicas = replicas}}},
                           {.field_manager = manager});
}

// Changes what "scaler" has applied before, without knowing what else that was.
absl::StatusOr<appsv1::Deployment> AddReplica(const kube::Context& ctx,
                                              const appsv1::DeploymentClient& deployments,
                                              const std::string& name) {
  KUBE_ASSIGN_OR_RETURN(const appsv1::Deployment deployment, deployments.Get(ctx, name));
  KUBE_ASSIGN_OR_RETURN(auto mine, managedfields::ExtractOwned(deployment, "scaler"));
  if (!mine.spec) mine.spec.emplace();
  mine.spec->replicas = mine.spec->replicas.value_or(0) + 1;
  return deployments.Apply(ctx, mine, {.force = true, .field_manager = "scaler"});
}

absl::Status ApplyDeployment(const kube::Context& ctx, const std::string& name,
                             const std::string& image) {
  KUBE_ASSIGN_OR_RETURN(
      kube::clientcmd::LoadedConfig loaded,
      kube::clientcmd::LoadDefaultConfigAndNamespace(kube::clientcmd::FlagOptions()));
  KUBE_ASSIGN_OR_RETURN(const auto client, kube::kubernetes::Clientset::Make(loaded.config));
  const auto deployments = client.AppsV1().Deployments(loaded.chosen_namespace.name);

  KUBE_ASSIGN_OR_RETURN(appsv1::Deployment web, ApplyImage(ctx, deployments, name, image + ":1"));
  std::cout << "renderer: " << name << " runs " << web.spec.template_.spec.containers[0].image
            << "\n";
  KUBE_ASSIGN_OR_RETURN(web, ApplyReplicas(ctx, deployments, name, 3, "scaler"));
  std::cout << "scaler: " << name << " has " << web.spec.replicas.value_or(1) << " replicas\n";
  KUBE_ASSIGN_OR_RETURN(web, ApplyImage(ctx, deployments, name, image + ":2"));
  std::cout << "renderer: " << name << " runs " << web.spec.template_.spec.containers[0].image
            << ", and still has " << web.spec.replicas.value_or(1) << " replicas\n";

  const absl::Status refused = ApplyReplicas(ctx, deployments, name, 9, "intruder").status();
  if (!errors::IsConflict(refused)) return refused;
  std::cout << "intruder: refused, scaler owns the replicas\n";

  KUBE_ASSIGN_OR_RETURN(web, AddReplica(ctx, deployments, name));
  std::cout << "scaler: " << name << " has " << web.spec.replicas.value_or(1) << " replicas\n";
  KUBE_ASSIGN_OR_RETURN(const auto owned, managedfields::ExtractOwned(web, "scaler"));
  if (!owned.spec) return absl::InternalError("scaler owns nothing of the spec");
  KUBE_ASSIGN_OR_RETURN(const std::string text, kube::codec::EncodeJson(*owned.spec));
  std::cout << "scaler owns " << text << "\n";
  return absl::OkStatus();
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<char*> arguments = kube::clientcmd::ParseCommandLine(argc, argv);
  if (arguments.size() != 3) {
    std::cerr << "usage: apply_deployment NAME IMAGE\n";
    return 2;
  }
  const kube::Context ctx = kube::WithTimeout(kube::SignalContext(), absl::Seconds(30));
  const absl::Status status = ApplyDeployment(ctx, arguments[1], arguments[2]);
  if (!status.ok()) std::cerr << status.message() << "\n";
  return status.ok() ? 0 : 1;
}

// scale_deployment DEPLOYMENT REPLICAS [--namespace NS]: sets the number of a deployment's replicas
// through the subresource `scale`. That needs no right to change the rest of the deployment, and
// works in the same way for stateful sets, replica sets and many custom resources.
//
//   deployment web: 2 -> 5 replicas
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/time/time.h"
#include "api/autoscaling/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/signal_context.h"
#include "apimachinery/base/status.h"
#include "clientset/clientcmd/flags.h"
#include "clientset/clientcmd/load_config.h"
#include "clientset/kubernetes/apps/v1/client.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/retry/retry.h"

namespace autoscalingv1 = kube::api::autoscaling::v1;

namespace {

absl::Status ScaleDeployment(const kube::Context& ctx, const std::string& name, int32_t replicas) {
  KUBE_ASSIGN_OR_RETURN(
      kube::clientcmd::LoadedConfig loaded,
      kube::clientcmd::LoadDefaultConfigAndNamespace(kube::clientcmd::FlagOptions()));
  KUBE_ASSIGN_OR_RETURN(const auto client, kube::kubernetes::Clientset::Make(loaded.config));
  const auto deployments = client.AppsV1().Deployments(loaded.chosen_namespace.name);

  int32_t before = 0;
  const auto set_replicas = [&]() -> absl::Status {
    KUBE_ASSIGN_OR_RETURN(autoscalingv1::Scale scale, deployments.GetScale(ctx, name));
    before = scale.spec.replicas;
    scale.spec.replicas = replicas;
    return deployments.UpdateScale(ctx, name, scale).status();
  };
  // Whoever changes the deployment between the two requests makes the second one a conflict.
  KUBE_RETURN_IF_ERROR(kube::retry::OnConflict(ctx, kube::retry::kDefaultRetry, set_replicas));
  std::cout << "deployment " << name << ": " << before << " -> " << replicas << " replicas\n";
  return absl::OkStatus();
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<char*> arguments = kube::clientcmd::ParseCommandLine(argc, argv);
  int32_t replicas = 0;
  if (arguments.size() != 3 || !absl::SimpleAtoi(arguments[2], &replicas)) {
    std::cerr << "usage: scale_deployment DEPLOYMENT REPLICAS\n";
    return 2;
  }
  const kube::Context ctx = kube::WithTimeout(kube::SignalContext(), absl::Seconds(30));
  const absl::Status status = ScaleDeployment(ctx, arguments[1], replicas);
  if (!status.ok()) std::cerr << status.message() << "\n";
  return status.ok() ? 0 : 1;
}

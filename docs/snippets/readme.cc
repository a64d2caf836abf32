// The program of README.md, which shows what it prints: tests/integration runs it against a real
// server.
#include <iostream>
#include <string>

#include "absl/status/status.h"
#include "api/apps/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/signal_context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/errors/predicates.h"
#include "clientset/clientcmd/load_config.h"
#include "clientset/kubernetes/apps/v1/client.h"
#include "clientset/kubernetes/clientset.h"

namespace appsv1 = kube::api::apps::v1;

absl::Status ScaleUp(const kube::Context& ctx, const std::string& ns, const std::string& name) {
  KUBE_ASSIGN_OR_RETURN(auto config,
                        kube::clientcmd::LoadDefaultConfig());  // as kubectl, or in a pod
  KUBE_ASSIGN_OR_RETURN(auto client, kube::kubernetes::Clientset::Make(config));
  const auto deployments = client.AppsV1().Deployments(ns);
  KUBE_ASSIGN_OR_RETURN(auto web, deployments.Edit(ctx, name, [](appsv1::Deployment& d) {
    d.spec.replicas = d.spec.replicas.value_or(1) + 1;  // sent as a patch; begun anew on a conflict
    return absl::OkStatus();
  }));
  std::cout << web.metadata.name << " has " << *web.spec.replicas << " replicas\n";
  return absl::OkStatus();
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const absl::Status status = ScaleUp(kube::SignalContext(), argv[1], argv[2]);
  if (kube::errors::IsNotFound(status)) std::cerr << "which deployment?\n";
  if (!status.ok()) std::cerr << status.message() << "\n";
  return status.ok() ? 0 : 1;
}

// list_pods [--namespace NS] [--kubeconfig FILE] [--context NAME]: lists the pods of a namespace,
// page by page.
//
//   NAME   PHASE
//   web-0  Pending
#include <iostream>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/signal_context.h"
#include "apimachinery/base/status.h"
#include "clientset/clientcmd/flags.h"
#include "clientset/clientcmd/load_config.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/pager/pager.h"

namespace corev1 = kube::api::core::v1;

namespace {

absl::Status ListPods(const kube::Context& ctx) {
  KUBE_ASSIGN_OR_RETURN(
      kube::clientcmd::LoadedConfig loaded,
      kube::clientcmd::LoadDefaultConfigAndNamespace(kube::clientcmd::FlagOptions()));
  KUBE_ASSIGN_OR_RETURN(auto client, kube::kubernetes::Clientset::Make(loaded.config));
  // That of --namespace, of the context or "default". For tools whose default is all namespaces:
  // docs/kubeconfig.md.
  const auto pods = client.CoreV1().Pods(loaded.chosen_namespace.name);

  std::cout << "NAME\tPHASE\n";
  return kube::pager::PagerOf(pods.typed_client()).EachItem(ctx, {}, [](const corev1::Pod& pod) {
    std::cout << pod.metadata.name << "\t" << pod.status.phase << "\n";
    return absl::OkStatus();
  });
}

}  // namespace

int main(int argc, char** argv) {
  kube::clientcmd::ParseCommandLine(argc, argv);
  const kube::Context ctx = kube::WithTimeout(kube::SignalContext(), absl::Minutes(5));
  const absl::Status status = ListPods(ctx);
  if (!status.ok()) std::cerr << status.message() << "\n";
  return status.ok() ? 0 : 1;
}

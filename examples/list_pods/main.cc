// list_pods [--namespace NS] [--kubeconfig FILE] [--context NAME]: the pods of a namespace, page by
// page.
//
//   NAME   PHASE
//   web-0  Pending
#include <iostream>

#include "absl/status/status.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/signal_context.h"
#include "apimachinery/base/status.h"
#include "clientset/clientcmd/flags.h"
#include "clientset/clientcmd/load_config.h"
#include "clientset/pager/pager.h"
#include "clientset/rest/client.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/typed_client.h"

namespace corev1 = kube::api::core::v1;

namespace {

constexpr kube::typed::Resource kPods = {
    .version = "v1", .plural = "pods", .kind = "Pod", .built_in = true};

absl::Status ListPods(const kube::Context& ctx) {
  KUBE_ASSIGN_OR_RETURN(
      kube::clientcmd::LoadedConfig loaded,
      kube::clientcmd::LoadDefaultConfigAndNamespace(kube::clientcmd::FlagOptions()));
  KUBE_ASSIGN_OR_RETURN(kube::rest::Client client, kube::rest::MakeClient(loaded.config));
  const kube::typed::TypedClient<corev1::Pod, corev1::PodList> pods(client, kPods);

  std::cout << "NAME\tPHASE\n";
  return kube::pager::PagerOf(pods.Namespace(loaded.chosen_namespace.name))
      .EachItem(ctx, {}, [](const corev1::Pod& pod) {
        std::cout << pod.metadata.name << "\t" << pod.status.phase << "\n";
        return absl::OkStatus();
      });
}

}  // namespace

int main(int argc, char** argv) {
  kube::clientcmd::ParseCommandLine(argc, argv);
  const absl::Status status = ListPods(kube::SignalContext());
  if (!status.ok()) std::cerr << status.message() << "\n";
  return status.ok() ? 0 : 1;
}

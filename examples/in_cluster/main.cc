// in_cluster: a program in a pod. It prints the user as which the pod talks to its cluster. Other
// programs need not do this themselves: clientcmd::LoadDefaultConfig finds out that it is in a pod.
//
//   I am system:serviceaccount:prod:web
#include <iostream>
#include <string>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "api/authentication/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/signal_context.h"
#include "apimachinery/base/status.h"
#include "clientset/kubernetes/authentication/v1/client.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/rest/config.h"
#include "clientset/rest/in_cluster.h"

namespace authenticationv1 = kube::api::authentication::v1;

ABSL_FLAG(std::string, service_account, kube::rest::InClusterOptions().service_account_folder,
          "the folder with the pod's token and ca.crt");

namespace {

absl::Status Run(const kube::Context& ctx) {
  KUBE_ASSIGN_OR_RETURN(const kube::rest::Config config,
                        kube::rest::InClusterConfig(
                            {.service_account_folder = absl::GetFlag(FLAGS_service_account)}));
  KUBE_ASSIGN_OR_RETURN(const auto client, kube::kubernetes::Clientset::Make(config));
  KUBE_ASSIGN_OR_RETURN(const authenticationv1::SelfSubjectReview review,
                        client.AuthenticationV1().SelfSubjectReviews().Create(ctx, {}));
  std::cout << "I am " << review.status.user_info.username << "\n";
  return absl::OkStatus();
}

}  // namespace

int main(int argc, char** argv) {
  absl::ParseCommandLine(argc, argv);
  const absl::Status status = Run(kube::WithTimeout(kube::SignalContext(), absl::Seconds(30)));
  if (kube::rest::IsNotInCluster(status)) {
    std::cerr << "not running in a pod: try the other examples\n";
  } else if (!status.ok()) {
    std::cerr << status.message() << "\n";
  }
  return status.ok() ? 0 : 1;
}

// in_cluster: a program in a pod. It prints the user as which the pod talks to its cluster.
//
//   I am system:serviceaccount:prod:web
#include <iostream>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "api/authentication/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/signal_context.h"
#include "apimachinery/base/status.h"
#include "clientset/rest/client.h"
#include "clientset/rest/in_cluster.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/typed_client.h"

namespace authenticationv1 = kube::api::authentication::v1;

namespace {

constexpr kube::typed::Resource kSelfSubjectReviews = {.group = "authentication.k8s.io",
                                                       .version = "v1",
                                                       .plural = "selfsubjectreviews",
                                                       .kind = "SelfSubjectReview",
                                                       .namespaced = false,
                                                       .built_in = true};

absl::Status Run(const kube::Context& ctx) {
  KUBE_ASSIGN_OR_RETURN(kube::rest::Config config, kube::rest::InClusterConfig());
  KUBE_ASSIGN_OR_RETURN(kube::rest::Client client, kube::rest::MakeClient(config));
  // Reviews cannot be listed, so the list type is never used, and any type may stand in for it.
  const kube::typed::TypedClient<authenticationv1::SelfSubjectReview,
                                 authenticationv1::SelfSubjectReview>
      reviews(client, kSelfSubjectReviews);
  KUBE_ASSIGN_OR_RETURN(const authenticationv1::SelfSubjectReview review, reviews.Create(ctx, {}));
  std::cout << "I am " << review.status.user_info.username << "\n";
  return absl::OkStatus();
}

}  // namespace

int main() {
  const absl::Status status = Run(kube::WithTimeout(kube::SignalContext(), absl::Seconds(30)));
  if (kube::rest::IsNotInCluster(status)) {
    std::cerr << "not running in a pod: try the other examples\n";
  } else if (!status.ok()) {
    std::cerr << status.message() << "\n";
  }
  return status.ok() ? 0 : 1;
}

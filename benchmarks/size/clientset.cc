// Uses two kinds of two groups through the clientset. Measures its size and what it links of
// others.

#include "clientset/kubernetes/clientset.h"

#include <iostream>

#include "absl/status/statusor.h"
#include "api/coordination/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "clientset/kubernetes/coordination/v1/client.h"
#include "clientset/kubernetes/core/v1/client.h"

int main(int argc, char** argv) {
  const kube::Context ctx;
  const absl::StatusOr<kube::kubernetes::Clientset> client =
      kube::kubernetes::Clientset::Make({.host = argc > 1 ? argv[1] : "http://localhost:8001"});
  if (!client.ok()) return 1;
  const absl::StatusOr<kube::api::core::v1::PodList> pods = client->CoreV1().Pods("").List(ctx);
  if (!pods.ok()) return 1;
  const auto leases = client->CoordinationV1().Leases("default");
  for (const kube::api::core::v1::Pod& pod : pods->items) {
    absl::StatusOr<kube::api::coordination::v1::Lease> lease =
        leases.Get(ctx, pod.metadata.name.view());
    if (!lease.ok()) continue;
    lease->spec.holder_identity = "me";
    std::cout << pod.metadata.name << " " << leases.Update(ctx, *lease).status() << std::endl;
  }
  return 0;
}

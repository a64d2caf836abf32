// Uses two kinds of two groups through the factory; link_test.sh checks that no other kinds are
// linked.

#include <iostream>

#include "absl/status/statusor.h"
#include "api/coordination/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "clientset/kubernetes/clientset.h"
#include "informers/kubernetes/coordination/v1/informers.h"
#include "informers/kubernetes/core/v1/informers.h"
#include "informers/kubernetes/shared_informer_factory.h"
#include "listers/lister.h"

int main(int argc, char** argv) {
  const kube::Context ctx;
  const absl::StatusOr<kube::kubernetes::Clientset> client =
      kube::kubernetes::Clientset::Make({.host = argc > 1 ? argv[1] : "http://localhost:8001"});
  if (!client.ok()) return 1;
  kube::kubernetes::SharedInformerFactory factory(*client);
  const auto pods = factory.Core().V1().Pods().Lister();
  const auto leases = factory.Coordination().V1().Leases().Lister();
  if (!factory.Start(ctx).ok() || !factory.WaitForCacheSync(ctx).ok()) return 1;
  for (const kube::api::core::v1::Pod& pod : pods.List()) {
    const auto lease = leases.Namespace("default").Get(pod.metadata.name.view());
    if (lease.ok()) std::cout << pod.metadata.name << " " << **lease << std::endl;
  }
  return 0;
}

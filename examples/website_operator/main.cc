// website_operator [--kubeconfig FILE] [--leader-elect] ...: keeps web servers for each Website.
// website_operator --print-manifests [--manifests-crds FILE]: prints what a cluster needs to run
// it.
#include "controller/manager/run_operator.h"
#include "examples/website_operator/operator.h"

int main(int argc, char** argv) {
  return kube::controller::RunOperator<sites::WebsiteOperator>(
      argc, argv, {.name = "website-operator", .controllers = {.workers = 2}},
      {.namespace_name = sites::kOperatorNamespace, .replicas = 2, .memory_limit = "256Mi"});
}

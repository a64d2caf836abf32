// memcached_operator [--kubeconfig FILE] [--leader-elect] ...: keeps memcached servers for each
// Memcached.
// memcached_operator --print-manifests [--manifests-crds FILE]: prints what a cluster needs to run
// it.
#include "controller/manager/run_operator.h"
#include "examples/memcached_operator/operator.h"

int main(int argc, char** argv) {
  return kube::controller::RunOperator<cache::MemcachedOperator>(argc, argv,
                                                                 {.name = cache::kOperatorName});
}

// website_operator [--kubeconfig FILE] [--leader-elect] ...: keeps web servers for each Website.
#include "controller/manager/run_operator.h"
#include "examples/website_operator/operator.h"

int main(int argc, char** argv) {
  return kube::controller::RunOperator<sites::WebsiteOperator>(
      argc, argv, {.name = "website-operator", .controllers = {.workers = 2}});
}

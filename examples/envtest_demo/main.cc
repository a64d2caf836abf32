// envtest_demo: a deployment becomes available, on an API server in this process. Needs no cluster
// and no network.
//
//   1 replicas updated, 0 available
//   3 replicas updated, 0 available
//   3 replicas updated, 3 available
//   deployment "web" successfully rolled out
#include <iostream>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/apps/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/decode_yaml.h"
#include "apimachinery/watch/watcher.h"
#include "apiserver/handler.h"
#include "clientset/kubernetes/apps/v1/client.h"
#include "clientset/kubernetes/clientset.h"
#include "envtest/in_process_transport.h"
#include "envtest/workloads/workloads.h"

namespace appsv1 = kube::api::apps::v1;
namespace apiserver = kube::apiserver;
namespace envtest = kube::envtest;
using kube::kubernetes::Clientset;

namespace {

constexpr absl::string_view kWeb = R"(
metadata: {name: web}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "nginx:1"}]}
)";

absl::Status ShowARollout(const kube::Context& ctx) {
  apiserver::ApiHandler server;
  KUBE_ASSIGN_OR_RETURN(auto workloads,
                        envtest::Workloads::Start(envtest::InProcessConfig(server),
                                                  {.pod_ready_after = absl::Seconds(1)}));
  KUBE_ASSIGN_OR_RETURN(auto client, Clientset::Make(envtest::InProcessConfig(server)));
  const auto deployments = client.AppsV1().Deployments("default");
  KUBE_ASSIGN_OR_RETURN(auto web, kube::codec::DecodeYaml<appsv1::Deployment>(kWeb));
  KUBE_ASSIGN_OR_RETURN(web, deployments.Create(ctx, web));
  KUBE_ASSIGN_OR_RETURN(auto watcher, deployments.Watch(ctx));
  while (web.status.available_replicas < *web.spec.replicas) {
    KUBE_ASSIGN_OR_RETURN(auto event, watcher->Next(ctx));
    if (!event || !event->object) return absl::AbortedError("the watch ended");
    web = *event->object;
    std::cout << web.status.updated_replicas << " replicas updated, "
              << web.status.available_replicas << " available\n";
  }
  return absl::OkStatus();
}

}  // namespace

int main() {
  const absl::Status status = ShowARollout(kube::WithTimeout(kube::Context(), absl::Minutes(1)));
  if (!status.ok()) {
    std::cerr << status.message() << "\n";
    return 1;
  }
  std::cout << "deployment \"web\" successfully rolled out\n";
  return 0;
}

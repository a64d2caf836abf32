// drain_node NODE [--timeout 10m]: takes all work from a node, as kubectl drain does with --force,
// --ignore-daemonsets and --delete-emptydir-data: pods that no controller makes again are evicted,
// too, and the data of emptyDir volumes is lost. It marks the node as unschedulable, evicts its
// pods, and waits until they are gone. An eviction that a disruption budget does not allow now is
// tried again every five seconds, and holds no other pod back. Pods of daemon sets and mirror pods
// stay.
//
//   cordoned node-0
//   pod kube-system/agent-x5x2v stays: a daemon set made it
//   waiting: a disruption budget does not allow the eviction of prod/web-0
//   evicted prod/web-2
//   evicted prod/web-0
//   drained node-0
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/signal_context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/meta/object_name.h"
#include "apimachinery/meta/owner_reference.h"
#include "clientset/clientcmd/flags.h"
#include "clientset/clientcmd/load_config.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/core/v1/client.h"

namespace corev1 = kube::api::core::v1;
namespace metav1 = kube::api::meta::v1;

ABSL_FLAG(absl::Duration, timeout, absl::Minutes(10), "how long draining may take");

namespace {

constexpr absl::Duration kEvictionInterval = absl::Seconds(5);  // as kubectl
constexpr absl::Duration kInterval = absl::Seconds(1);

// Returns why a pod stays on the node, or "" if it has to go.
absl::string_view WhyItStays(const corev1::Pod& pod) {
  if (pod.metadata.annotations.contains(corev1::kMirrorPodAnnotationKey)) {
    return "the node makes it of a file";
  }
  const metav1::OwnerReference* const controller = kube::meta::GetControllerOf(pod);
  if (controller != nullptr && controller->kind == "DaemonSet") return "a daemon set made it";
  return "";
}

// Returns whether the pod is gone. Another pod may have taken its name by then.
absl::StatusOr<bool> IsGone(const kube::Context& ctx, const corev1::PodClient& pods,
                            const corev1::Pod& pod) {
  const absl::StatusOr<corev1::Pod> found = pods.Get(ctx, pod.metadata.name);
  if (kube::errors::IsNotFound(found.status())) return true;
  KUBE_RETURN_IF_ERROR(found);
  return found->metadata.uid != pod.metadata.uid;
}

// Asks for the eviction. Returns whether the server has granted it. A stateful set may have made a
// pod of the same name elsewhere meanwhile, which the precondition protects.
absl::StatusOr<bool> Evict(const kube::Context& ctx, const corev1::PodClient& pods,
                           const corev1::Pod& pod) {
  const absl::Status status = pods.EvictV1(
      ctx, {.metadata = {.name = pod.metadata.name, .namespace_ = pod.metadata.namespace_},
            .delete_options = metav1::DeleteOptions{
                .preconditions = metav1::Preconditions{.uid = pod.metadata.uid}}});
  if (kube::errors::IsTooManyRequests(status)) {
    std::cout << "waiting: a disruption budget does not allow the eviction of "
              << kube::meta::ObjectNameOf(pod) << std::endl;
    return false;
  }
  if (kube::errors::IsConflict(status)) {
    KUBE_ASSIGN_OR_RETURN(const bool gone, IsGone(ctx, pods, pod));
    if (!gone) return false;
  } else if (!kube::errors::IsNotFound(status)) {
    KUBE_RETURN_IF_ERROR(status, "evict pod ", kube::meta::ObjectNameOf(pod).ToString());
  }
  std::cout << "evicted " << kube::meta::ObjectNameOf(pod) << std::endl;
  return true;
}

// Evicts the pods in rounds, each of which asks for all that are left. Returns the first error; a
// pod whose eviction fails is not tried again.
absl::Status EvictAll(const kube::Context& ctx, const kube::kubernetes::Clientset& client,
                      std::vector<const corev1::Pod*> left) {
  absl::Status failed;
  const auto ask_all = [&](const kube::Context& now) -> absl::StatusOr<bool> {
    std::vector<const corev1::Pod*> refused;
    for (const corev1::Pod* pod : left) {
      const absl::StatusOr<bool> evicted =
          Evict(now, client.CoreV1().Pods(pod->metadata.namespace_), *pod);
      failed.Update(evicted.status());
      if (evicted.ok() && !*evicted) refused.push_back(pod);
    }
    left = std::move(refused);
    return left.empty();
  };
  failed.Update(
      kube::base::PollUntil(ctx, kEvictionInterval, kube::base::FirstPoll::kAtOnce, ask_all));
  return failed;
}

absl::Status WaitUntilGone(const kube::Context& ctx, const corev1::PodClient& pods,
                           const corev1::Pod& pod) {
  return kube::base::PollUntil(ctx, kInterval, kube::base::FirstPoll::kAtOnce,
                               [&](const kube::Context& now) { return IsGone(now, pods, pod); });
}

absl::Status DrainNode(const kube::Context& ctx, const std::string& node) {
  KUBE_ASSIGN_OR_RETURN(const auto config,
                        kube::clientcmd::LoadDefaultConfig(kube::clientcmd::FlagOptions()));
  KUBE_ASSIGN_OR_RETURN(const auto client, kube::kubernetes::Clientset::Make(config));
  const auto cordon = [](corev1::Node& found) {
    found.spec.unschedulable = true;
    return absl::OkStatus();
  };
  KUBE_RETURN_IF_ERROR(client.CoreV1().Nodes().Edit(ctx, node, cordon).status());
  std::cout << "cordoned " << node << "\n";

  KUBE_ASSIGN_OR_RETURN(
      const corev1::PodList pods,
      client.CoreV1().Pods("").List(ctx, {.field_selector = absl::StrCat("spec.nodeName=", node)}));
  std::vector<const corev1::Pod*> evicted;
  for (const corev1::Pod& pod : pods.items) {
    if (const absl::string_view why = WhyItStays(pod); !why.empty()) {
      std::cout << "pod " << kube::meta::ObjectNameOf(pod) << " stays: " << why << "\n";
      continue;
    }
    evicted.push_back(&pod);
  }
  KUBE_RETURN_IF_ERROR(EvictAll(ctx, client, evicted), "evict the pods of node ", node);
  for (const corev1::Pod* pod : evicted) {
    KUBE_RETURN_IF_ERROR(WaitUntilGone(ctx, client.CoreV1().Pods(pod->metadata.namespace_), *pod));
  }
  std::cout << "drained " << node << "\n";
  return absl::OkStatus();
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<char*> arguments = kube::clientcmd::ParseCommandLine(argc, argv);
  if (arguments.size() != 2) {
    std::cerr << "usage: drain_node NODE\n";
    return 2;
  }
  const kube::Context ctx = kube::WithTimeout(kube::SignalContext(), absl::GetFlag(FLAGS_timeout));
  const absl::Status status = DrainNode(ctx, arguments[1]);
  if (!status.ok()) std::cerr << status.message() << "\n";
  return status.ok() ? 0 : 1;
}

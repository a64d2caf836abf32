// quota_report: adds up what the pods of each namespace request of CPU and memory. Quantities are
// exact, whatever their notation: 250m and 0.75 are 1.
//
//   NAMESPACE  PODS  CPU    MEMORY
//   dev        1     100m   64Mi
//   prod       2     1600m  1Gi
//   all        3     1700m  1088Mi
#include <algorithm>
#include <iostream>
#include <map>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/signal_context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/resource/amount.h"
#include "clientset/clientcmd/flags.h"
#include "clientset/clientcmd/load_config.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/pager/pager.h"

namespace corev1 = kube::api::core::v1;
using kube::resource::Amount;

namespace {

struct Totals {
  int pods = 0;
  Amount cpu = {};
  Amount memory = {};
};

// What the scheduler counts. Init containers run one after the other, before the containers; those
// that are always restarted, the sidecars, go on beside everything that follows. What the pod as a
// whole requests counts in place of all that.
Amount Requests(const corev1::Pod& pod, absl::string_view resource) {
  const auto request = [resource](const corev1::Container& container) {
    return container.resources.requests.find(resource);
  };
  Amount sidecars;
  Amount starting;  // the most that is needed before the containers run
  for (const corev1::Container& container : pod.spec.init_containers) {
    Amount needed = sidecars;
    if (const auto* one = request(container); one != nullptr) needed += *one;
    starting = std::max(starting, needed);
    if (*container.restart_policy == corev1::kContainerRestartPolicyAlways) sidecars = needed;
  }
  Amount all = kube::resource::Sum(pod.spec.containers, request);
  all = std::max(all + sidecars, starting);
  if (pod.spec.resources) {
    if (const auto* whole = pod.spec.resources->requests.find(resource); whole != nullptr) {
      all = Amount(*whole);
    }
  }
  if (const auto* overhead = pod.spec.overhead.find(resource); overhead != nullptr) {
    all += *overhead;
  }
  return all;
}

void Print(absl::string_view ns, const Totals& totals) {
  std::cout << ns << "\t" << totals.pods << "\t" << totals.cpu << "\t" << totals.memory << "\n";
}

absl::Status Report(const kube::Context& ctx) {
  KUBE_ASSIGN_OR_RETURN(const auto config,
                        kube::clientcmd::LoadDefaultConfig(kube::clientcmd::FlagOptions()));
  KUBE_ASSIGN_OR_RETURN(const auto client, kube::kubernetes::Clientset::Make(config));

  std::map<std::string, Totals> namespaces;
  Totals all;
  const auto add = [&](const corev1::Pod& pod) {
    const Amount cpu = Requests(pod, "cpu");
    const Amount memory = Requests(pod, "memory");
    for (Totals* totals : {&namespaces[std::string(pod.metadata.namespace_)], &all}) {
      ++totals->pods;
      totals->cpu += cpu;
      totals->memory += memory;
    }
    return absl::OkStatus();
  };
  // Pods that have ended request nothing any more.
  KUBE_RETURN_IF_ERROR(
      kube::pager::PagerOf(client.CoreV1().Pods("").typed_client())
          .EachItem(ctx, {.field_selector = "status.phase!=Succeeded,status.phase!=Failed"}, add));

  std::cout << "NAMESPACE\tPODS\tCPU\tMEMORY\n";
  for (const auto& [ns, totals] : namespaces) Print(ns, totals);
  Print("all", all);
  return absl::OkStatus();
}

}  // namespace

int main(int argc, char** argv) {
  kube::clientcmd::ParseCommandLine(argc, argv);
  const absl::Status status = Report(kube::WithTimeout(kube::SignalContext(), absl::Minutes(5)));
  if (!status.ok()) std::cerr << status.message() << "\n";
  return status.ok() ? 0 : 1;
}

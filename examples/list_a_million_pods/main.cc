// list_a_million_pods [--page_size 500]: counts the pods of a cluster of any size, by what made
// them. It reads only their metadata, page by page, so that it needs no more memory for a million
// pods than for one page of them.
//
//   PODS    MADE BY
//   12      DaemonSet
//   3456    ReplicaSet
//   3468 pods in 7 pages
#include <cstdint>
#include <iostream>
#include <map>
#include <string>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/signal_context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/meta/owner_reference.h"
#include "clientset/clientcmd/flags.h"
#include "clientset/clientcmd/load_config.h"
#include "clientset/metadata/metadata_client.h"
#include "clientset/pager/pager.h"
#include "clientset/rest/client.h"

namespace metav1 = kube::api::meta::v1;

ABSL_FLAG(int64_t, page_size, 500, "number of pods to read at once");

namespace {

struct Counts {
  std::map<std::string, int64_t> pods_by_owner;
  int64_t pods = 0;
  int64_t pages = 0;
};

absl::Status CountPods(const kube::Context& ctx, const kube::metadata::ResourceClient& pods,
                       Counts& counts) {
  const auto get_page = [&pods](const kube::Context& now, const metav1::ListOptions& options) {
    return pods.List(now, options);
  };
  const kube::pager::ListPager<metav1::PartialObjectMetadataList> pager(
      get_page, {.page_size = absl::GetFlag(FLAGS_page_size)});
  return pager.EachPage(ctx, {}, [&counts](const metav1::PartialObjectMetadataList& page) {
    for (const metav1::PartialObjectMetadata& pod : page.items) {
      const metav1::OwnerReference* const owner = kube::meta::GetControllerOf(pod.metadata);
      ++counts.pods_by_owner[owner == nullptr ? "nobody" : std::string(owner->kind)];
      ++counts.pods;
    }
    ++counts.pages;
    return absl::OkStatus();
  });
}

absl::Status Run(const kube::Context& ctx) {
  KUBE_ASSIGN_OR_RETURN(const auto config,
                        kube::clientcmd::LoadDefaultConfig(kube::clientcmd::FlagOptions()));
  KUBE_ASSIGN_OR_RETURN(const auto client, kube::rest::MakeClient(config));
  const auto pods =
      kube::metadata::MetadataClient(client).Resource({.version = "v1", .resource = "pods"});
  Counts counts;
  absl::Status status = CountPods(ctx, pods, counts);
  if (kube::errors::IsResourceExpired(status)) {
    // Servers keep the state that the pages are read from for five minutes. Begin again.
    counts = {};
    status = CountPods(ctx, pods, counts);
  }
  KUBE_RETURN_IF_ERROR(status, "count pods");

  std::cout << "PODS\tMADE BY\n";
  for (const auto& [owner, number] : counts.pods_by_owner) {
    std::cout << number << "\t" << owner << "\n";
  }
  std::cout << counts.pods << " pods in " << counts.pages << " pages\n";
  return absl::OkStatus();
}

}  // namespace

int main(int argc, char** argv) {
  kube::clientcmd::ParseCommandLine(argc, argv);
  if (absl::GetFlag(FLAGS_page_size) < 1) {
    std::cerr << "list_a_million_pods: --page_size must be at least 1\n";
    return 2;
  }
  const absl::Status status = Run(kube::WithTimeout(kube::SignalContext(), absl::Minutes(30)));
  if (!status.ok()) std::cerr << status.message() << "\n";
  return status.ok() ? 0 : 1;
}

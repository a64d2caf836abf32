// two_clusters [--from CONTEXT] [--to CONTEXT] [--to-namespace NS] [--selector SELECTOR]: copies
// the config maps with a label from one cluster to another, of the same kubeconfig. A second run
// changes what has changed since.
//
//   features: changed
//   limits: unchanged
//   settings: created
#include <iostream>
#include <string>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/signal_context.h"
#include "apimachinery/base/status.h"
#include "clientset/clientcmd/flags.h"
#include "clientset/clientcmd/load_config.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/pager/pager.h"
#include "clientset/typed/create_or_edit.h"

namespace corev1 = kube::api::core::v1;

ABSL_FLAG(std::string, from, "", "context to copy from; default: the current context");
ABSL_FLAG(std::string, to, "", "context to copy to; default: the current context");
ABSL_FLAG(std::string, to_namespace, "", "namespace to copy to; default: that of the context");
ABSL_FLAG(std::string, selector, "copy=true", "labels of the config maps to copy");

namespace {

// Returns the config maps of a context. Each context has a client, with credentials and connections
// of its own.
absl::StatusOr<corev1::ConfigMapClient> ConfigMapsOf(const std::string& context,
                                                     const std::string& namespace_name) {
  kube::clientcmd::LoadOptions options = kube::clientcmd::FlagOptions();
  if (!context.empty()) options.context = context;
  if (!namespace_name.empty()) options.overrides.context.namespace_name = namespace_name;
  KUBE_ASSIGN_OR_RETURN(kube::clientcmd::LoadedConfig loaded,
                        kube::clientcmd::LoadDefaultConfigAndNamespace(options));
  KUBE_ASSIGN_OR_RETURN(auto client, kube::kubernetes::Clientset::Make(loaded.config));
  return client.CoreV1().ConfigMaps(loaded.chosen_namespace.name);
}

// Only labels and data are copied: uid, resource version and owners belong to one cluster.
absl::Status Copy(const kube::Context& ctx, const corev1::ConfigMap& original,
                  const corev1::ConfigMapClient& to) {
  absl::string_view outcome;
  const auto change = [&](corev1::ConfigMap& copy) {
    const corev1::ConfigMap before = copy;
    copy.metadata.labels = original.metadata.labels;
    copy.data = original.data;
    copy.binary_data = original.binary_data;
    outcome = copy == before ? "unchanged" : "changed";
    if (copy.metadata.uid.empty()) outcome = "created";
    return absl::OkStatus();
  };
  const std::string name(original.metadata.name);
  KUBE_RETURN_IF_ERROR(kube::typed::CreateOrEdit(ctx, to, name, change));
  std::cout << name << ": " << outcome << "\n";
  return absl::OkStatus();
}

absl::Status Run(const kube::Context& ctx) {
  KUBE_ASSIGN_OR_RETURN(const auto from, ConfigMapsOf(absl::GetFlag(FLAGS_from), ""),
                        "connect to the cluster to copy from");
  KUBE_ASSIGN_OR_RETURN(const auto to,
                        ConfigMapsOf(absl::GetFlag(FLAGS_to), absl::GetFlag(FLAGS_to_namespace)),
                        "connect to the cluster to copy to");
  return kube::pager::PagerOf(from.typed_client())
      .EachItem(ctx, {.label_selector = absl::GetFlag(FLAGS_selector)},
                [&](const corev1::ConfigMap& original) { return Copy(ctx, original, to); });
}

}  // namespace

int main(int argc, char** argv) {
  kube::clientcmd::ParseCommandLine(argc, argv);
  const absl::Status status = Run(kube::WithTimeout(kube::SignalContext(), absl::Minutes(5)));
  if (!status.ok()) std::cerr << status.message() << "\n";
  return status.ok() ? 0 : 1;
}

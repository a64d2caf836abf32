// copy_config_map NAME FROM TO: copies a ConfigMap from one namespace to another. It creates the
// copy, or brings an existing one up to date; labels and annotations that the copy has besides
// stay.
//
//   created config map prod/settings
#include <iostream>
#include <string>
#include <vector>

#include "absl/status/status.h"
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
#include "clientset/typed/create_or_edit.h"

namespace corev1 = kube::api::core::v1;

namespace {

absl::Status CopyConfigMap(const kube::Context& ctx, const std::string& name,
                           const std::string& from, const std::string& to) {
  KUBE_ASSIGN_OR_RETURN(const auto config,
                        kube::clientcmd::LoadDefaultConfig(kube::clientcmd::FlagOptions()));
  KUBE_ASSIGN_OR_RETURN(const auto client, kube::kubernetes::Clientset::Make(config));
  KUBE_ASSIGN_OR_RETURN(const corev1::ConfigMap source,
                        client.CoreV1().ConfigMaps(from).Get(ctx, name));

  absl::string_view done;
  const auto change = [&](corev1::ConfigMap& copy) {
    const corev1::ConfigMap before = copy;
    for (const auto& [key, value] : source.metadata.labels) copy.metadata.labels[key] = value;
    copy.data = source.data;
    copy.binary_data = source.binary_data;
    done = copy == before ? "left unchanged" : "updated";
    if (copy.metadata.uid.empty()) done = "created";
    return absl::OkStatus();
  };
  KUBE_RETURN_IF_ERROR(
      kube::typed::CreateOrEdit(ctx, client.CoreV1().ConfigMaps(to), name, change).status());
  std::cout << done << " config map " << to << "/" << name << "\n";
  return absl::OkStatus();
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<char*> arguments = kube::clientcmd::ParseCommandLine(argc, argv);
  if (arguments.size() != 4) {
    std::cerr << "usage: copy_config_map NAME FROM TO\n";
    return 2;
  }
  const kube::Context ctx = kube::WithTimeout(kube::SignalContext(), absl::Seconds(30));
  const absl::Status status = CopyConfigMap(ctx, arguments[1], arguments[2], arguments[3]);
  if (!status.ok()) std::cerr << status.message() << "\n";
  return status.ok() ? 0 : 1;
}

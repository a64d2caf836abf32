// create_and_patch [--namespace NS]: creates a ConfigMap, changes it in three ways and deletes it.
//
//   created demo: level=info
//   patched demo: level=debug
//   edited demo: colour=blue level=debug
//   not updated: the object has changed since it was read
//   deleted demo
#include <iostream>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/signal_context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/patch/patch_type.h"
#include "clientset/clientcmd/flags.h"
#include "clientset/clientcmd/load_config.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/core/v1/client.h"

namespace corev1 = kube::api::core::v1;

namespace {

void Print(absl::string_view what, const corev1::ConfigMap& config_map) {
  std::cout << what << " " << config_map.metadata.name << ":";
  for (const auto& [key, value] : config_map.data) std::cout << " " << key << "=" << value;
  std::cout << "\n";
}

absl::Status Run(const kube::Context& ctx) {
  KUBE_ASSIGN_OR_RETURN(
      kube::clientcmd::LoadedConfig loaded,
      kube::clientcmd::LoadDefaultConfigAndNamespace(kube::clientcmd::FlagOptions()));
  KUBE_ASSIGN_OR_RETURN(const auto client, kube::kubernetes::Clientset::Make(loaded.config));
  const auto config_maps = client.CoreV1().ConfigMaps(loaded.chosen_namespace.name);

  KUBE_ASSIGN_OR_RETURN(
      const corev1::ConfigMap created,
      config_maps.Create(ctx, {.metadata = {.name = "demo"}, .data = {{"level", "info"}}},
                         {.field_manager = "create-and-patch"}));
  Print("created", created);

  KUBE_ASSIGN_OR_RETURN(const corev1::ConfigMap patched,
                        config_maps.Patch(ctx, "demo", kube::patch::PatchType::kMerge,
                                          R"({"data":{"level":"debug"}})"));
  Print("patched", patched);

  KUBE_ASSIGN_OR_RETURN(const corev1::ConfigMap edited,
                        config_maps.Edit(ctx, "demo", [](corev1::ConfigMap& demo) {
                          demo.data["colour"] = "blue";
                          return absl::OkStatus();
                        }));
  Print("edited", edited);

  // `created` is out of date by now.
  const absl::Status stale = config_maps.Update(ctx, created).status();
  if (stale.ok()) return absl::InternalError("updated demo with an object that is out of date");
  if (!kube::errors::IsConflict(stale)) return stale;
  std::cout << "not updated: the object has changed since it was read\n";

  KUBE_RETURN_IF_ERROR(config_maps.Delete(ctx, "demo"));
  std::cout << "deleted demo\n";
  return absl::OkStatus();
}

}  // namespace

int main(int argc, char** argv) {
  kube::clientcmd::ParseCommandLine(argc, argv);
  const absl::Status status = Run(kube::WithTimeout(kube::SignalContext(), absl::Minutes(1)));
  if (!status.ok()) std::cerr << status.message() << "\n";
  return status.ok() ? 0 : 1;
}

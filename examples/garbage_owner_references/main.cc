// garbage_owner_references [--namespace NS]: creates a ConfigMap and a Secret that it owns, and
// deletes the ConfigMap in the foreground. The garbage collector deletes the Secret first, and the
// ConfigMap when nothing that it owns is left.
//
//   created config map app
//   created secret app-key, owned by config map app
//   deleting config map app in the foreground
//   secret app-key is gone
//   config map app is gone
#include <iostream>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/signal_context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/meta/owner_reference.h"
#include "clientset/clientcmd/flags.h"
#include "clientset/clientcmd/load_config.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/core/v1/client.h"

namespace corev1 = kube::api::core::v1;
namespace metav1 = kube::api::meta::v1;

namespace {

// Calls `get` until it returns that the object does not exist.
absl::Status WaitUntilGone(const kube::Context& ctx,
                           absl::FunctionRef<absl::Status(const kube::Context&)> get) {
  const auto is_gone = [get](const kube::Context& now) -> absl::StatusOr<bool> {
    const absl::Status status = get(now);
    if (kube::errors::IsNotFound(status)) return true;
    KUBE_RETURN_IF_ERROR(status);
    return false;
  };
  return kube::base::PollUntil(ctx, absl::Milliseconds(500), kube::base::FirstPoll::kAtOnce,
                               is_gone);
}

absl::Status Run(const kube::Context& ctx) {
  KUBE_ASSIGN_OR_RETURN(
      kube::clientcmd::LoadedConfig loaded,
      kube::clientcmd::LoadDefaultConfigAndNamespace(kube::clientcmd::FlagOptions()));
  KUBE_ASSIGN_OR_RETURN(const auto client, kube::kubernetes::Clientset::Make(loaded.config));
  const auto config_maps = client.CoreV1().ConfigMaps(loaded.chosen_namespace.name);
  const auto secrets = client.CoreV1().Secrets(loaded.chosen_namespace.name);

  KUBE_ASSIGN_OR_RETURN(const corev1::ConfigMap app,
                        config_maps.Create(ctx, {.metadata = {.name = "app"}}));
  std::cout << "created config map app\n";

  corev1::Secret key = {.metadata = {.name = "app-key", .namespace_ = app.metadata.namespace_}};
  // Only an owner reference that blocks the owner's deletion makes the owner wait.
  KUBE_RETURN_IF_ERROR(kube::meta::SetOwnerReference(app, {.version = "v1", .kind = "ConfigMap"},
                                                     key, {.block_owner_deletion = true}));
  KUBE_RETURN_IF_ERROR(secrets.Create(ctx, key).status());
  std::cout << "created secret app-key, owned by config map app\n";

  std::cout << "deleting config map app in the foreground\n";
  KUBE_RETURN_IF_ERROR(
      config_maps.Delete(ctx, "app", {.propagation_policy = metav1::kDeletePropagationForeground}));
  KUBE_RETURN_IF_ERROR(WaitUntilGone(
      ctx, [&](const kube::Context& now) { return secrets.Get(now, "app-key").status(); }));
  std::cout << "secret app-key is gone\n";
  KUBE_RETURN_IF_ERROR(WaitUntilGone(
      ctx, [&](const kube::Context& now) { return config_maps.Get(now, "app").status(); }));
  std::cout << "config map app is gone\n";
  return absl::OkStatus();
}

}  // namespace

int main(int argc, char** argv) {
  kube::clientcmd::ParseCommandLine(argc, argv);
  const absl::Status status = Run(kube::WithTimeout(kube::SignalContext(), absl::Minutes(1)));
  if (!status.ok()) std::cerr << status.message() << "\n";
  return status.ok() ? 0 : 1;
}

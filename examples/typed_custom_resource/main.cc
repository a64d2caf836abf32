// typed_custom_resource [--namespace NS]: works with a custom resource through its own C++ types
// and client, which a kube_library makes from backup.proto. The definition must be installed: bazel
// build examples/typed_custom_resource:backup_crds writes it as YAML.
//
//   created nightly: 0 3 * * *, keeps 7
//   edited nightly: 0 3 * * *, keeps 3
//   updated the status of nightly: 2 kept
//   listed nightly: 2 of 3 kept
//   refused: keep must be at least 1
//   deleted nightly
#include <iostream>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/signal_context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/errors/predicates.h"
#include "clientset/clientcmd/flags.h"
#include "clientset/clientcmd/load_config.h"
#include "clientset/rest/client.h"
#include "examples/typed_custom_resource/backup.client.kube.h"
#include "examples/typed_custom_resource/backup.kube.h"

namespace backupsv1 = example::backups::v1;

namespace {

void Print(absl::string_view what, const backupsv1::Backup& backup) {
  std::cout << what << " " << backup.metadata.name << ": " << backup.spec.schedule << ", keeps "
            << backup.spec.keep.value_or(0) << "\n";
}

absl::Status Run(const kube::Context& ctx) {
  KUBE_ASSIGN_OR_RETURN(
      kube::clientcmd::LoadedConfig loaded,
      kube::clientcmd::LoadDefaultConfigAndNamespace(kube::clientcmd::FlagOptions()));
  KUBE_ASSIGN_OR_RETURN(kube::rest::Client client, kube::rest::MakeClient(loaded.config));
  // Beside Kubernetes' own kinds: ExampleV1Client(clientset.client()).
  const backupsv1::BackupClient backups =
      backupsv1::ExampleV1Client(client).Backups(loaded.chosen_namespace.name);

  KUBE_ASSIGN_OR_RETURN(
      const backupsv1::Backup created,
      backups.Create(ctx, {.metadata = {.name = "nightly"}, .spec = {.schedule = "0 3 * * *"}}));
  Print("created", created);  // the server has filled in the default of `keep`

  const auto keep_three = [](backupsv1::Backup& backup) {
    backup.spec.keep = 3;
    return absl::OkStatus();
  };
  KUBE_ASSIGN_OR_RETURN(backupsv1::Backup backup, backups.Edit(ctx, "nightly", keep_three));
  Print("edited", backup);

  backup.status.kept = 2;
  KUBE_ASSIGN_OR_RETURN(backup, backups.UpdateStatus(ctx, backup));
  std::cout << "updated the status of nightly: " << backup.status.kept << " kept\n";

  KUBE_ASSIGN_OR_RETURN(const backupsv1::BackupList list, backups.List(ctx));
  for (const backupsv1::Backup& each : list.items) {
    std::cout << "listed " << each.metadata.name << ": " << each.status.kept << " of "
              << each.spec.keep.value_or(0) << " kept\n";
  }

  backup.spec.keep = 0;
  const absl::Status refused = backups.Update(ctx, backup).status();
  if (refused.ok()) return absl::InternalError("updated nightly to keep nothing");
  if (!kube::errors::IsInvalid(refused)) return refused;
  std::cout << "refused: keep must be at least 1\n";

  KUBE_RETURN_IF_ERROR(backups.Delete(ctx, "nightly"));
  std::cout << "deleted nightly\n";
  return absl::OkStatus();
}

}  // namespace

int main(int argc, char** argv) {
  kube::clientcmd::ParseCommandLine(argc, argv);
  const absl::Status status = Run(kube::WithTimeout(kube::SignalContext(), absl::Minutes(1)));
  if (!status.ok()) std::cerr << status.message() << "\n";
  return status.ok() ? 0 : 1;
}

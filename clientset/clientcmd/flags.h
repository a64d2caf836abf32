#ifndef CLIENTSET_CLIENTCMD_FLAGS_H_
#define CLIENTSET_CLIENTCMD_FLAGS_H_

#include <vector>

#include "clientset/clientcmd/load_config.h"

// kubectl's flags for choosing a cluster and a user: --kubeconfig, --master, --context, --cluster,
// --user, --namespace, --server, --tls-server-name, --insecure-skip-tls-verify,
// --certificate-authority, --proxy-url, --disable-compression, --client-certificate, --client-key,
// --token, --username, --password, --as, --as-uid, --as-group, --request-timeout. (client-go:
// `clientcmd.RecommendedConfigOverrideFlags`)
//
// Abseil's flags belong to the whole program: a program has these as soon as it depends on this
// target. Their names in C++ are FLAGS_kubeconfig, FLAGS_as_uid and so on.
//
//   int main(int argc, char** argv) {
//     kube::clientcmd::ParseCommandLine(argc, argv);
//     absl::StatusOr<kube::rest::Config> config =
//         kube::clientcmd::LoadDefaultConfig(kube::clientcmd::FlagOptions());
//     ...
//   }
namespace kube::clientcmd {

// Parses the program's flags as absl::ParseCommandLine does, but also accepts kubectl's spelling:
// dashes or underscores (--dry-run, --dry_run), -n for --namespace, and
//
//   --help, -h   prints the flags in groups, the program's own first, and ends the program with
//                exit code 0. absl::SetProgramUsageMessage sets the first lines.
//   -v, --v      sets log::SetVerbosity: -v=4, -v 4. If the program defines a flag "v" itself
//                (ABSL_FLAG(int, v, ...), or absl/log/flags.h), its value is used.
//
// Returns the arguments that are not flags, beginning with the program's name. An unknown flag or
// an invalid value ends the program with exit code 1. Call it once, in main.
std::vector<char*> ParseCommandLine(int argc, char** argv);

// Returns the values of the flags. --as-group is a comma-separated list, where kubectl's flag can
// be repeated; --server takes precedence over --master; the namespace "ns/web" means "web".
LoadOptions FlagOptions();

}  // namespace kube::clientcmd

#endif  // CLIENTSET_CLIENTCMD_FLAGS_H_

#ifndef CLIENTSET_CLIENTCMD_FLAGS_H_
#define CLIENTSET_CLIENTCMD_FLAGS_H_

#include <vector>

#include "clientset/clientcmd/load_config.h"

// kubectl's flags for choosing a cluster, and being somebody: --kubeconfig, --master, --context,
// --cluster, --user, --namespace, --server, --tls-server-name, --insecure-skip-tls-verify,
// --certificate-authority, --proxy-url, --disable-compression, --client-certificate, --client-key,
// --token, --username, --password, --as, --as-uid, --as-group, --request-timeout.
// (RecommendedConfigOverrideFlags)
//
// Flags of Abseil belong to the whole program: it has these because it depends on this target.
// Their names in C++ are FLAGS_kubeconfig, FLAGS_as_uid and so on.
//
//   int main(int argc, char** argv) {
//     clientcmd::ParseCommandLine(argc, argv);
//     absl::StatusOr<rest::Config> config = clientcmd::LoadDefaultConfig(clientcmd::FlagOptions());
namespace kube::clientcmd {

// Parses the program's flags as absl::ParseCommandLine does, and takes them as kubectl writes them:
// with dashes or underscores (--dry-run, --dry_run), -n for --namespace, and
//   --help, -h   prints the flags in groups, the program's own ones first, and ends the program
//                with 0. absl::SetProgramUsageMessage sets its first lines.
//   -v, --v      sets log::SetVerbosity: -v=4, -v 4. A program may define the flag itself
//                (ABSL_FLAG(int, v, ...); absl/log/flags.h does so): its value is taken then.
// Returns what is not a flag, the program's name first. An unknown flag, or an illegal value, ends
// the program with 1. Call it once, in main.
std::vector<char*> ParseCommandLine(int argc, char** argv);

// What the command line said. --as-group is a list with commas, where kubectl's can be repeated;
// --server goes before --master; of "ns/web", the namespace is "web".
LoadOptions FlagOptions();

}  // namespace kube::clientcmd

#endif  // CLIENTSET_CLIENTCMD_FLAGS_H_

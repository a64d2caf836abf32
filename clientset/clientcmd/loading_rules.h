#ifndef CLIENTSET_CLIENTCMD_LOADING_RULES_H_
#define CLIENTSET_CLIENTCMD_LOADING_RULES_H_

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "clientset/clientcmd/environment.h"
#include "clientset/clientcmd/kubeconfig.h"
#include "clientset/rest/config.h"

namespace kube::clientcmd {

// Determines the files that make up the configuration. (client-go:
// `clientcmd.ClientConfigLoadingRules`; with DefaultPathOptions also `clientcmd.PathOptions`)
//
//   const absl::StatusOr<Kubeconfig> config = Load(DefaultLoadingRules());
//
// A value; thread-compatible.
struct LoadingRules {
  // The only file, which must exist. If empty, the files of `precedence`.
  std::string explicit_path = {};
  // If several files set a value, the first one wins. Missing and empty files are skipped.
  std::vector<std::string> precedence = {};
  // Makes the paths in the files absolute. Switch it off in programs that write the files again.
  bool resolve_paths = true;
  // Calls `warner`, on the loading thread, if none of the files in `precedence` exists. If `warner`
  // is null, a message is logged at verbosity 1.
  bool warn_if_all_missing = false;
  std::function<void(const absl::Status&)> warner = {};
  // A configuration that counts as none, so that the cluster in which the program runs takes
  // precedence over it. kubectl uses LegacyDefaultClientConfig here. Default: unset.
  std::optional<rest::Config> default_client_config = {};
  // If none of the files exists, new entries go to the last file of `precedence` instead of the
  // first.
  bool create_last = false;
};

// Returns the files of KUBECONFIG, each once; without KUBECONFIG, ~/.kube/config. (client-go:
// `clientcmd.NewDefaultClientConfigLoadingRules`, without its migration of files from 2015)
LoadingRules DefaultLoadingRules(const Environment& environment = ProcessEnvironment());

// Returns the rules for changing these files, as `kubectl config` does: paths stay as they are
// written. (client-go: `clientcmd.NewDefaultPathOptions`)
LoadingRules DefaultPathOptions(const Environment& environment = ProcessEnvironment());

// Reads the files and merges them. Each entry is taken as a whole from the first file that has it,
// and remembers that file. Blocks on the disk.
//
// Returns NOT_FOUND if the explicit file does not exist. If other files cannot be read or decoded,
// returns one error that names each of them: `error loading config file "a": ...`.
absl::StatusOr<Kubeconfig> Load(const LoadingRules& rules);

// Returns the explicit path, or `precedence`. (client-go: `GetLoadingPrecedence`)
std::vector<std::string> LoadingPrecedence(const LoadingRules& rules);

// Like Load, but a missing explicit file counts as empty. Changes of a kubeconfig begin with this.
// (client-go: `GetStartingConfig`)
absl::StatusOr<Kubeconfig> StartingConfig(const LoadingRules& rules);

// Returns the file to which new entries go: the explicit one, otherwise the first one that exists,
// otherwise the one that create_last chooses. (client-go: `GetDefaultFilename`)
std::string DefaultFilename(const LoadingRules& rules);

}  // namespace kube::clientcmd

#endif  // CLIENTSET_CLIENTCMD_LOADING_RULES_H_

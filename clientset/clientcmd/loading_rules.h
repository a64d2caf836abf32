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

// Which files make up the configuration. (ClientConfigLoadingRules; with DefaultPathOptions also
// PathOptions)
//
//   absl::StatusOr<Kubeconfig> config = Load(DefaultLoadingRules());
//
// A value; thread-compatible.
struct LoadingRules {
  // The only file, which must be there. Empty: those of `precedence`.
  std::string explicit_path = {};
  // The first file that has something wins; what is missing, or empty, is skipped.
  std::vector<std::string> precedence = {};
  // Makes paths in the files absolute. Off for programs that write files again.
  bool resolve_paths = true;
  // Tells `warner` if not one file of `precedence` is there; without one it is logged (V(1)).
  // Called on the loading thread.
  bool warn_if_all_missing = false;
  std::function<void(const absl::Status&)> warner = {};
  // A configuration like this is as good as none: the cluster that the program runs in goes first.
  // kubectl has LegacyDefaultClientConfig here. Default: none is.
  std::optional<rest::Config> default_client_config = {};
  // Where not one file is there, new entries go to the last one of `precedence`, not to the first.
  bool create_last = false;
};

// The files of KUBECONFIG, each once; without it, ~/.kube/config.
// (NewDefaultClientConfigLoadingRules, without its migration of files of 2015)
LoadingRules DefaultLoadingRules(const Environment& environment = ProcessEnvironment());

// The same for changing them, as `kubectl config` does: paths stay as they are written.
// (NewDefaultPathOptions)
LoadingRules DefaultPathOptions(const Environment& environment = ProcessEnvironment());

// Reads the files and merges them. Of an entry that several have, all comes from the first.
// Everything knows the file that it is from.
//
// NOT_FOUND if the explicit file is missing. For others that cannot be read or decoded one error
// that names each: `error loading config file "a": ...`. Blocks on the disk.
absl::StatusOr<Kubeconfig> Load(const LoadingRules& rules);

// The explicit path, or `precedence`. (GetLoadingPrecedence)
std::vector<std::string> LoadingPrecedence(const LoadingRules& rules);

// Load, where a missing explicit file is an empty one: what a change begins with.
// (GetStartingConfig)
absl::StatusOr<Kubeconfig> StartingConfig(const LoadingRules& rules);

// The file that new entries go to: the explicit one, else the first that is there, else as
// create_last says. (GetDefaultFilename)
std::string DefaultFilename(const LoadingRules& rules);

}  // namespace kube::clientcmd

#endif  // CLIENTSET_CLIENTCMD_LOADING_RULES_H_

#ifndef CLIENTSET_CLIENTCMD_MODIFY_CONFIG_H_
#define CLIENTSET_CLIENTCMD_MODIFY_CONFIG_H_

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "clientset/clientcmd/kubeconfig.h"
#include "clientset/clientcmd/loading_rules.h"

namespace kube::clientcmd {

struct ModifyConfigOptions {
  // Makes paths in entries that change relative to their file, where they are below its directory.
  bool relativize_paths = false;
  // How long to wait for others who are changing the same files. Zero: not at all. Default: 10 s.
  absl::Duration lock_timeout = absl::Seconds(10);
};

// Makes the files of `rules` say what `config` says: the way to change a kubeconfig. (ModifyConfig)
//
//   const LoadingRules rules = DefaultPathOptions();
//   KUBE_ASSIGN_OR_RETURN(Kubeconfig config, StartingConfig(rules));
//   config.current_context = "prod";
//   return ModifyConfig(ctx, rules, config);
//
// `config` is what StartingConfig(rules) gave, changed. Each entry that differs goes to the file
// that it is from, a new one to DefaultFilename(rules); one that is missing is taken out. The
// current context goes to the default file, and emptied, out of the first that sets it. Top-level
// extensions are not written, as upstream. Files that nothing changes in are not touched.
//
// All files are locked meanwhile: "FILE.lock" stands beside each, which kubectl respects as well.
// UNAVAILABLE with the name of the lock where another holds it for longer than lock_timeout, or
// left it behind; the context's error if it is done first. Other errors: of Load and WriteToFile;
// some files may have been written then.
absl::Status ModifyConfig(const Context& ctx, const LoadingRules& rules, const Kubeconfig& config,
                          const ModifyConfigOptions& options = {});

}  // namespace kube::clientcmd

#endif  // CLIENTSET_CLIENTCMD_MODIFY_CONFIG_H_

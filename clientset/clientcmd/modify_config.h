#ifndef CLIENTSET_CLIENTCMD_MODIFY_CONFIG_H_
#define CLIENTSET_CLIENTCMD_MODIFY_CONFIG_H_

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "clientset/clientcmd/kubeconfig.h"
#include "clientset/clientcmd/loading_rules.h"

namespace kube::clientcmd {

struct ModifyConfigOptions {
  // Makes paths in changed entries relative to their file if they are below its directory.
  bool relativize_paths = false;
  // How long to wait for other programs that change the same files. Zero: not at all. Default: 10
  // s.
  absl::Duration lock_timeout = absl::Seconds(10);
};

// Changes the files of `rules` so that they result in `config`. This is the way to change a
// kubeconfig. (client-go: `clientcmd.ModifyConfig`)
//
//   const LoadingRules rules = DefaultPathOptions();
//   KUBE_ASSIGN_OR_RETURN(Kubeconfig config, StartingConfig(rules));
//   config.contexts["prod"].namespace_name = "web";
//   KUBE_RETURN_IF_ERROR(ModifyConfig(ctx, rules, config));
//
// `config` is a modified result of StartingConfig(rules). An entry that differs is written to the
// file that it came from, and a new entry to DefaultFilename(rules); an entry that is missing is
// removed from its file. The current context is written to the default file; if it was cleared, it
// is removed from the first file that sets it. As in client-go, top-level extensions are not
// written. Files in which nothing changes are not touched.
//
// Blocks. All files are locked meanwhile by a file "FILE.lock" beside each, which kubectl respects
// as well. Returns UNAVAILABLE with the name of the lock if another program holds it for longer
// than lock_timeout or has left it behind; ctx.status() if `ctx` ends first; and the errors of Load
// and WriteToFile, after which some of the files may have been written.
absl::Status ModifyConfig(const Context& ctx, const LoadingRules& rules, const Kubeconfig& config,
                          const ModifyConfigOptions& options = {});

}  // namespace kube::clientcmd

#endif  // CLIENTSET_CLIENTCMD_MODIFY_CONFIG_H_

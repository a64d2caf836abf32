#include "clientset/clientcmd/modify_config.h"

#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "clientset/clientcmd/internal/file_lock.h"
#include "clientset/clientcmd/kubeconfig.h"
#include "clientset/clientcmd/kubeconfig_file.h"
#include "clientset/clientcmd/loading_rules.h"
#include "clientset/clientcmd/paths.h"

// The files are locked in sorted order and then read once more: the difference between what they
// contain now (`before`) and `config` is what has to be written. Each change (current context,
// preferences, a new or changed entry, a deleted entry) rewrites its one file: Update reads it,
// changes one thing, and writes it back. So other content of a file is preserved, and an error in
// the middle leaves the earlier changes in place.
namespace kube::clientcmd {
namespace {

template <typename Info>
using Infos = std::map<std::string, Info>;

// A missing file counts as empty. (client-go: `getConfigFromFile`)
absl::StatusOr<Kubeconfig> ReadOrEmpty(const std::string& path) {
  absl::StatusOr<Kubeconfig> config = LoadFromFile(path);
  if (absl::IsNotFound(config.status())) return Kubeconfig();
  KUBE_RETURN_IF_ERROR(config, "read ", path);
  return config;
}

absl::Status Update(const std::string& path, absl::FunctionRef<void(Kubeconfig&)> change) {
  KUBE_ASSIGN_OR_RETURN(Kubeconfig config, ReadOrEmpty(path));
  change(config);
  return WriteToFile(config, path);
}

std::string DestinationOf(const std::string& location_of_origin, const LoadingRules& rules) {
  return location_of_origin.empty() ? DefaultFilename(rules) : location_of_origin;
}

absl::Status Relativize(ContextInfo&) { return absl::OkStatus(); }
template <typename Info>
absl::Status Relativize(Info& info) {
  return RelativizeLocalPaths(info);
}

// Writes the entries of one kind, `member`, that are new or have changed.
template <typename Info>
absl::Status WriteChanges(const LoadingRules& rules, const Infos<Info>& before,
                          const Infos<Info>& after, Infos<Info> Kubeconfig::*member,
                          bool relativize_paths) {
  for (const auto& [name, info] : after) {
    const auto old = before.find(name);
    if (old != before.end() && old->second == info) continue;
    const std::string path = DestinationOf(info.location_of_origin, rules);
    Info written = info;
    written.location_of_origin = path;
    if (relativize_paths) KUBE_RETURN_IF_ERROR(Relativize(written));
    const std::string& key = name;
    KUBE_RETURN_IF_ERROR(Update(path, [&](Kubeconfig& file) { (file.*member)[key] = written; }));
  }
  return absl::OkStatus();
}

template <typename Info>
absl::Status WriteDeletions(const LoadingRules& rules, const Infos<Info>& before,
                            const Infos<Info>& after, Infos<Info> Kubeconfig::*member) {
  for (const auto& [name, info] : before) {
    if (after.count(name) != 0) continue;
    const std::string& key = name;
    KUBE_RETURN_IF_ERROR(Update(DestinationOf(info.location_of_origin, rules),
                                [&](Kubeconfig& file) { (file.*member).erase(key); }));
  }
  return absl::OkStatus();
}

bool Exists(const std::string& path) {
  struct stat info = {};
  return stat(path.c_str(), &info) == 0;
}

absl::Status WriteCurrentContext(const LoadingRules& rules, const std::string& context) {
  const auto set = [&context](Kubeconfig& file) { file.current_context = context; };
  if (!rules.explicit_path.empty()) return Update(rules.explicit_path, set);
  if (!context.empty()) return Update(DefaultFilename(rules), set);
  // It was cleared: remove it from the file that sets it.
  for (const std::string& path : LoadingPrecedence(rules)) {
    if (!Exists(path)) continue;
    KUBE_ASSIGN_OR_RETURN(const Kubeconfig file, ReadOrEmpty(path));
    if (!file.current_context.empty()) return Update(path, set);
  }
  return absl::NotFoundError("no config found to write context");
}

absl::Status WritePreferences(const LoadingRules& rules, const Preferences& preferences) {
  for (const std::string& path : LoadingPrecedence(rules)) {
    KUBE_ASSIGN_OR_RETURN(Kubeconfig file, ReadOrEmpty(path));
    if (file.preferences == preferences && rules.explicit_path.empty()) continue;
    file.preferences = preferences;
    return WriteToFile(file, path);
  }
  return absl::NotFoundError("no config found to write preferences");
}

// Locks in sorted order, so that two programs cannot wait for each other.
absl::Status LockAll(const Context& ctx, const LoadingRules& rules, absl::Duration timeout,
                     internal::FileLocks& locks) {
  std::vector<std::string> paths = LoadingPrecedence(rules);
  std::sort(paths.begin(), paths.end());
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
  for (const std::string& path : paths) {
    if (!path.empty()) KUBE_RETURN_IF_ERROR(locks.Lock(ctx, path, timeout));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status ModifyConfig(const Context& ctx, const LoadingRules& rules, const Kubeconfig& config,
                          const ModifyConfigOptions& options) {
  internal::FileLocks locks;
  KUBE_RETURN_IF_ERROR(LockAll(ctx, rules, options.lock_timeout, locks));
  KUBE_ASSIGN_OR_RETURN(const Kubeconfig before, StartingConfig(rules));
  if (before.current_context != config.current_context) {
    KUBE_RETURN_IF_ERROR(WriteCurrentContext(rules, config.current_context));
  }
  if (before.preferences != config.preferences) {
    KUBE_RETURN_IF_ERROR(WritePreferences(rules, config.preferences));
  }
  using K = Kubeconfig;
  const bool relativize = options.relativize_paths;
  KUBE_RETURN_IF_ERROR(
      WriteChanges(rules, before.clusters, config.clusters, &K::clusters, relativize));
  KUBE_RETURN_IF_ERROR(
      WriteChanges(rules, before.contexts, config.contexts, &K::contexts, relativize));
  KUBE_RETURN_IF_ERROR(WriteChanges(rules, before.users, config.users, &K::users, relativize));
  KUBE_RETURN_IF_ERROR(WriteDeletions(rules, before.clusters, config.clusters, &K::clusters));
  KUBE_RETURN_IF_ERROR(WriteDeletions(rules, before.contexts, config.contexts, &K::contexts));
  return WriteDeletions(rules, before.users, config.users, &K::users);
}

}  // namespace kube::clientcmd

#include "clientset/clientcmd/loading_rules.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/status.h"
#include "clientset/clientcmd/environment.h"
#include "clientset/clientcmd/internal/merge.h"
#include "clientset/clientcmd/internal/read_file.h"
#include "clientset/clientcmd/kubeconfig.h"
#include "clientset/clientcmd/kubeconfig_file.h"
#include "clientset/clientcmd/paths.h"

namespace kube::clientcmd {
namespace {

std::vector<std::string> SplitList(const std::string& list) {
  std::vector<std::string> paths;
  for (const absl::string_view path : absl::StrSplit(list, ':')) {
    if (std::find(paths.begin(), paths.end(), path) == paths.end()) paths.emplace_back(path);
  }
  return paths;
}

// Returns the errno of stat, or zero.
int StatError(const std::string& path) {
  struct stat info = {};
  return stat(path.c_str(), &info) == 0 ? 0 : errno;
}

void Warn(const LoadingRules& rules, const std::vector<std::string>& missing) {
  const absl::Status warning =
      absl::NotFoundError(absl::StrCat("Config not found: ", absl::StrJoin(missing, ", ")));
  if (rules.warner != nullptr) {
    rules.warner(warning);
  } else {
    KUBE_VLOG(1, "kubeconfig not found", {"files", absl::StrJoin(missing, ", ")});
  }
}

}  // namespace

LoadingRules DefaultLoadingRules(const Environment& environment) {
  LoadingRules rules;
  if (environment.kubeconfig.empty()) {
    rules.precedence = {HomeFile(environment)};
  } else {
    rules.precedence = SplitList(environment.kubeconfig);
    rules.warn_if_all_missing = true;
  }
  return rules;
}

LoadingRules DefaultPathOptions(const Environment& environment) {
  LoadingRules rules = DefaultLoadingRules(environment);
  rules.resolve_paths = false;
  rules.create_last = true;
  return rules;
}

absl::StatusOr<Kubeconfig> Load(const LoadingRules& rules) {
  if (!rules.explicit_path.empty() && StatError(rules.explicit_path) == ENOENT) {
    return internal::ErrnoStatus(ENOENT, "stat", rules.explicit_path);
  }
  std::vector<Kubeconfig> files;
  std::vector<std::string> missing;
  std::vector<absl::Status> errors;
  for (const std::string& path : LoadingPrecedence(rules)) {
    if (path.empty()) continue;
    absl::StatusOr<Kubeconfig> file = LoadFromFile(path);
    if (file.ok()) {
      files.push_back(*std::move(file));
    } else if (absl::IsNotFound(file.status())) {
      missing.push_back(path);
    } else {
      errors.push_back(
          base::Annotate(file.status(), absl::StrCat("error loading config file \"", path, "\"")));
    }
  }
  if (rules.warn_if_all_missing && files.empty() && !missing.empty()) Warn(rules, missing);
  // client-go merges maps forwards and everything else backwards; the result is the same.
  Kubeconfig config;
  for (auto file = files.rbegin(); file != files.rend(); ++file) internal::Merge(config, *file);
  if (rules.resolve_paths) errors.push_back(ResolveLocalPaths(config));
  KUBE_RETURN_IF_ERROR(base::JoinErrors(errors));
  return config;
}

std::vector<std::string> LoadingPrecedence(const LoadingRules& rules) {
  if (!rules.explicit_path.empty()) return {rules.explicit_path};
  return rules.precedence;
}

absl::StatusOr<Kubeconfig> StartingConfig(const LoadingRules& rules) {
  absl::StatusOr<Kubeconfig> config = Load(rules);
  if (absl::IsNotFound(config.status())) return Kubeconfig();
  return config;
}

std::string DefaultFilename(const LoadingRules& rules) {
  if (!rules.explicit_path.empty()) return rules.explicit_path;
  for (const std::string& path : rules.precedence) {
    if (StatError(path) == 0) return path;
  }
  if (rules.precedence.empty()) return "";
  return rules.create_last ? rules.precedence.back() : rules.precedence.front();
}

}  // namespace kube::clientcmd

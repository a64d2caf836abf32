#include "clientset/clientcmd/paths.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "apimachinery/base/status.h"
#include "clientset/clientcmd/internal/go_path.h"
#include "clientset/clientcmd/kubeconfig.h"

namespace kube::clientcmd {
namespace {

// (client-go: `GetClusterFileReferences`, `GetAuthInfoFileReferences`)
std::vector<std::string*> References(ClusterInfo& cluster) {
  return {&cluster.certificate_authority};
}
std::vector<std::string*> References(AuthInfo& user) {
  std::vector<std::string*> references = {&user.client_certificate, &user.client_key,
                                          &user.token_file};
  if (user.exec.has_value() && absl::StrContains(user.exec->command, '/')) {
    references.push_back(&user.exec->command);
  }
  return references;
}

absl::StatusOr<std::string> BaseOf(const std::string& location) {
  return internal::AbsolutePath(internal::DirectoryOf(location));
}

template <typename Info>
void Resolve(Info& info, const std::string& base) {
  for (std::string* path : References(info)) {
    if (!path->empty() && !internal::IsAbsolutePath(*path)) *path = internal::JoinPath(base, *path);
  }
}

template <typename Info>
absl::Status Relativize(Info& info) {
  if (info.location_of_origin.empty()) {
    return absl::InvalidArgumentError("make paths relative: no location of origin");
  }
  KUBE_ASSIGN_OR_RETURN(const std::string base, BaseOf(info.location_of_origin));
  Resolve(info, base);
  for (std::string* path : References(info)) {
    if (path->empty()) continue;
    KUBE_ASSIGN_OR_RETURN(std::string relative, internal::RelativePath(base, *path));
    // A path that leads upwards stays absolute.
    if (!absl::StartsWith(relative, "../")) *path = std::move(relative);
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status ResolveLocalPaths(Kubeconfig& config) {
  const auto resolve = [](auto& infos) -> absl::Status {
    for (auto& [name, info] : infos) {
      if (info.location_of_origin.empty()) continue;
      KUBE_ASSIGN_OR_RETURN(const std::string base, BaseOf(info.location_of_origin));
      Resolve(info, base);
    }
    return absl::OkStatus();
  };
  KUBE_RETURN_IF_ERROR(resolve(config.clusters));
  return resolve(config.users);
}

absl::Status RelativizeLocalPaths(ClusterInfo& cluster) { return Relativize(cluster); }
absl::Status RelativizeLocalPaths(AuthInfo& user) { return Relativize(user); }

}  // namespace kube::clientcmd

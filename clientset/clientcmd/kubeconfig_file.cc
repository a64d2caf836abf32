#include "clientset/clientcmd/kubeconfig_file.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/status.h"
#include "clientset/clientcmd/internal/read_file.h"
#include "clientset/clientcmd/internal/write_file.h"
#include "clientset/clientcmd/kubeconfig.h"
#include "clientset/clientcmd/kubeconfig_codec.h"

namespace kube::clientcmd {

absl::StatusOr<Kubeconfig> LoadFromFile(const std::string& path) {
  KUBE_ASSIGN_OR_RETURN(std::string text, internal::ReadFile(path));
  // A Secret, so that the text, which contains readable secrets, is wiped at the end.
  const base::Secret content(std::move(text));
  KUBE_ASSIGN_OR_RETURN(Kubeconfig config, DecodeKubeconfig(content.Reveal()));
  for (auto& [name, cluster] : config.clusters) cluster.location_of_origin = path;
  for (auto& [name, user] : config.users) user.location_of_origin = path;
  for (auto& [name, context] : config.contexts) context.location_of_origin = path;
  return config;
}

absl::Status WriteToFile(const Kubeconfig& config, const std::string& path) {
  KUBE_ASSIGN_OR_RETURN(std::string text, EncodeKubeconfig(config), "write ", path);
  const base::Secret content(std::move(text));
  return internal::WriteFile(path, content.Reveal());
}

}  // namespace kube::clientcmd

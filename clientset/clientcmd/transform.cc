#include "clientset/clientcmd/transform.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/status.h"
#include "clientset/clientcmd/internal/go_path.h"
#include "clientset/clientcmd/internal/read_file.h"
#include "clientset/clientcmd/kubeconfig.h"

namespace kube::clientcmd {
namespace {

constexpr absl::string_view kRedacted = "REDACTED";

// The bytes whose base64 form is DATA+OMITTED.
std::string OmittedData() {
  std::string data;
  absl::Base64Unescape("DATA+OMITTED", &data);
  return data;
}

void Hide(base::Secret& secret) {
  if (!secret.empty()) secret = base::Secret(kRedacted);
}

// Moves the content of the file at `path` to `data`, a string or a Secret.
template <typename Data>
absl::Status Embed(std::string& path, Data& data, const std::string& base) {
  if (path.empty()) return absl::OkStatus();
  if (!data.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("embed ", path, ": cannot have values for both path and contents"));
  }
  KUBE_ASSIGN_OR_RETURN(
      std::string content,
      internal::ReadFile(internal::IsAbsolutePath(path) ? path : internal::JoinPath(base, path)));
  data = Data(std::move(content));
  path.clear();
  return absl::OkStatus();
}

template <typename Infos>
bool Contains(const Infos& infos, const std::string& name) {
  return infos.find(name) != infos.end();
}

// Removes all entries but `name`; removes all of them if `name` is empty.
template <typename Infos>
absl::Status KeepOnly(Infos& infos, const std::string& name, absl::string_view what) {
  Infos kept;
  if (!name.empty()) {
    if (!Contains(infos, name)) {
      return absl::NotFoundError(absl::StrCat("cannot locate ", what, " ", name));
    }
    kept.emplace(name, std::move(infos[name]));
  }
  infos = std::move(kept);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Kubeconfig> Flatten(Kubeconfig config) {
  for (auto& [name, user] : config.users) {
    KUBE_ASSIGN_OR_RETURN(const std::string base,
                          internal::AbsolutePath(internal::DirectoryOf(user.location_of_origin)));
    KUBE_RETURN_IF_ERROR(Embed(user.client_certificate, user.client_certificate_data, base));
    KUBE_RETURN_IF_ERROR(Embed(user.client_key, user.client_key_data, base));
  }
  for (auto& [name, cluster] : config.clusters) {
    KUBE_ASSIGN_OR_RETURN(
        const std::string base,
        internal::AbsolutePath(internal::DirectoryOf(cluster.location_of_origin)));
    KUBE_RETURN_IF_ERROR(
        Embed(cluster.certificate_authority, cluster.certificate_authority_data, base));
  }
  return config;
}

absl::StatusOr<Kubeconfig> Minify(Kubeconfig config) {
  if (config.current_context.empty()) {
    return absl::FailedPreconditionError("current-context must exist in order to minify");
  }
  KUBE_RETURN_IF_ERROR(KeepOnly(config.contexts, config.current_context, "context"));
  const ContextInfo& context = config.contexts.begin()->second;
  KUBE_RETURN_IF_ERROR(KeepOnly(config.clusters, context.cluster, "cluster"));
  KUBE_RETURN_IF_ERROR(KeepOnly(config.users, context.user, "user"));
  return config;
}

Kubeconfig Shorten(Kubeconfig config) {
  const std::string omitted = OmittedData();
  for (auto& [name, user] : config.users) {
    if (!user.client_key_data.empty()) user.client_key_data = base::Secret(omitted);
    if (!user.client_certificate_data.empty()) user.client_certificate_data = omitted;
    Hide(user.token);
  }
  for (auto& [name, cluster] : config.clusters) {
    if (!cluster.certificate_authority_data.empty()) cluster.certificate_authority_data = omitted;
  }
  return config;
}

Kubeconfig Redact(Kubeconfig config) {
  for (auto& [name, user] : config.users) {
    Hide(user.client_key_data);
    Hide(user.token);
    Hide(user.password);
  }
  return config;
}

}  // namespace kube::clientcmd

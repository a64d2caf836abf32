#include "clientset/clientcmd/internal/merge.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "apimachinery/base/secret.h"
#include "clientset/clientcmd/kubeconfig.h"

namespace kube::clientcmd::internal {
namespace {

void MergeField(bool& to, bool from) { to = to || from; }

template <typename T>
void MergeField(std::optional<T>& to, const std::optional<T>& from) {
  if (from.has_value()) to = from;
}

template <typename T>
void MergeField(std::map<std::string, T>& to, const std::map<std::string, T>& from) {
  for (const auto& [key, value] : from) to.insert_or_assign(key, value);
}

void MergeField(std::string& to, const std::string& from) {
  if (!from.empty()) to = from;
}
void MergeField(base::Secret& to, const base::Secret& from) {
  if (!from.empty()) to = from;
}
void MergeField(std::vector<std::string>& to, const std::vector<std::string>& from) {
  if (!from.empty()) to = from;
}

template <typename T, typename... Fields>
void MergeFields(T& to, const T& from, Fields... fields) {
  (MergeField(to.*fields, from.*fields), ...);
}

}  // namespace

void Merge(ClusterInfo& to, const ClusterInfo& from) {
  using C = ClusterInfo;
  MergeFields(to, from, &C::location_of_origin, &C::server, &C::tls_server_name,
              &C::insecure_skip_tls_verify, &C::certificate_authority,
              &C::certificate_authority_data, &C::proxy_url, &C::disable_compression,
              &C::extensions);
}

void Merge(AuthInfo& to, const AuthInfo& from) {
  using A = AuthInfo;
  MergeFields(to, from, &A::location_of_origin, &A::client_certificate, &A::client_certificate_data,
              &A::client_key, &A::client_key_data, &A::token, &A::token_file, &A::impersonate,
              &A::impersonate_uid, &A::impersonate_groups, &A::impersonate_user_extra, &A::username,
              &A::password, &A::auth_provider, &A::exec, &A::extensions);
}

void Merge(ContextInfo& to, const ContextInfo& from) {
  using C = ContextInfo;
  MergeFields(to, from, &C::location_of_origin, &C::cluster, &C::user, &C::namespace_name,
              &C::extensions);
}

void Merge(Kubeconfig& to, const Kubeconfig& from) {
  using K = Kubeconfig;
  MergeFields(to, from, &K::clusters, &K::users, &K::contexts, &K::current_context, &K::extensions);
  MergeFields(to.preferences, from.preferences, &Preferences::colors, &Preferences::extensions);
}

}  // namespace kube::clientcmd::internal

#include "clientset/rest/exec_info.h"

#include <cstdlib>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/clientauthentication/v1/types.kube.h"
#include "api/clientauthentication/v1beta1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/codec/type_meta.h"
#include "clientset/rest/config.h"

namespace kube::rest {
namespace {

namespace v1 = api::clientauthentication::v1;
namespace v1beta1 = api::clientauthentication::v1beta1;

constexpr char kKind[] = "ExecCredential";
constexpr char kV1[] = "client.authentication.k8s.io/v1";
constexpr char kV1beta1[] = "client.authentication.k8s.io/v1beta1";
constexpr char kVariable[] = "KUBERNETES_EXEC_INFO";

// T is the ExecCredential of one of the versions, whose members are the same.
template <typename T>
absl::StatusOr<ExecInfo> InfoOf(absl::string_view json) {
  KUBE_ASSIGN_OR_RETURN(const T credential, codec::DecodeJson<T>(json), "decode");
  if (!credential.spec.cluster.has_value()) {
    return absl::FailedPreconditionError("ExecCredential does not contain cluster information");
  }
  const auto& cluster = *credential.spec.cluster;
  ExecInfo info = {.interactive = credential.spec.interactive, .cluster_config = cluster.config};
  info.config.host = std::string(cluster.server.view());
  info.config.tls.server_name = std::string(cluster.tls_server_name.view());
  info.config.tls.insecure = cluster.insecure_skip_tls_verify;
  info.config.tls.ca_data = std::string(cluster.certificate_authority_data.view());
  info.config.disable_compression = cluster.disable_compression;
  // Without one, it is the proxy of the environment, as for all clients.
  if (!cluster.proxy_url.empty()) info.config.proxy_url = std::string(cluster.proxy_url.view());
  return info;
}

}  // namespace

absl::StatusOr<ExecInfo> LoadExecInfo(absl::string_view json) {
  KUBE_ASSIGN_OR_RETURN(const codec::TypeMeta type, codec::TypeMetaOfJson(json), "decode");
  const bool is_v1 = type.api_version == kV1;
  if (type.kind != kKind || (!is_v1 && type.api_version != kV1beta1)) {
    return absl::InvalidArgumentError(absl::StrCat("invalid kind: wanted ", kKind, " of ", kV1,
                                                   " or ", kV1beta1, ", got ", type.kind, " of ",
                                                   type.api_version));
  }
  KUBE_ASSIGN_OR_RETURN(ExecInfo info, is_v1 ? InfoOf<v1::ExecCredential>(json)
                                             : InfoOf<v1beta1::ExecCredential>(json));
  info.api_version = is_v1 ? kV1 : kV1beta1;
  return info;
}

absl::StatusOr<ExecInfo> LoadExecInfoFromEnvironment() {
  const char* const text = std::getenv(kVariable);
  if (text == nullptr || *text == '\0') {
    return absl::FailedPreconditionError(absl::StrCat(kVariable, " env var is unset or empty"));
  }
  return LoadExecInfo(text);
}

}  // namespace kube::rest

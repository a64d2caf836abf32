#include "clientset/rest/internal/credentials/exec_credential.h"

#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/clientauthentication/v1/types.kube.h"
#include "api/clientauthentication/v1beta1/types.kube.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/codec/type_meta.h"
#include "apimachinery/codec/yaml/yaml_to_json.h"
#include "clientset/rest/config.h"
#include "clientset/rest/internal/credentials/credential_source.h"
#include "clientset/rest/internal/credentials/token_file.h"
#include "net/io/pem.h"

namespace kube::rest::internal {

namespace {

namespace v1 = api::clientauthentication::v1;
namespace v1beta1 = api::clientauthentication::v1beta1;

constexpr absl::string_view kV1 = "client.authentication.k8s.io/v1";
constexpr absl::string_view kV1beta1 = "client.authentication.k8s.io/v1beta1";
constexpr char kKind[] = "ExecCredential";

absl::Status Invalid(absl::string_view what) { return absl::InvalidArgumentError(what); }

absl::Status Undecodable(absl::string_view what) {
  return Invalid(absl::StrCat("decoding stdout: ", what));
}

v1beta1::Cluster ToV1beta1(const v1::Cluster& cluster) {
  return {.server = cluster.server,
          .tls_server_name = cluster.tls_server_name,
          .insecure_skip_tls_verify = cluster.insecure_skip_tls_verify,
          .certificate_authority_data = cluster.certificate_authority_data,
          .proxy_url = cluster.proxy_url,
          .disable_compression = cluster.disable_compression,
          .config = cluster.config};
}

// Converts the text to JSON: apimachinery's decoder accepts JSON and YAML.
absl::StatusOr<base::Secret> ToJson(absl::string_view output) {
  const absl::string_view text = absl::StripLeadingAsciiWhitespace(output);
  if (absl::StartsWith(text, "{")) return base::Secret(text);
  absl::StatusOr<codec::JsonFromYaml> converted = codec::YamlToJson(output);
  // The parser's message may quote parts of the text, so it is dropped.
  if (!converted.ok()) return Undecodable("neither JSON nor YAML");
  return base::Secret(std::move(converted->json));
}

absl::Status CheckType(absl::string_view api_version, absl::string_view json) {
  const absl::StatusOr<codec::TypeMeta> type = codec::TypeMetaOfJson(json);
  if (!type.ok()) return Undecodable("not an API object");
  // Without a kind it is taken for the expected kind, as apimachinery does.
  if (!type->kind.empty() && type->kind != kKind) return Undecodable("not an ExecCredential");
  if (type->api_version == api_version) return absl::OkStatus();
  if (type->api_version.empty()) return Undecodable("apiVersion is missing");
  // An unknown version is not repeated in the error: it may be any text.
  const std::string returned = IsExecVersion(type->api_version)
                                   ? absl::StrCat("version ", type->api_version)
                                   : std::string("an unknown version");
  return Invalid(absl::StrCat("is configured to use API version ", api_version,
                              ", plugin returned ", returned));
}

absl::StatusOr<Credentials> CredentialsOf(const v1::ExecCredentialStatus& status) {
  Credentials credentials;
  const std::string token(status.token);
  credentials.certificate = std::string(status.client_certificate_data);
  credentials.key = base::Secret(std::string(status.client_key_data));
  const bool has_certificate = !credentials.certificate.empty();
  if (has_certificate == credentials.key.empty()) {
    return Invalid("returned only certificate or key, not both");
  }
  if (token.empty() && !has_certificate) return Invalid("didn't return a token or cert/key pair");
  if (!token.empty()) {
    KUBE_RETURN_IF_ERROR(CheckToken(token), "decoding stdout");
    credentials.authorization = base::Secret(absl::StrCat("Bearer ", token));
  }
  if (has_certificate) {
    KUBE_ASSIGN_OR_RETURN(const io::Validity validity,
                          io::CheckKeyPair(credentials.certificate, credentials.key.Reveal()),
                          "failed parsing client key/certificate");
    credentials.not_before = validity.not_before;
    credentials.not_after = validity.not_after;
  }
  // Go's zero time means that the time is not set.
  if (status.expiration_timestamp.has_value() && !status.expiration_timestamp->IsZero()) {
    credentials.expiration = status.expiration_timestamp->ToAbslTime();
  }
  return credentials;
}

// Returns the status of `json` as the type of v1, whatever T is; nullopt if it has no status.
template <typename T>
absl::StatusOr<std::optional<v1::ExecCredentialStatus>> StatusOf(absl::string_view json) {
  absl::StatusOr<T> decoded = codec::DecodeJson<T>(json);
  // The decoder's message says where the error is and never contains the text.
  if (!decoded.ok()) return Undecodable(decoded.status().message());
  if (!decoded->status.has_value()) return std::nullopt;
  auto& status = *decoded->status;
  return v1::ExecCredentialStatus{
      .expiration_timestamp = std::move(status.expiration_timestamp),
      .token = std::move(status.token),
      .client_certificate_data = std::move(status.client_certificate_data),
      .client_key_data = std::move(status.client_key_data)};
}

}  // namespace

bool IsExecVersion(absl::string_view api_version) {
  return api_version == kV1 || api_version == kV1beta1;
}

ExecCluster MakeExecCluster(const Config& config, absl::string_view ca) {
  ExecCluster cluster{.server = config.host,
                      .tls_server_name = config.tls.server_name,
                      .insecure_skip_tls_verify = config.tls.insecure,
                      .proxy_url = config.proxy_url.value_or(""),
                      .disable_compression = config.disable_compression};
  if (!ca.empty()) cluster.certificate_authority_data = ca;
  if (config.exec.has_value()) cluster.config = config.exec->cluster_config;
  return cluster;
}

absl::StatusOr<std::string> EncodeExecInfo(absl::string_view api_version, bool interactive,
                                           const std::optional<ExecCluster>& cluster) {
  if (api_version == kV1) {
    v1::ExecCredential info{.kind = kKind, .api_version = api_version};
    info.spec.interactive = interactive;
    if (cluster.has_value()) info.spec.cluster = *cluster;
    return codec::EncodeJson(info);
  }
  v1beta1::ExecCredential info{.kind = kKind, .api_version = api_version};
  info.spec.interactive = interactive;
  if (cluster.has_value()) info.spec.cluster = ToV1beta1(*cluster);
  return codec::EncodeJson(info);
}

absl::StatusOr<Credentials> DecodeExecCredential(absl::string_view api_version,
                                                 absl::string_view output) {
  KUBE_ASSIGN_OR_RETURN(const base::Secret json, ToJson(output));
  KUBE_RETURN_IF_ERROR(CheckType(api_version, json.Reveal()));
  KUBE_ASSIGN_OR_RETURN(const std::optional<v1::ExecCredentialStatus> status,
                        api_version == kV1 ? StatusOf<v1::ExecCredential>(json.Reveal())
                                           : StatusOf<v1beta1::ExecCredential>(json.Reveal()));
  if (!status.has_value()) return Invalid("didn't return a status field");
  return CredentialsOf(*status);
}

}  // namespace kube::rest::internal

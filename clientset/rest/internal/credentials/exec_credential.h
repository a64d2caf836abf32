#ifndef CLIENTSET_REST_INTERNAL_CREDENTIALS_EXEC_CREDENTIAL_H_
#define CLIENTSET_REST_INTERNAL_CREDENTIALS_EXEC_CREDENTIAL_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/clientauthentication/v1/types.kube.h"
#include "clientset/rest/config.h"
#include "clientset/rest/internal/credentials/credential_source.h"

// The input and the output of a credential plug-in: the kind ExecCredential of
// client.authentication.k8s.io, in the versions v1 and v1beta1, which have the same fields.
namespace kube::rest::internal {

using ExecCluster = api::clientauthentication::v1::Cluster;

// Returns whether `api_version` is one of the two supported versions.
bool IsExecVersion(absl::string_view api_version);

// Returns the information about the cluster that a plug-in gets. `ca` is the text of the
// authorities in PEM. The proxy is included only if the configuration sets one. (client-go:
// `rest.ConfigToExecCluster`)
ExecCluster MakeExecCluster(const Config& config, absl::string_view ca);

// Returns the JSON for KUBERNETES_EXEC_INFO. Returns INVALID_ARGUMENT if the cluster's extension is
// not JSON.
absl::StatusOr<std::string> EncodeExecInfo(absl::string_view api_version, bool interactive,
                                           const std::optional<ExecCluster>& cluster);

// Decodes the credentials that a plug-in has printed, in JSON or YAML, and checks a certificate.
// Returns INVALID_ARGUMENT with the reason, but without any part of the output.
absl::StatusOr<Credentials> DecodeExecCredential(absl::string_view api_version,
                                                 absl::string_view output);

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_CREDENTIALS_EXEC_CREDENTIAL_H_

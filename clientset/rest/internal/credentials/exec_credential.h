#ifndef CLIENTSET_REST_INTERNAL_CREDENTIALS_EXEC_CREDENTIAL_H_
#define CLIENTSET_REST_INTERNAL_CREDENTIALS_EXEC_CREDENTIAL_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/clientauthentication/v1/types.kube.h"
#include "clientset/rest/config.h"
#include "clientset/rest/internal/credentials/credential_source.h"

// What a plug-in is told, and what it answers: the kind ExecCredential of
// client.authentication.k8s.io, in the versions v1 and v1beta1. They have the same fields.
namespace kube::rest::internal {

using ExecCluster = api::clientauthentication::v1::Cluster;

// Whether `api_version` is one of the two.
bool IsExecVersion(absl::string_view api_version);

// The cluster as plug-ins are told of it; `ca` is the text of the authorities. A proxy is named
// where the configuration has one. (rest.ConfigToExecCluster)
ExecCluster MakeExecCluster(const Config& config, absl::string_view ca);

// The JSON of KUBERNETES_EXEC_INFO. INVALID_ARGUMENT: the cluster's extension is no JSON.
absl::StatusOr<std::string> EncodeExecInfo(absl::string_view api_version, bool interactive,
                                           const std::optional<ExecCluster>& cluster);

// The credentials that a plug-in has printed, in JSON or YAML; a certificate has been checked.
// INVALID_ARGUMENT says what is wrong and has no part of the output.
absl::StatusOr<Credentials> DecodeExecCredential(absl::string_view api_version,
                                                 absl::string_view output);

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_CREDENTIALS_EXEC_CREDENTIAL_H_

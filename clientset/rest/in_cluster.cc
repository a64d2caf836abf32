#include "clientset/rest/in_cluster.h"

#include <cstdlib>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/status.h"
#include "clientset/rest/config.h"
#include "net/io/pem.h"
#include "net/io/secret_reader.h"

namespace kube::rest {

namespace {

constexpr absl::string_view kNotInCluster =
    "unable to load in-cluster configuration, KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT "
    "must be defined";

std::string Variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// (Go: `net.JoinHostPort`)
std::string JoinHostPort(const std::string& host, const std::string& port) {
  const bool brackets = absl::StrContains(host, ":");
  return absl::StrCat(brackets ? "[" : "", host, brackets ? "]" : "", ":", port);
}

absl::Status CheckAuthorities(const std::string& file) {
  KUBE_ASSIGN_OR_RETURN(const base::Secret content, io::ReadSecretFile(file));
  return base::Annotate(io::CertificatesOf(content.Reveal()).status(),
                        absl::StrCat("read \"", file, "\""));
}

}  // namespace

absl::StatusOr<Config> InClusterConfig(const InClusterOptions& options) {
  const std::string host = Variable("KUBERNETES_SERVICE_HOST");
  const std::string port = Variable("KUBERNETES_SERVICE_PORT");
  if (host.empty() || port.empty()) return absl::FailedPreconditionError(kNotInCluster);

  Config config;
  config.host = absl::StrCat("https://", JoinHostPort(host, port));
  config.bearer_token_file = absl::StrCat(options.service_account_folder, "/token");
  KUBE_ASSIGN_OR_RETURN(const base::Secret token, io::ReadSecretFile(config.bearer_token_file),
                        "load in-cluster configuration");
  config.bearer_token = base::Secret(absl::StripAsciiWhitespace(token.Reveal()));
  const std::string ca_file = absl::StrCat(options.service_account_folder, "/ca.crt");
  if (const absl::Status loaded = CheckAuthorities(ca_file); !loaded.ok()) {
    log::Error(loaded, "failed to load root CA config, using the system's root certificates");
  } else {
    config.tls.ca_file = ca_file;
  }
  return config;
}

bool IsNotInCluster(const absl::Status& status) {
  return absl::IsFailedPrecondition(status) && absl::StrContains(status.message(), kNotInCluster);
}

}  // namespace kube::rest

#include "clientset/rest/internal/credentials/certificate_files.h"

#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/metrics.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/status.h"
#include "clientset/rest/config.h"
#include "net/io/pem.h"
#include "net/io/secret_reader.h"

namespace kube::rest::internal {

namespace {

std::string NameOf(const std::string& file, const char* data) {
  return file.empty() ? data : absl::StrCat("\"", file, "\"");
}

}  // namespace

absl::StatusOr<ClientCertificate> ClientCertificate::Make(const TlsClientConfig& config) {
  const bool has_certificate = !config.cert_data.empty() || !config.cert_file.empty();
  const bool has_key = !config.key_data.empty() || !config.key_file.empty();
  if (has_certificate != has_key) {
    return absl::InvalidArgumentError(has_key
                                          ? "tls has a client key without a client certificate"
                                          : "tls has a client certificate without a client key");
  }
  if (has_certificate && config.get_key_pair != nullptr) {
    return absl::InvalidArgumentError(
        "tls has a client certificate and get_key_pair, which may not both be set");
  }
  ClientCertificate made;
  if (!has_certificate) return made;
  made.certificate_ = config.cert_data;
  made.key_ = config.key_data;
  if (config.cert_data.empty()) made.cert_file_ = config.cert_file;
  if (config.key_data.empty()) made.key_file_ = config.key_file;
  // As in client-go: nothing is read again if one of the two is data.
  made.reloads_ = !made.cert_file_.empty() && !made.key_file_.empty();
  KUBE_RETURN_IF_ERROR(made.Read());
  made.due_ = base::Now() + kCertificatePeriod;
  return made;
}

absl::Status ClientCertificate::Read() {
  std::string certificate = certificate_;
  base::Secret key = key_;
  if (!cert_file_.empty()) {
    KUBE_ASSIGN_OR_RETURN(const base::Secret content, io::ReadSecretFile(cert_file_));
    certificate = std::string(content.Reveal());
  }
  if (!key_file_.empty()) {
    KUBE_ASSIGN_OR_RETURN(key, io::ReadSecretFile(key_file_));
  }
  KUBE_ASSIGN_OR_RETURN(validity_, io::CheckKeyPair(certificate, key.Reveal()),
                        "load client certificate from ", NameOf(cert_file_, "cert_data"), " and ",
                        NameOf(key_file_, "key_data"));
  certificate_ = std::move(certificate);
  key_ = std::move(key);
  return absl::OkStatus();
}

absl::StatusOr<bool> ClientCertificate::Refresh() {
  if (base::Now() < due_) return false;
  return Reload();
}

absl::StatusOr<bool> ClientCertificate::Reload() {
  if (!reloads_) return false;
  const std::string certificate = certificate_;
  const base::Secret key = key_;
  const absl::Status read = Read();
  due_ = base::Now() + (read.ok() ? kCertificatePeriod : kRetry);
  if (!read.ok()) return read;
  return certificate != certificate_ || key != key_;
}

bool ClientCertificate::Replace(std::shared_ptr<const ClientKeyPair> provided) {
  if (provided == provided_) return false;
  provided_ = std::move(provided);
  certificate_ = provided_ == nullptr ? std::string() : provided_->certificate;
  key_ = provided_ == nullptr ? base::Secret() : provided_->key;
  return true;
}

absl::StatusOr<base::CounterVec> Authorities::MakeReloadCounter(base::MetricsProvider& provider) {
  return provider.MakeCounter({.name = "rest_client_transport_ca_reload_total",
                               .help = "Number of times a CA reload is attempted, partitioned by "
                                       "the result and reason for the reload attempt",
                               .label_names = {"result", "reason"}});
}

absl::StatusOr<Authorities> Authorities::Make(const TlsClientConfig& config,
                                              base::CounterVec reloads) {
  Authorities made;
  made.reloads_ = std::move(reloads);
  if (!config.ca_data.empty()) {
    KUBE_ASSIGN_OR_RETURN(made.certificates_, io::CertificatesOf(config.ca_data),
                          "load root certificates from ca_data");
  } else if (!config.ca_file.empty()) {
    made.file_ = config.ca_file;
    KUBE_RETURN_IF_ERROR(made.Read().status);
    made.due_ = base::Now() + kCertificatePeriod;
  }
  return made;
}

Authorities::Outcome Authorities::Read() {
  const absl::StatusOr<base::Secret> content = io::ReadSecretFile(file_);
  if (!content.ok()) {
    std::error_code error;
    const bool empty = std::filesystem::file_size(file_, error) == 0 && !error;
    return {.status = content.status(), .reason = empty ? "empty" : "read_error"};
  }
  absl::StatusOr<std::string> certificates = io::CertificatesOf(content->Reveal());
  if (!certificates.ok()) {
    return {.status = base::Annotate(certificates.status(),
                                     absl::StrCat("load root certificates from \"", file_, "\"")),
            .reason = "ca_parse_error"};
  }
  if (*certificates == certificates_) return {.reason = "unchanged"};
  certificates_ = *std::move(certificates);
  return {.reason = "updated", .updated = true};
}

absl::StatusOr<bool> Authorities::Refresh() {
  const base::MonotonicTime now = base::Now();
  if (file_.empty() || now < due_) return false;
  // The next attempt follows a period later even after an error.
  due_ = now + kCertificatePeriod;
  const Outcome outcome = Read();
  reloads_.WithLabelValues({outcome.status.ok() ? "success" : "failure", outcome.reason})
      .Increment();
  KUBE_RETURN_IF_ERROR(outcome.status);
  return outcome.updated;
}

}  // namespace kube::rest::internal

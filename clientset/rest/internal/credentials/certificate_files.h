#ifndef CLIENTSET_REST_INTERNAL_CREDENTIALS_CERTIFICATE_FILES_H_
#define CLIENTSET_REST_INTERNAL_CREDENTIALS_CERTIFICATE_FILES_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/metrics.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/secret.h"
#include "clientset/rest/config.h"
#include "net/io/pem.h"

namespace kube::rest::internal {

// How often certificate files are read. (client-go: `transport.CertCallbackRefreshDuration`,
// `transport.caRefreshDuration`)
constexpr absl::Duration kCertificatePeriod = absl::Minutes(5);

// The client's certificate and key, from data or files. If both are files, they are read again
// periodically. Thread-compatible.
class ClientCertificate {
 public:
  // Reads and checks certificate and key. Returns INVALID_ARGUMENT, naming the file or "cert_data"
  // and "key_data", if they cannot be used. If neither is configured, both are empty.
  static absl::StatusOr<ClientCertificate> Make(const TlsClientConfig& config);

  // Reads the files if that is due. Returns whether the pair has changed. After an error the old
  // pair is kept and the files are tried again after ten seconds: two files cannot be replaced at
  // once, and for a moment may not match.
  absl::StatusOr<bool> Refresh();
  // Like Refresh, but reads the files whether or not that is due.
  absl::StatusOr<bool> Reload();
  // Takes the pair that TlsClientConfig::get_key_pair has returned; null means no certificate.
  // Returns whether it is another one.
  bool Replace(std::shared_ptr<const ClientKeyPair> provided);

  const std::string& certificate() const { return certificate_; }
  const base::Secret& key() const { return key_; }
  const io::Validity& validity() const { return validity_; }

 private:
  static constexpr absl::Duration kRetry = absl::Seconds(10);

  absl::Status Read();

  std::string cert_file_;  // empty if the data are used
  std::string key_file_;
  bool reloads_ = false;
  std::string certificate_;
  base::Secret key_;
  std::shared_ptr<const ClientKeyPair> provided_;  // of which the two were made
  io::Validity validity_;
  base::MonotonicTime due_;
};

// The certificate authorities to trust, from data or from a file, which is read again periodically.
// Thread-compatible.
class Authorities {
 public:
  // Reads the authorities. An empty file is an error (INVALID_ARGUMENT): it must not come to mean
  // the system's authorities. `reloads` counts each Refresh that was due, with the labels of
  // MakeReloadCounter.
  static absl::StatusOr<Authorities> Make(const TlsClientConfig& config,
                                          base::CounterVec reloads = {});
  // (client-go: `metrics.TransportCAReloads`)
  static absl::StatusOr<base::CounterVec> MakeReloadCounter(base::MetricsProvider& provider);

  // Like ClientCertificate::Refresh, but after an error the next attempt follows a whole period
  // later.
  absl::StatusOr<bool> Refresh();

  // PEM. Empty means the system's authorities.
  const std::string& certificates() const { return certificates_; }

 private:
  struct Outcome {
    absl::Status status = {};
    const char* reason = "";  // the metric's label
    bool updated = false;
  };
  Outcome Read();

  base::CounterVec reloads_;
  std::string file_;  // empty if the data are used
  std::string certificates_;
  base::MonotonicTime due_;
};

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_CREDENTIALS_CERTIFICATE_FILES_H_

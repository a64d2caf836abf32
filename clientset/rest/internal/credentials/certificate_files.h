#ifndef CLIENTSET_REST_INTERNAL_CREDENTIALS_CERTIFICATE_FILES_H_
#define CLIENTSET_REST_INTERNAL_CREDENTIALS_CERTIFICATE_FILES_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/metrics.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/secret.h"
#include "clientset/rest/config.h"
#include "clientset/rest/internal/credentials/pem.h"

namespace kube::rest::internal {

// How often files with certificates are read. (CertCallbackRefreshDuration, caRefreshDuration)
constexpr absl::Duration kCertificatePeriod = absl::Minutes(5);

// The client's certificate and its key, from data or files. What is of files alone is read
// again when that is due. Thread-compatible.
class ClientCertificate {
 public:
  // Reads and checks. INVALID_ARGUMENT with the file's name, or "certificate data", "key data".
  // Without any: an empty one.
  static absl::StatusOr<ClientCertificate> Make(const TlsClientConfig& config);

  // Reads if that is due. True: there is another pair now. After an error the pair of before stays,
  // and the next try is soon: two files are not replaced at once, and may not fit for a moment.
  absl::StatusOr<bool> Refresh();
  // The same, whether it is due or not.
  absl::StatusOr<bool> Reload();

  const std::string& certificate() const { return certificate_; }
  const base::Secret& key() const { return key_; }
  const Validity& validity() const { return validity_; }

 private:
  static constexpr absl::Duration kRetry = absl::Seconds(10);

  absl::Status Read();

  std::string cert_file_;  // empty: the data count
  std::string key_file_;
  bool reloads_ = false;
  std::string certificate_;
  base::Secret key_;
  Validity validity_;
  base::MonotonicTime due_;
};

// The authorities to trust, from data or a file, which is read again when that is due.
// Thread-compatible.
class Authorities {
 public:
  // An empty file is an error: it must not come to mean the system's authorities. `reloads` counts
  // each Refresh that was due, with MakeReloadCounter's labels.
  static absl::StatusOr<Authorities> Make(const TlsClientConfig& config,
                                          base::CounterVec reloads = {});
  // (metrics.TransportCAReloads)
  static absl::StatusOr<base::CounterVec> MakeReloadCounter(base::MetricsProvider& provider);

  // As ClientCertificate's, but the next try is a period later.
  absl::StatusOr<bool> Refresh();

  // PEM. Empty: the system's.
  const std::string& certificates() const { return certificates_; }

 private:
  struct Outcome {
    absl::Status status = {};
    const char* reason = "";  // the label
    bool updated = false;
  };
  Outcome Read();

  base::CounterVec reloads_;
  std::string file_;  // empty: the data count
  std::string certificates_;
  base::MonotonicTime due_;
};

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_CREDENTIALS_CERTIFICATE_FILES_H_

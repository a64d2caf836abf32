#include "net/certificates/certificate_expiry.h"

#include <openssl/asn1.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <ctime>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace kube::certificates {
namespace {

struct Free {
  void operator()(BIO* bio) const { BIO_free(bio); }
  void operator()(X509* certificate) const { X509_free(certificate); }
};

}  // namespace

absl::StatusOr<absl::Time> NotAfter(absl::string_view pem) {
  // OpenSSL does not accept a null pointer, even with the length zero.
  const std::unique_ptr<BIO, Free> bio(
      BIO_new_mem_buf(pem.empty() ? "" : pem.data(), static_cast<int>(pem.size())));
  const std::unique_ptr<X509, Free> certificate(
      PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr));
  std::tm parts = {};
  const bool read =
      certificate != nullptr && ASN1_TIME_to_tm(X509_get0_notAfter(certificate.get()), &parts) == 1;
  ERR_clear_error();
  if (!read) return absl::InvalidArgumentError("failed to parse certificate");
  return absl::FromTM(parts, absl::UTCTimeZone());
}

}  // namespace kube::certificates

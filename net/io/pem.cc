#include "net/io/pem.h"

#include <openssl/asn1.h>
#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <ctime>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace kube::io {

namespace {

struct Free {
  void operator()(BIO* bio) const { BIO_free(bio); }
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
  void operator()(X509* certificate) const { X509_free(certificate); }
};
using UniqueBio = std::unique_ptr<BIO, Free>;
using UniqueKey = std::unique_ptr<EVP_PKEY, Free>;
using UniqueCertificate = std::unique_ptr<X509, Free>;

// One "-----BEGIN name-----" block of a text. Its bytes are wiped when it is destroyed.
class Block {
 public:
  Block() = default;
  ~Block() { Clear(); }
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  // Reads the next block and skips malformed ones. Returns false at the end.
  bool Next(BIO* bio) {
    Clear();
    // Ends, because each malformed block consumes some of the text.
    while (PEM_read_bio(bio, &name_, &header_, &data_, &size_) != 1) {
      const bool at_end = BIO_eof(bio) == 1;
      ERR_clear_error();
      if (at_end) return false;
    }
    return true;
  }

  absl::string_view name() const { return name_; }
  bool is_encrypted() const {
    return absl::StrContains(header_, "ENCRYPTED") || name() == PEM_STRING_PKCS8;
  }

  UniqueCertificate Certificate() const {
    const unsigned char* data = data_;
    return UniqueCertificate(d2i_X509(nullptr, &data, size_));
  }

  UniqueKey Key() const {
    const unsigned char* data = data_;
    return UniqueKey(d2i_AutoPrivateKey(nullptr, &data, size_));
  }

  std::string Text() const {
    const UniqueBio bio(BIO_new(BIO_s_mem()));
    PEM_write_bio(bio.get(), name_, "", data_, size_);
    char* text = nullptr;
    const auto size = BIO_get_mem_data(bio.get(), &text);
    return std::string(text, static_cast<size_t>(size));
  }

 private:
  void Clear() {
    OPENSSL_free(name_);
    OPENSSL_free(header_);
    OPENSSL_clear_free(data_, static_cast<size_t>(size_));
    name_ = header_ = nullptr;
    data_ = nullptr;
    size_ = 0;
  }

  char* name_ = nullptr;
  char* header_ = nullptr;
  unsigned char* data_ = nullptr;
  long size_ = 0;  // NOLINT(google-runtime-int): OpenSSL's type
};

UniqueBio Open(absl::string_view pem) {
  // OpenSSL does not accept a null pointer, even with the length zero.
  return UniqueBio(BIO_new_mem_buf(pem.empty() ? "" : pem.data(), static_cast<int>(pem.size())));
}

absl::StatusOr<UniqueCertificate> Leaf(absl::string_view pem) {
  const UniqueBio bio = Open(pem);
  Block block;
  while (block.Next(bio.get())) {
    if (block.name() != PEM_STRING_X509) continue;
    UniqueCertificate certificate = block.Certificate();
    ERR_clear_error();
    if (certificate != nullptr) return certificate;
    return absl::InvalidArgumentError("failed to parse certificate");
  }
  return absl::InvalidArgumentError(
      "failed to find \"CERTIFICATE\" PEM block in certificate input");
}

absl::StatusOr<UniqueKey> PrivateKey(absl::string_view pem) {
  const UniqueBio bio = Open(pem);
  Block block;
  while (block.Next(bio.get())) {
    if (!absl::EndsWith(block.name(), "PRIVATE KEY")) continue;
    if (block.is_encrypted()) return absl::InvalidArgumentError("private key is encrypted");
    UniqueKey key = block.Key();
    ERR_clear_error();
    if (key != nullptr) return key;
    return absl::InvalidArgumentError("failed to parse private key");
  }
  return absl::InvalidArgumentError(
      "failed to find PEM block with type ending in \"PRIVATE KEY\" in key input");
}

absl::Time ToTime(const ASN1_TIME* time) {
  std::tm parts = {};
  if (ASN1_TIME_to_tm(time, &parts) != 1) return absl::InfinitePast();
  return absl::FromTM(parts, absl::UTCTimeZone());
}

}  // namespace

absl::StatusOr<std::string> CertificatesOf(absl::string_view pem) {
  const UniqueBio bio = Open(pem);
  std::string certificates;
  Block block;
  while (block.Next(bio.get())) {
    if (block.name() != PEM_STRING_X509) continue;
    if (block.Certificate() != nullptr) certificates += block.Text();
  }
  ERR_clear_error();
  if (certificates.empty()) {
    return absl::InvalidArgumentError("no valid certificate authority data seen");
  }
  return certificates;
}

absl::StatusOr<Validity> CheckKeyPair(absl::string_view certificate_pem,
                                      absl::string_view key_pem) {
  const absl::StatusOr<UniqueCertificate> certificate = Leaf(certificate_pem);
  if (!certificate.ok()) return certificate.status();
  const absl::StatusOr<UniqueKey> key = PrivateKey(key_pem);
  if (!key.ok()) return key.status();
  const bool match = X509_check_private_key(certificate->get(), key->get()) == 1;
  ERR_clear_error();
  if (!match) return absl::InvalidArgumentError("private key does not match public key");
  return Validity{.not_before = ToTime(X509_get0_notBefore(certificate->get())),
                  .not_after = ToTime(X509_get0_notAfter(certificate->get()))};
}

}  // namespace kube::io

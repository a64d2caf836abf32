#include "net/httpserver/internal/tls.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/status.h"
#include "net/certificates/certificate_source.h"
#include "net/httpserver/exchange.h"
#include "net/httpserver/server.h"
#include "net/io/secure_socket.h"

namespace kube::httpserver::internal {

namespace {

struct FreeOpenSsl {
  void operator()(BIO* bio) const { BIO_free(bio); }
  void operator()(X509* certificate) const { X509_free(certificate); }
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
};
using UniqueBio = std::unique_ptr<BIO, FreeOpenSsl>;
using UniqueCertificate = std::unique_ptr<X509, FreeOpenSsl>;
using UniqueKey = std::unique_ptr<EVP_PKEY, FreeOpenSsl>;

// Returns OpenSSL's last error, and clears its error queue.
std::string TakeError() {
  std::array<char, 256> text;
  const unsigned long code = ERR_peek_last_error();  // NOLINT(google-runtime-int): OpenSSL's type
  ERR_clear_error();
  if (code == 0) return "no PEM data that OpenSSL can read";
  ERR_error_string_n(code, text.data(), text.size());
  return text.data();
}

UniqueBio Read(absl::string_view pem) {
  // OpenSSL does not accept a null pointer, even with the length zero.
  return UniqueBio(BIO_new_mem_buf(pem.empty() ? "" : pem.data(), static_cast<int>(pem.size())));
}

// Reads the certificates in a PEM text. Returns an error for the first that is invalid, or if there
// are none.
absl::StatusOr<std::vector<UniqueCertificate>> ReadCertificates(absl::string_view pem) {
  const UniqueBio bio = Read(pem);
  std::vector<UniqueCertificate> certificates;
  while (UniqueCertificate certificate{PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr)}) {
    certificates.push_back(std::move(certificate));
  }
  const bool ended = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
  if (!ended || certificates.empty()) return absl::InvalidArgumentError(TakeError());
  ERR_clear_error();
  return certificates;
}

// Refuses encrypted keys; there is nobody to ask for a password.
int NoPassword(char*, int, int, void*) { return -1; }

// The protocols in order of preference, as ALPN writes them. They outlive all connections, which
// may outlive the TlsContext that they began with.
constexpr absl::string_view kBothProtocols = "\x02h2\x08http/1.1";
constexpr absl::string_view kHttp2 = "\x02h2";
constexpr absl::string_view kHttp1 = "\x08http/1.1";

// Chooses the first of the server's protocols that the client supports.
int SelectProtocol(SSL*, const unsigned char** out, unsigned char* out_size,
                   const unsigned char* in, unsigned int in_size, void* ours) {
  const auto& protocols = *static_cast<const absl::string_view*>(ours);
  unsigned char* selected = nullptr;
  const int result = SSL_select_next_proto(
      &selected, out_size, reinterpret_cast<const unsigned char*>(protocols.data()),
      static_cast<unsigned int>(protocols.size()), in, in_size);
  *out = selected;
  return result == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

std::vector<std::string> Entries(const X509_NAME* name, int nid) {
  std::vector<std::string> entries;
  for (int at = X509_NAME_get_index_by_NID(name, nid, -1); at >= 0;
       at = X509_NAME_get_index_by_NID(name, nid, at)) {
    const ASN1_STRING* const value = X509_NAME_ENTRY_get_data(X509_NAME_get_entry(name, at));
    unsigned char* utf8 = nullptr;
    const int size = ASN1_STRING_to_UTF8(&utf8, value);
    if (size < 0) continue;
    entries.emplace_back(reinterpret_cast<const char*>(utf8), static_cast<size_t>(size));
    OPENSSL_free(utf8);
  }
  return entries;
}

}  // namespace

absl::StatusOr<std::shared_ptr<const TlsContext>> TlsContext::Make(const TlsOptions& options,
                                                                   bool http1, bool http2) {
  auto made = std::make_shared<TlsContext>();
  made->context_.reset(SSL_CTX_new(TLS_server_method()));
  SSL_CTX* const context = made->get();
  if (context == nullptr) return absl::InternalError(TakeError());
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  io::PrepareTls(context);
  SSL_CTX_set_options(context, SSL_OP_CIPHER_SERVER_PREFERENCE);
  // Idle connections release their buffers, 34 KiB each.
  SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
  KUBE_RETURN_IF_ERROR(made->UseCertificate(options));
  KUBE_RETURN_IF_ERROR(made->UseClientCa(options));
  const absl::string_view& protocols = !http1 ? kHttp2 : !http2 ? kHttp1 : kBothProtocols;
  // The callback only reads it.
  SSL_CTX_set_alpn_select_cb(context, SelectProtocol, const_cast<absl::string_view*>(&protocols));
  return made;
}

absl::Status TlsContext::UseCertificate(const TlsOptions& options) {
  KUBE_ASSIGN_OR_RETURN(const std::vector<UniqueCertificate> chain,
                        ReadCertificates(options.certificate_chain), "read certificate_chain");
  if (SSL_CTX_use_certificate(get(), chain.front().get()) != 1) {
    return absl::InvalidArgumentError(absl::StrCat("use certificate_chain: ", TakeError()));
  }
  for (size_t i = 1; i < chain.size(); ++i) {
    SSL_CTX_add1_chain_cert(get(), chain[i].get());
  }
  const UniqueKey key(PEM_read_bio_PrivateKey(Read(options.private_key.Reveal()).get(), nullptr,
                                              NoPassword, nullptr));
  if (key == nullptr) {
    return absl::InvalidArgumentError(absl::StrCat("read private_key: ", TakeError()));
  }
  if (SSL_CTX_use_PrivateKey(get(), key.get()) != 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("use private_key with certificate_chain: ", TakeError()));
  }
  return absl::OkStatus();
}

absl::Status TlsContext::UseClientCa(const TlsOptions& options) {
  if (options.client_auth == ClientAuth::kNone) return absl::OkStatus();
  KUBE_ASSIGN_OR_RETURN(const std::vector<UniqueCertificate> authorities,
                        ReadCertificates(options.client_ca), "read client_ca");
  for (const UniqueCertificate& authority : authorities) {
    X509_STORE_add_cert(SSL_CTX_get_cert_store(get()), authority.get());
    SSL_CTX_add_client_CA(get(), authority.get());
  }
  const bool required = options.client_auth == ClientAuth::kRequire;
  SSL_CTX_set_verify(get(), SSL_VERIFY_PEER | (required ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0),
                     nullptr);
  // Session resumption with client certificates would need a session id context; it is disabled
  // instead.
  SSL_CTX_set_session_cache_mode(get(), SSL_SESS_CACHE_OFF);
  SSL_CTX_set_options(get(), SSL_OP_NO_TICKET);
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<TlsContexts>> TlsContexts::Make(TlsOptions options, bool http1,
                                                               bool http2) {
  if (options.source != nullptr && (!options.certificate_chain.empty() ||
                                    !options.private_key.empty() || !options.client_ca.empty())) {
    return absl::InvalidArgumentError("TLS has a source of certificates and certificates, too");
  }
  auto made = std::make_unique<TlsContexts>(std::move(options), http1, http2);
  std::shared_ptr<const certificates::ServerCertificates> first;
  if (made->options_.source != nullptr) {
    first = made->options_.source->Current();
    if (first == nullptr) {
      return absl::InvalidArgumentError("the source of certificates has none yet");
    }
  }
  base::MutexLock lock(made->mutex_);
  KUBE_RETURN_IF_ERROR(made->Use(std::move(first)));
  return made;
}

TlsContexts::TlsContexts(TlsOptions options, bool http1, bool http2)
    : options_(std::move(options)), http1_(http1), http2_(http2) {}

std::shared_ptr<const TlsContext> TlsContexts::Newest() {
  const auto newest = options_.source == nullptr ? nullptr : options_.source->Current();
  base::MutexLock lock(mutex_);
  if (newest == nullptr || newest == tried_) return context_;
  if (const absl::Status used = Use(newest); !used.ok()) {
    log::Error(used, "failed to use new server certificate, the previous one stays");
  }
  return context_;
}

absl::Status TlsContexts::Use(std::shared_ptr<const certificates::ServerCertificates> newest) {
  TlsOptions options = options_;
  if (newest != nullptr) {
    options.certificate_chain = newest->certificate_chain;
    options.private_key = newest->private_key;
    options.client_ca = newest->client_ca;
  }
  tried_ = std::move(newest);
  KUBE_ASSIGN_OR_RETURN(context_, TlsContext::Make(options, http1_, http2_));
  return absl::OkStatus();
}

UniqueSsl NewServerSsl(const TlsContext& context) {
  UniqueSsl ssl(SSL_new(context.get()));
  SSL_set_accept_state(ssl.get());
  return ssl;
}

std::optional<ClientCertificate> ClientCertificateOf(const SSL* ssl) {
  X509* const certificate = SSL_get0_peer_certificate(ssl);
  if (certificate == nullptr) return std::nullopt;
  const X509_NAME* const subject = X509_get_subject_name(certificate);
  std::vector<std::string> names = Entries(subject, NID_commonName);
  return ClientCertificate{.common_name = names.empty() ? std::string() : std::move(names.back()),
                           .organizations = Entries(subject, NID_organizationName)};
}

}  // namespace kube::httpserver::internal

#include "apiserver/tokens/signing_key.h"

#include <openssl/bn.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/sha.h>
#include <openssl/x509.h>

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"

namespace kube::apiserver::internal {
namespace {

using unstructured::Value;

constexpr absl::string_view kAlgorithm = "ES256";
// Size of a coordinate of P-256, and of each of the two numbers of a signature.
constexpr size_t kNumberBytes = 32;
constexpr size_t kMaxTokenBytes = 1024 * 1024;

struct Free {
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
  void operator()(ECDSA_SIG* signature) const { ECDSA_SIG_free(signature); }
  void operator()(BIGNUM* number) const { BN_free(number); }
};
using UniqueKey = std::unique_ptr<EVP_PKEY, Free>;
using UniqueContext = std::unique_ptr<EVP_MD_CTX, Free>;
using UniqueSignature = std::unique_ptr<ECDSA_SIG, Free>;
using UniqueNumber = std::unique_ptr<BIGNUM, Free>;

// Returns OpenSSL's last error, and clears its error queue.
absl::Status OpenSslError(absl::string_view what) {
  std::array<char, 256> text;
  ERR_error_string_n(ERR_peek_last_error(), text.data(), text.size());
  ERR_clear_error();
  return absl::ResourceExhaustedError(absl::StrCat(what, ": ", text.data()));
}

const unsigned char* BytesOf(absl::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

// absl accepts padding, white space and the characters of the other base64, which RFC 7515 does
// not.
std::optional<std::string> FromBase64Url(absl::string_view text) {
  for (const char c : text) {
    if (!absl::ascii_isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '_') {
      return std::nullopt;
    }
  }
  std::string bytes;
  if (!absl::WebSafeBase64Unescape(text, &bytes)) return std::nullopt;
  return bytes;
}

// Returns the number as a signature of ES256 has it.
std::string Padded(const BIGNUM* number) {
  std::string bytes(kNumberBytes, '\0');
  BN_bn2binpad(number, reinterpret_cast<unsigned char*>(bytes.data()),
               static_cast<int>(bytes.size()));
  return bytes;
}

// OpenSSL's signatures are DER, those of tokens are two numbers of fixed size. Returns "" if this
// is not a signature.
std::string FromDer(absl::string_view der) {
  const unsigned char* at = BytesOf(der);
  const UniqueSignature signature(d2i_ECDSA_SIG(nullptr, &at, static_cast<long>(der.size())));
  if (signature == nullptr) return "";
  const BIGNUM* r = nullptr;
  const BIGNUM* s = nullptr;
  ECDSA_SIG_get0(signature.get(), &r, &s);
  return absl::StrCat(Padded(r), Padded(s));
}

std::string ToDer(absl::string_view numbers) {
  if (numbers.size() != 2 * kNumberBytes) return "";
  const auto number = [](absl::string_view bytes) {
    return UniqueNumber(BN_bin2bn(BytesOf(bytes), static_cast<int>(bytes.size()), nullptr));
  };
  UniqueNumber r = number(numbers.substr(0, kNumberBytes));
  UniqueNumber s = number(numbers.substr(kNumberBytes));
  const UniqueSignature signature(ECDSA_SIG_new());
  if (signature == nullptr || ECDSA_SIG_set0(signature.get(), r.get(), s.get()) != 1) return "";
  // The signature owns them now.
  (void)r.release();
  (void)s.release();
  unsigned char* bytes = nullptr;
  const int size = i2d_ECDSA_SIG(signature.get(), &bytes);
  if (size <= 0) return "";
  std::string der(reinterpret_cast<const char*>(bytes), static_cast<size_t>(size));
  OPENSSL_free(bytes);
  return der;
}

}  // namespace

std::optional<ParsedToken> ParseToken(absl::string_view text) {
  if (text.size() > kMaxTokenBytes) return std::nullopt;
  const std::vector<absl::string_view> parts = absl::StrSplit(text, absl::MaxSplits('.', 3));
  if (parts.size() != 3) return std::nullopt;
  const std::optional<std::string> header_json = FromBase64Url(parts[0]);
  std::optional<std::string> payload_json = FromBase64Url(parts[1]);
  std::optional<std::string> signature = FromBase64Url(parts[2]);
  if (!header_json || !payload_json || !signature) return std::nullopt;
  const absl::StatusOr<Value> header = unstructured::ParseJson(*header_json);
  const absl::StatusOr<Value> payload = unstructured::ParseJson(*payload_json);
  if (!header.ok() || !header->is_object() || !payload.ok() || !payload->is_object()) {
    return std::nullopt;
  }
  ParsedToken token;
  token.algorithm = std::string((*header)["alg"].text().value_or(""));
  token.key_id = std::string((*header)["kid"].text().value_or(""));
  token.critical = header->Find("crit") != nullptr;
  token.issuer = std::string((*payload)["iss"].text().value_or(""));
  token.payload = *std::move(payload_json);
  token.signed_text = absl::StrCat(parts[0], ".", parts[1]);
  token.signature = *std::move(signature);
  return token;
}

struct SigningKey::State {
  UniqueKey key;
  std::string id;
  // The coordinates of the public key.
  std::string x;
  std::string y;
};

absl::StatusOr<SigningKey> SigningKey::Make() {
  auto state = std::make_unique<State>();
  state->key.reset(EVP_EC_gen("P-256"));
  if (state->key == nullptr) return OpenSslError("generate key");
  unsigned char* bytes = nullptr;
  const int size = i2d_PUBKEY(state->key.get(), &bytes);
  if (size <= static_cast<int>(2 * kNumberBytes)) return OpenSslError("encode public key");
  const std::string der(reinterpret_cast<const char*>(bytes), static_cast<size_t>(size));
  OPENSSL_free(bytes);
  std::array<unsigned char, SHA256_DIGEST_LENGTH> hash = {};
  SHA256(BytesOf(der), der.size(), hash.data());
  state->id = absl::WebSafeBase64Escape(
      absl::string_view(reinterpret_cast<const char*>(hash.data()), hash.size()));
  // The encoding ends with the point, which is not compressed: both coordinates.
  state->x = der.substr(der.size() - 2 * kNumberBytes, kNumberBytes);
  state->y = der.substr(der.size() - kNumberBytes);
  return SigningKey(std::move(state));
}

SigningKey::SigningKey(std::unique_ptr<State> state) : state_(std::move(state)) {}
SigningKey::SigningKey(SigningKey&&) noexcept = default;
SigningKey& SigningKey::operator=(SigningKey&&) noexcept = default;
SigningKey::~SigningKey() = default;

const std::string& SigningKey::id() const { return state_->id; }

absl::StatusOr<std::string> SigningKey::Sign(absl::string_view payload) const {
  const std::string header =
      absl::StrCat(R"({"alg":")", kAlgorithm, R"(","kid":")", state_->id, "\"}");
  const std::string text =
      absl::StrCat(absl::WebSafeBase64Escape(header), ".", absl::WebSafeBase64Escape(payload));
  const UniqueContext context(EVP_MD_CTX_new());
  size_t size = 0;
  if (context == nullptr ||
      EVP_DigestSignInit(context.get(), nullptr, EVP_sha256(), nullptr, state_->key.get()) != 1 ||
      EVP_DigestSign(context.get(), nullptr, &size, BytesOf(text), text.size()) != 1) {
    return OpenSslError("sign token");
  }
  std::string der(size, '\0');
  if (EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(der.data()), &size,
                     BytesOf(text), text.size()) != 1) {
    return OpenSslError("sign token");
  }
  der.resize(size);
  const std::string signature = FromDer(der);
  if (signature.empty()) return OpenSslError("sign token");
  return absl::StrCat(text, ".", absl::WebSafeBase64Escape(signature));
}

bool SigningKey::HasSigned(const ParsedToken& token) const {
  // The key decides about the algorithm, never the token: "none", or HMAC with the public key as
  // its secret, would let everybody sign.
  if (token.algorithm != kAlgorithm || token.critical) return false;
  const std::string der = ToDer(token.signature);
  if (der.empty()) return false;
  const UniqueContext context(EVP_MD_CTX_new());
  const bool valid =
      context != nullptr &&
      EVP_DigestVerifyInit(context.get(), nullptr, EVP_sha256(), nullptr, state_->key.get()) == 1 &&
      EVP_DigestVerify(context.get(), BytesOf(der), der.size(), BytesOf(token.signed_text),
                       token.signed_text.size()) == 1;
  // A wrong signature leaves an error in the thread's queue, where TLS would find it.
  ERR_clear_error();
  return valid;
}

std::string SigningKey::KeySet() const {
  return absl::StrCat(R"({"keys":[{"use":"sig","kty":"EC","kid":")", state_->id,
                      R"(","crv":"P-256","alg":")", kAlgorithm, R"(","x":")",
                      absl::WebSafeBase64Escape(state_->x), R"(","y":")",
                      absl::WebSafeBase64Escape(state_->y), "\"}]}");
}

}  // namespace kube::apiserver::internal

#ifndef APISERVER_TOKENS_SIGNING_KEY_H_
#define APISERVER_TOKENS_SIGNING_KEY_H_

#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

// JSON Web Tokens that one server signs and checks (RFC 7515, 7517, 7518).
namespace kube::apiserver::internal {

// A signed token in its compact form, taken apart. Nothing of it has been verified: everybody can
// write such a text.
struct ParsedToken {
  // The members "alg" and "kid" of the header, and whether it has "crit".
  std::string algorithm = {};
  std::string key_id = {};
  bool critical = false;
  // The claims, which are a JSON object, and the one named "iss".
  std::string payload = {};
  std::string issuer = {};
  // The text that the signature is of, and the bytes of the signature.
  std::string signed_text = {};
  std::string signature = {};
};

// Takes a token apart. Returns nullopt if the text is not a token: three parts in base64url, of
// which the first and the second are JSON objects; or if it is larger than a megabyte. Pure.
std::optional<ParsedToken> ParseToken(absl::string_view text);

// A key that signs tokens with ES256, which is ECDSA with P-256 and SHA-256. The key and the
// signatures are random also in a simulation, as those of certificates are: OpenSSL makes them.
//
// Immutable and thread-safe. Movable.
class SigningKey {
 public:
  // Creates a key, which takes some tenths of a millisecond. Returns RESOURCE_EXHAUSTED if OpenSSL
  // lacks memory or randomness, as Sign does.
  static absl::StatusOr<SigningKey> Make();

  SigningKey(SigningKey&&) noexcept;
  SigningKey& operator=(SigningKey&&) noexcept;
  ~SigningKey();

  // Returns the name of the key: the hash of its public part (kube-apiserver:
  // `keyIDFromPublicKey`).
  const std::string& id() const;

  // Returns the token with these claims, which must be JSON, in its compact form.
  absl::StatusOr<std::string> Sign(absl::string_view payload) const;
  // Returns whether this key has signed the token, with this algorithm, and nothing of the header
  // asks for more.
  bool HasSigned(const ParsedToken& token) const;

  // Returns the JSON Web Key Set with the public part of the key.
  std::string KeySet() const;

 private:
  struct State;
  explicit SigningKey(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace kube::apiserver::internal

#endif  // APISERVER_TOKENS_SIGNING_KEY_H_

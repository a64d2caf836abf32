#ifndef CLIENTSET_REST_INTERNAL_CREDENTIALS_CREDENTIAL_SOURCE_H_
#define CLIENTSET_REST_INTERNAL_CREDENTIALS_CREDENTIAL_SOURCE_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/secret.h"

namespace kube::rest::internal {

// The credentials of a client. Each part may be empty.
struct Credentials {
  // The value of the Authorization header.
  base::Secret authorization = {};
  // In PEM: a certificate with its intermediates, and its key.
  std::string certificate = {};
  base::Secret key = {};
  // The credentials are not used after this time.
  absl::Time expiration = absl::InfiniteFuture();
  // The validity of the certificate.
  absl::Time not_before = absl::InfinitePast();
  absl::Time not_after = absl::InfiniteFuture();
  // Increases whenever a source has read credentials, even if they are equal to the previous ones.
  int64_t generation = 0;
};

inline bool SameIdentity(const Credentials& a, const Credentials& b) {
  return a.authorization == b.authorization && a.certificate == b.certificate && a.key == b.key;
}

// The part of an Authenticator that provides credentials and knows nothing of servers. Thread-safe.
class CredentialSource {
 public:
  virtual ~CredentialSource() = default;

  // Returns the current credentials; the same object as long as they have not changed.
  virtual absl::StatusOr<std::shared_ptr<const Credentials>> Get(const Context& ctx) = 0;

  // Returns the credentials for a request with an Authorization header of its own, which needs only
  // the certificate for a new connection.
  virtual absl::StatusOr<std::shared_ptr<const Credentials>> GetWithoutAuthorization(
      const Context& ctx) {
    return Get(ctx);
  }

  // Reports that a server rejected `used`, which Get returned. Returns whether Get now returns
  // others.
  virtual absl::StatusOr<bool> Rejected(const Context& ctx, const Credentials& used) = 0;
};

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_CREDENTIALS_CREDENTIAL_SOURCE_H_

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

// Who one says one is: each part may be empty.
struct Credentials {
  // Of the header Authorization.
  base::Secret authorization = {};
  // PEM: a certificate with those behind it, and its key.
  std::string certificate = {};
  base::Secret key = {};
  // They are not used after this.
  absl::Time expiration = absl::InfiniteFuture();
  // When the certificate is good.
  absl::Time not_before = absl::InfinitePast();
  absl::Time not_after = absl::InfiniteFuture();
  // Rises with each that a source gives, be it equal to the one before or not.
  int64_t generation = 0;
};

inline bool SameIdentity(const Credentials& a, const Credentials& b) {
  return a.authorization == b.authorization && a.certificate == b.certificate && a.key == b.key;
}

// The part of an Authenticator that knows who one is, and nothing of servers. Thread-safe.
class CredentialSource {
 public:
  virtual ~CredentialSource() = default;

  // The same object as long as nothing has changed.
  virtual absl::StatusOr<std::shared_ptr<const Credentials>> Get(const Context& ctx) = 0;

  // A server did not take `used`, which Get gave. Whether Get has others now.
  virtual absl::StatusOr<bool> Rejected(const Context& ctx, const Credentials& used) = 0;
};

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_CREDENTIALS_CREDENTIAL_SOURCE_H_

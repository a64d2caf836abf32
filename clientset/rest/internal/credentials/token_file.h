#ifndef CLIENTSET_REST_INTERNAL_CREDENTIALS_TOKEN_FILE_H_
#define CLIENTSET_REST_INTERNAL_CREDENTIALS_TOKEN_FILE_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/secret.h"

namespace kube::rest::internal {

// INVALID_ARGUMENT: the token has characters that no header can have, as line breaks.
absl::Status CheckToken(absl::string_view token);

// A file with a bearer token that somebody replaces now and then: the kubelet, with one that is
// good for an hour and is replaced after 80% of it. (transport.cachingTokenSource)
//
// What was read last stays until something better could be read. Thread-compatible.
class TokenFile {
 public:
  // A file is read again a minute after it was read, less ten seconds, so that a token that is good
  // for a minute is never used when it is not any more.
  static constexpr absl::Duration kPeriod = absl::Minutes(1);
  static constexpr absl::Duration kLeeway = absl::Seconds(10);

  // `initial` is used until the file could be read. Empty: none.
  TokenFile(std::string path, base::Secret initial);

  // Reads the file if that is due. True: there is another token now. After an error the token stays
  // and the next call tries again.
  absl::StatusOr<bool> Refresh();

  // Reads the file in any case.
  absl::StatusOr<bool> Read();

  const base::Secret& token() const { return token_; }

 private:
  const std::string path_;
  base::Secret token_;
  base::MonotonicTime due_;
};

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_CREDENTIALS_TOKEN_FILE_H_

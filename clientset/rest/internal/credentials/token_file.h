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

// Returns INVALID_ARGUMENT if the token has characters that a header cannot have, such as line
// breaks.
absl::Status CheckToken(absl::string_view token);

// A file with a bearer token that is replaced periodically, for example by the kubelet, whose
// tokens are valid for an hour and are replaced after 80 % of it. The last token stays in use until
// a new one could be read. Thread-compatible. (client-go: `transport.cachingTokenSource`)
class TokenFile {
 public:
  // A file is read again kPeriod - kLeeway after it was last read, so that even a token that is
  // valid for one minute is not used after its end.
  static constexpr absl::Duration kPeriod = absl::Minutes(1);
  static constexpr absl::Duration kLeeway = absl::Seconds(10);

  // `initial` is used until the file could be read; it may be empty.
  TokenFile(std::string path, base::Secret initial);

  // Reads the file if that is due. Returns whether the token has changed. After an error the token
  // is kept, and the next call tries again.
  absl::StatusOr<bool> Refresh();

  // Reads the file whether or not that is due.
  absl::StatusOr<bool> Read();

  const base::Secret& token() const { return token_; }

 private:
  const std::string path_;
  base::Secret token_;
  base::MonotonicTime due_;
};

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_CREDENTIALS_TOKEN_FILE_H_

#ifndef APISERVER_CALL_CONTINUE_TOKEN_H_
#define APISERVER_CALL_CONTINUE_TOKEN_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace kube::apiserver::internal {

// Where the next page of a list starts (kube-apiserver: `storage.EncodeContinue`).
struct ContinueToken {
  // The revision of the first page, or -1 for the latest at the time of the next request.
  int64_t revision = 0;
  // The first key of the next page, without the prefix of the list.
  std::string start = {};
};

// Encodes a token as a text that is opaque to clients and safe in URLs.
std::string EncodeContinueToken(const ContinueToken& token);
// Returns INVALID_ARGUMENT with a message for the client if the text is not such a token.
absl::StatusOr<ContinueToken> DecodeContinueToken(absl::string_view text);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_CALL_CONTINUE_TOKEN_H_

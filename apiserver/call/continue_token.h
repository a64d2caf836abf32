#ifndef APISERVER_CALL_CONTINUE_TOKEN_H_
#define APISERVER_CALL_CONTINUE_TOKEN_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace kube::apiserver::internal {

// Where a list goes on. (storage.EncodeContinue)
struct ContinueToken {
  // Of which the first page was; -1: as it is when the next page is asked for.
  int64_t revision = 0;
  // The first key of the next page, after the prefix of the list.
  std::string start = {};
};

// Opaque to clients, and good in a URL.
std::string EncodeContinueToken(const ContinueToken& token);
// INVALID_ARGUMENT with a message for the client where EncodeContinueToken did not make it.
absl::StatusOr<ContinueToken> DecodeContinueToken(absl::string_view text);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_CALL_CONTINUE_TOKEN_H_

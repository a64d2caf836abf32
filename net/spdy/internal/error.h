#ifndef NET_SPDY_INTERNAL_ERROR_H_
#define NET_SPDY_INTERNAL_ERROR_H_

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

// Errors for what a peer sends. Spelled as in spdystream if it has the same error.
namespace kube::spdy::internal {

// Returns the error of a peer that breaks the protocol.
inline absl::Status ProtocolError(absl::string_view message) {
  return absl::DataLossError(absl::StrCat("spdy: ", message));
}

// Returns the error of a peer that exceeds a limit of ours.
inline absl::Status LimitError(absl::string_view message) {
  return absl::ResourceExhaustedError(absl::StrCat("spdy: ", message));
}

}  // namespace kube::spdy::internal

#endif  // NET_SPDY_INTERNAL_ERROR_H_

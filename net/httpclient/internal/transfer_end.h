#ifndef NET_HTTPCLIENT_INTERNAL_TRANSFER_END_H_
#define NET_HTTPCLIENT_INTERNAL_TRANSFER_END_H_

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "net/httpclient/transport_error.h"

namespace kube::httpclient::internal {

// How something ended, in a form that passes between threads. It is not an absl::Status, because
// copies of one share a reference count whose synchronization ThreadSanitizer cannot see in a
// prebuilt library.
struct TransferEnd {
  explicit TransferEnd(const absl::Status& status);
  absl::Status ToStatus() const;

  absl::StatusCode code;
  std::string message;
  std::optional<TransportError> error;
};

}  // namespace kube::httpclient::internal

#endif  // NET_HTTPCLIENT_INTERNAL_TRANSFER_END_H_

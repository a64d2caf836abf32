#include "net/httpclient/internal/transfer_end.h"

#include "absl/status/status.h"
#include "net/httpclient/transport_error.h"

namespace kube::httpclient::internal {

TransferEnd::TransferEnd(const absl::Status& status)
    : code(status.code()), message(status.message()), error(TransportErrorOf(status)) {}

absl::Status TransferEnd::ToStatus() const {
  if (error.has_value()) return MakeTransportError(*error, message);
  return absl::Status(code, message);
}

}  // namespace kube::httpclient::internal

#include "net/httpclient/internal/transfer_end.h"

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "net/httpclient/transport_error.h"

namespace kube::httpclient::internal {
namespace {

TEST(TransferEndTest, KeepsTheStatus) {
  for (const absl::Status& status :
       {absl::OkStatus(), absl::ResourceExhaustedError("no memory"),
        MakeTransportError({.kind = TransportErrorKind::kReset, .maybe_sent = false}, "cut"),
        MakeTransportError({.kind = TransportErrorKind::kLost}, "silent")}) {
    SCOPED_TRACE(status.ToString());
    EXPECT_EQ(TransferEnd(status).ToStatus(), status);
    EXPECT_EQ(TransportErrorOf(TransferEnd(status).ToStatus()), TransportErrorOf(status));
  }
}

}  // namespace
}  // namespace kube::httpclient::internal

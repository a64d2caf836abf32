#include "net/httpclient/transport_error.h"

#include <sstream>

#include "absl/status/status.h"
#include "apimachinery/base/status.h"
#include "gtest/gtest.h"

namespace kube::httpclient {
namespace {

using Kind = TransportErrorKind;

TEST(TransportErrorTest, KindsHaveCodesAndNames) {
  struct Case {
    Kind kind;
    const char* name;
    absl::StatusCode code;
    bool lost;
  };
  const Case cases[] = {
      {Kind::kResolve, "resolve", absl::StatusCode::kUnavailable, false},
      {Kind::kConnect, "connect", absl::StatusCode::kUnavailable, false},
      {Kind::kProxy, "proxy", absl::StatusCode::kUnavailable, false},
      {Kind::kTls, "tls", absl::StatusCode::kUnauthenticated, false},
      {Kind::kReset, "reset", absl::StatusCode::kUnavailable, true},
      {Kind::kEof, "eof", absl::StatusCode::kUnavailable, true},
      {Kind::kLost, "lost", absl::StatusCode::kUnavailable, true},
      {Kind::kTimeout, "timeout", absl::StatusCode::kDeadlineExceeded, false},
      {Kind::kProtocol, "protocol", absl::StatusCode::kDataLoss, false},
      {Kind::kClosed, "closed", absl::StatusCode::kCancelled, false},
  };
  for (const Case& test : cases) {
    for (const bool maybe_sent : {false, true}) {
      SCOPED_TRACE(test.name);
      const TransportError error = {.kind = test.kind, .maybe_sent = maybe_sent};
      const absl::Status status = MakeTransportError(error, "connect to a: refused");
      EXPECT_EQ(status.code(), test.code);
      EXPECT_EQ(status.message(), "connect to a: refused");
      EXPECT_EQ(TransportErrorOf(status), error);
      EXPECT_EQ(TransportErrorOf(base::Annotate(status, "get pods")), error);
      EXPECT_EQ(IsConnectionLost(status), test.lost);
      std::ostringstream out;
      out << test.kind;
      EXPECT_EQ(out.str(), test.name);
    }
  }
}

TEST(TransportErrorTest, OthersAreNone) {
  for (const absl::Status& status :
       {absl::OkStatus(), absl::UnavailableError("connection reset"), absl::CancelledError("")}) {
    EXPECT_EQ(TransportErrorOf(status), std::nullopt);
    EXPECT_FALSE(IsConnectionLost(status));
  }
}

}  // namespace
}  // namespace kube::httpclient

// Connections on which the server switches to another protocol than HTTP.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/wait.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/http_transport.h"
#include "net/httpclient/testing/raw_server.h"
#include "net/httpclient/testing/test_server.h"
#include "net/httpclient/testing/upgrade_client.h"
#include "net/httpclient/transport_error.h"
#include "net/io/duplex_stream.h"

namespace kube::httpclient {
namespace {

using ::kube::base::IsOk;
using ::kube::base::IsOkAndHolds;
using ::kube::base::StatusIs;
using ::testing::HasSubstr;
using ::testing::Optional;
using Kind = TransportErrorKind;

absl::Status WriteAll(const Context& ctx, io::DuplexStream& stream, absl::string_view bytes,
                      size_t piece) {
  for (size_t i = 0; i < bytes.size(); i += piece) {
    KUBE_RETURN_IF_ERROR(stream.Write(ctx, bytes.substr(i, piece)));
  }
  return absl::OkStatus();
}

// Bytes that do not repeat soon, so that an exchange of two pieces is noticed.
std::string Pattern(size_t size) {
  std::string bytes(size, ' ');
  uint32_t state = 1;
  for (char& byte : bytes) {
    state = state * 1664525 + 1013904223;
    byte = static_cast<char>(state >> 24);
  }
  return bytes;
}

void AwaitNoConnections(const HttpTransport& transport) {
  const Context ctx = Soon();
  while (transport.statistics().connections > 0) {
    ASSERT_THAT(base::SleepFor(ctx, absl::Milliseconds(1)), IsOk());
  }
}

class UpgradeTest : public ::testing::TestWithParam<bool> {
 protected:
  static RawServerOptions Options() { return {.tls = GetParam()}; }
};

INSTANTIATE_TEST_SUITE_P(Protocols, UpgradeTest, ::testing::Bool(), [](const auto& test) {
  return std::string(test.param ? "Tls" : "Plain");
});

TEST_P(UpgradeTest, BothWaysAtOnce) {
  RawServer server(Echo, Options());
  const auto transport = MakeTransport();
  const auto connection = Connect(*transport, Upgrade(server));
  ASSERT_NE(connection, nullptr);
  const std::string all = Pattern(size_t{10} << 20);
  base::ThreadGroup group(Soon());
  group.Go("writer", [&](const Context& ctx) { return WriteAll(ctx, *connection, all, 50'000); });
  group.Go("reader", [&](const Context& ctx) -> absl::Status {
    for (size_t read = 0; read < all.size();) {
      KUBE_ASSIGN_OR_RETURN(std::string piece, connection->Read(ctx));
      if (piece.empty() || absl::string_view(all).substr(read, piece.size()) != piece) {
        return absl::DataLossError(absl::StrCat("at ", read));
      }
      read += piece.size();
      connection->Recycle(std::move(piece));
    }
    return absl::OkStatus();
  });
  EXPECT_THAT(group.Wait(), IsOk());
  EXPECT_EQ(transport->statistics().buffered_bytes, 0);
}

// Many small pieces are answered one by one: each is sent without waiting for others.
TEST_P(UpgradeTest, PingPong) {
  RawServer server(Echo, Options());
  const auto transport = MakeTransport();
  const auto connection = Connect(*transport, Upgrade(server));
  ASSERT_NE(connection, nullptr);
  const Context ctx = Soon();
  EXPECT_EQ(transport->statistics().requests, 1);
  for (int i = 0; i < 200; ++i) {
    const std::string text = absl::StrCat("piece ", i);
    ASSERT_THAT(connection->Write(ctx, text), IsOk());
    ASSERT_THAT(ReadBytes(ctx, *connection, text.size()), IsOkAndHolds(text));
  }
  // A read that timed out loses nothing.
  EXPECT_THAT(connection->Read(WithTimeout(ctx, absl::Milliseconds(5))),
              StatusIs(absl::StatusCode::kDeadlineExceeded));
  EXPECT_THAT(connection->CloseWrite(), StatusIs(absl::StatusCode::kUnimplemented));
  ASSERT_THAT(connection->Write(ctx, ""), IsOk());
  ASSERT_THAT(connection->Write(ctx, "last"), IsOk());
  EXPECT_THAT(ReadBytes(ctx, *connection, 4), IsOkAndHolds("last"));
}

TEST_P(UpgradeTest, FirstBytesMayComeWithTheHeader) {
  RawServer server(
      [](RawServer::Connection& connection) {
        Switch(connection, "hello");
        connection.AwaitStop();
      },
      Options());
  const auto transport = MakeTransport();
  const auto connection = Connect(*transport, Upgrade(server));
  ASSERT_NE(connection, nullptr);
  EXPECT_THAT(ReadBytes(Soon(), *connection, 5), IsOkAndHolds("hello"));
}

TEST_P(UpgradeTest, TheContextEndsWithTheHeader) {
  RawServer server(Echo, Options());
  const auto transport = MakeTransport();
  std::unique_ptr<io::DuplexStream> connection;
  {
    const CancelScope scope = WithCancel(Soon());
    absl::StatusOr<HttpResponse> response = transport->RoundTrip(scope.context(), Upgrade(server));
    ASSERT_THAT(response, IsOk());
    connection = std::move(response->connection);
  }
  ASSERT_NE(connection, nullptr);
  ASSERT_THAT(connection->Write(Soon(), "text"), IsOk());
  EXPECT_THAT(ReadBytes(Soon(), *connection, 4), IsOkAndHolds("text"));
}

// ---- Slow sides

TEST_P(UpgradeTest, WriteBlocksIfTheServerDoesNotRead) {
  RawServer server(
      [](RawServer::Connection& connection) {
        Switch(connection);
        connection.AwaitStop();
      },
      Options());
  RawServer echo(Echo, Options());
  const auto transport = MakeTransport();
  const auto connection = Connect(*transport, Upgrade(server));
  ASSERT_NE(connection, nullptr);
  const std::string piece(100'000, 'x');
  size_t written = 0;
  absl::Status status;
  // The buffers of the kernel take some megabytes.
  while (status.ok() && written < (size_t{256} << 20)) {
    status = connection->Write(WithTimeout(Context(), absl::Milliseconds(300)), piece);
    if (status.ok()) written += piece.size();
  }
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kDeadlineExceeded));
  EXPECT_THAT(connection->Flush(WithTimeout(Context(), absl::Milliseconds(5))),
              StatusIs(absl::StatusCode::kDeadlineExceeded));
  // Other connections go on.
  const auto other = Connect(*transport, Upgrade(echo));
  ASSERT_NE(other, nullptr);
  ASSERT_THAT(other->Write(Soon(), "text"), IsOk());
  EXPECT_THAT(ReadBytes(Soon(), *other, 4), IsOkAndHolds("text"));
  connection->Close();
  EXPECT_THAT(connection->Write(Soon(), "more"), StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_THAT(connection->Flush(Soon()), StatusIs(absl::StatusCode::kFailedPrecondition));
}

// Nothing is lost by an interrupted Write: all bytes of earlier ones arrive, and none of its own.
TEST_P(UpgradeTest, AnInterruptedWriteTakesNothing) {
  std::atomic<bool> reads{false};
  RawServer server(
      [&reads](RawServer::Connection& connection) {
        if (!Switch(connection)) return;
        for (int i = 0; i < 30'000 && !reads; ++i) {
          base::SleepFor(Context(), absl::Milliseconds(1)).IgnoreError();
        }
        for (std::string bytes; !(bytes = connection.Read()).empty();) {
          if (!connection.Write(absl::StrCat(bytes.size(), ","))) return;
        }
      },
      Options());
  const auto transport = MakeTransport();
  const auto connection = Connect(*transport, Upgrade(server));
  ASSERT_NE(connection, nullptr);
  const std::string piece(100'000, 'x');
  size_t written = 0;
  absl::Status status;
  while (status.ok()) {
    status = connection->Write(WithTimeout(Context(), absl::Milliseconds(300)), piece);
    if (status.ok()) written += piece.size();
  }
  ASSERT_THAT(status, StatusIs(absl::StatusCode::kDeadlineExceeded));
  reads = true;
  const Context ctx = Soon();
  ASSERT_THAT(connection->Flush(ctx), IsOk());
  size_t received = 0;
  size_t number = 0;
  while (received < written) {
    const absl::StatusOr<std::string> text = connection->Read(ctx);
    ASSERT_THAT(text, IsOk());
    ASSERT_NE(*text, "");
    for (const char c : *text) {
      if (c != ',') {
        number = number * 10 + static_cast<size_t>(c - '0');
        continue;
      }
      received += number;
      number = 0;
    }
  }
  EXPECT_EQ(received, written);
  // Nothing else arrives.
  EXPECT_THAT(connection->Read(WithTimeout(ctx, absl::Milliseconds(20))),
              StatusIs(absl::StatusCode::kDeadlineExceeded));
}

TEST_P(UpgradeTest, AServerWaitsForASlowReader) {
  const std::string all = Pattern(size_t{24} << 20);
  RawServer server(
      [&all](RawServer::Connection& connection) {
        if (Switch(connection)) connection.Write(all);
        connection.AwaitStop();
      },
      Options());
  constexpr size_t kBuffered = 300'000;
  const auto transport = MakeTransport({.max_buffered_bytes = kBuffered});
  const auto connection = Connect(*transport, Upgrade(server));
  ASSERT_NE(connection, nullptr);
  const Context ctx = Soon();
  while (transport->statistics().paused == 0) {
    ASSERT_THAT(base::SleepFor(ctx, absl::Milliseconds(1)), IsOk());
  }
  EXPECT_LT(transport->statistics().buffered_bytes, static_cast<int64_t>(kBuffered + 200'000));
  const absl::StatusOr<std::string> read = ReadBytes(ctx, *connection, all.size());
  ASSERT_THAT(read, IsOk());
  EXPECT_TRUE(*read == all);
}

// ---- How connections end

TEST_P(UpgradeTest, FlushAndCloseDeliverEverything) {
  const std::string all = Pattern(size_t{1} << 20);
  std::string received;
  {
    RawServer server(
        [&received](RawServer::Connection& connection) {
          if (!Switch(connection)) return;
          for (std::string bytes; !(bytes = connection.Read()).empty();) received += bytes;
        },
        Options());
    const auto transport = MakeTransport();
    const auto connection = Connect(*transport, Upgrade(server));
    ASSERT_NE(connection, nullptr);
    ASSERT_THAT(WriteAll(Soon(), *connection, all, 70'000), IsOk());
    ASSERT_THAT(connection->Flush(Soon()), IsOk());
    connection->Close();
    connection->Close();
    EXPECT_THAT(connection->Read(Soon()), StatusIs(absl::StatusCode::kCancelled));
    EXPECT_EQ(transport->statistics().requests, 0);
    AwaitNoConnections(*transport);
    // The server may still read what is in the kernel.
    const Context ctx = Soon();
    while (server.running() > 0) {
      ASSERT_THAT(base::SleepFor(ctx, absl::Milliseconds(1)), IsOk());
    }
  }
  EXPECT_TRUE(received == all) << received.size();
}

TEST_P(UpgradeTest, TheServerCloses) {
  RawServer server([](RawServer::Connection& connection) { Switch(connection, "bye"); }, Options());
  const auto transport = MakeTransport();
  const auto connection = Connect(*transport, Upgrade(server));
  ASSERT_NE(connection, nullptr);
  const Context ctx = Soon();
  EXPECT_THAT(ReadBytes(ctx, *connection, 3), IsOkAndHolds("bye"));
  EXPECT_THAT(connection->Read(ctx), IsOkAndHolds(""));
  EXPECT_THAT(connection->Read(ctx), IsOkAndHolds(""));
  const absl::Status status = connection->Write(ctx, "late");
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kUnavailable,
                               HasSubstr("the server closed the connection")));
  EXPECT_THAT(TransportErrorOf(status), Optional(TransportError{.kind = Kind::kEof}));
  EXPECT_EQ(transport->statistics().requests, 0);
  AwaitNoConnections(*transport);
}

TEST_P(UpgradeTest, TheServerResets) {
  RawServer server(
      [](RawServer::Connection& connection) {
        if (Switch(connection)) connection.Read();
        connection.Reset();
      },
      Options());
  const auto transport = MakeTransport();
  const auto connection = Connect(*transport, Upgrade(server));
  ASSERT_NE(connection, nullptr);
  ASSERT_THAT(connection->Write(Soon(), "now"), IsOk());
  const absl::Status status = connection->Read(Soon()).status();
  EXPECT_THAT(TransportErrorOf(status), Optional(TransportError{.kind = Kind::kReset})) << status;
  EXPECT_EQ(connection->Write(Soon(), "late"), status);
  EXPECT_THAT(connection->Flush(Soon()), IsOk()) << "the system had got everything";
}

// A server that ends while the client still writes resets the connection. What it has sent before
// arrives all the same, although the reader is behind.
TEST_P(UpgradeTest, AWriteThatFailsLosesNothingThatHasArrived) {
  const std::string first = Pattern(20'000);
  const std::string second(10'000, 'x');
  base::Event is_behind;
  base::Event is_reset;
  RawServer server(
      [&](RawServer::Connection& connection) {
        if (!Switch(connection, first) || !is_behind.Wait(Soon()).ok()) return;
        connection.Write(second);
        connection.Reset();
        is_reset.Set();
      },
      Options());
  const auto transport = MakeTransport({.max_buffered_bytes = 10'000});
  const auto connection = Connect(*transport, Upgrade(server));
  ASSERT_NE(connection, nullptr);
  const Context ctx = Soon();
  while (transport->statistics().paused == 0) {
    ASSERT_THAT(base::SleepFor(ctx, absl::Milliseconds(1)), IsOk());
  }
  is_behind.Set();
  ASSERT_THAT(is_reset.Wait(ctx), IsOk());
  // The thread that sends is told before the one that reads makes room.
  EXPECT_THAT(connection->Write(ctx, "now"), IsOk());
  const absl::StatusOr<std::string> read =
      ReadBytes(ctx, *connection, first.size() + second.size());
  ASSERT_THAT(read, IsOk());
  EXPECT_TRUE(*read == first + second);
}

TEST_P(UpgradeTest, CloseWakesAReader) {
  RawServer server(Echo, Options());
  const auto transport = MakeTransport();
  const auto connection = Connect(*transport, Upgrade(server));
  ASSERT_NE(connection, nullptr);
  base::Thread reader;
  ASSERT_THAT(reader.Start(Soon(), "reader",
                           [&connection](const Context& ctx) {
                             EXPECT_THAT(connection->Read(ctx),
                                         StatusIs(absl::StatusCode::kCancelled));
                           }),
              IsOk());
  connection->Close();
  reader.Join();
}

TEST_P(UpgradeTest, OpenConnectionsOutliveTheTransport) {
  RawServer server(Echo, Options());
  auto transport = MakeTransport();
  const auto connection = Connect(*transport, Upgrade(server));
  ASSERT_NE(connection, nullptr);
  base::Thread reader;
  absl::Status read;
  ASSERT_THAT(reader.Start(Soon(), "reader",
                           [&](const Context& ctx) { read = connection->Read(ctx).status(); }),
              IsOk());
  transport.reset();
  reader.Join();
  EXPECT_THAT(TransportErrorOf(read), Optional(TransportError{.kind = Kind::kClosed})) << read;
  const absl::Status written = connection->Write(Soon(), "late");
  EXPECT_THAT(TransportErrorOf(written), Optional(TransportError{.kind = Kind::kClosed}))
      << written;
}

TEST_P(UpgradeTest, ShutdownDoesNotWaitForThem) {
  RawServer server(Echo, Options());
  const auto transport = MakeTransport();
  const auto connection = Connect(*transport, Upgrade(server));
  ASSERT_NE(connection, nullptr);
  EXPECT_THAT(transport->Shutdown(Soon()), IsOk());
  const absl::Status status = connection->Read(Soon()).status();
  EXPECT_THAT(TransportErrorOf(status), Optional(TransportError{.kind = Kind::kClosed})) << status;
  EXPECT_THAT(TransportErrorOf(transport->RoundTrip(Soon(), Upgrade(server)).status()),
              Optional(TransportError{.kind = Kind::kClosed, .maybe_sent = false}));
}

// ---- Other answers

TEST_P(UpgradeTest, ARefusalIsAResponse) {
  RawServer server(
      [](RawServer::Connection& connection) {
        while (!connection.ReadUntil("\r\n\r\n").empty()) {
          connection.Write("HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno");
        }
      },
      Options());
  const auto transport = MakeTransport();
  for (int i = 1; i <= 3; ++i) {
    absl::StatusOr<HttpResponse> response = transport->RoundTrip(Soon(), Upgrade(server));
    ASSERT_THAT(response, IsOk());
    EXPECT_EQ(response->status, 403);
    EXPECT_EQ(response->connection, nullptr);
    EXPECT_THAT(ReadAll(Soon(), *response), IsOkAndHolds("no"));
    // The connection is not used again.
    EXPECT_EQ(transport->statistics().opened_connections, i);
    AwaitNoConnections(*transport);
  }
}

TEST_P(UpgradeTest, ContextEndsTheWait) {
  RawServer server(
      [](RawServer::Connection& connection) {
        connection.ReadUntil("\r\n\r\n");
        connection.Read();
      },
      Options());
  const auto transport = MakeTransport();
  EXPECT_THAT(
      transport->RoundTrip(WithTimeout(Context(), absl::Milliseconds(200)), Upgrade(server)),
      StatusIs(absl::StatusCode::kDeadlineExceeded));
  HttpRequest request = Upgrade(server);
  request.header_timeout = absl::Milliseconds(200);
  EXPECT_THAT(TransportErrorOf(transport->RoundTrip(Soon(), std::move(request)).status()),
              Optional(TransportError{.kind = Kind::kTimeout}));
  AwaitNoConnections(*transport);
  EXPECT_EQ(transport->statistics().requests, 0);
}

TEST_P(UpgradeTest, NoResponses) {
  for (const std::string answer : {"", "HTTP/1.1 101 Switching Prot", "garbage\r\n\r\n"}) {
    SCOPED_TRACE(answer);
    RawServer server(
        [&answer](RawServer::Connection& connection) {
          connection.ReadUntil("\r\n\r\n");
          connection.Write(answer);
        },
        Options());
    const auto transport = MakeTransport();
    const absl::Status status = transport->RoundTrip(Soon(), Upgrade(server)).status();
    EXPECT_THAT(TransportErrorOf(status),
                Optional(TransportError{.kind = answer == "garbage\r\n\r\n" ? Kind::kProtocol
                                                                            : Kind::kEof}))
        << status;
    AwaitNoConnections(*transport);
  }
}

}  // namespace
}  // namespace kube::httpclient

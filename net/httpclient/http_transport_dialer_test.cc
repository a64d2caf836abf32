// Connections that a ConnectionDialer opens.

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/wait.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpclient/connection_dialer.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/http_transport.h"
#include "net/httpclient/testing/raw_server.h"
#include "net/httpclient/testing/test_server.h"
#include "net/httpclient/transport_error.h"
#include "net/httpserver/exchange.h"
#include "net/io/file_descriptor.h"

namespace kube::httpclient {
namespace {

using ::kube::base::IsOk;
using ::kube::base::IsOkAndHolds;
using ::kube::base::StatusIs;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Optional;
using ::testing::SizeIs;

using Kind = TransportErrorKind;

// Dials by a function, and records the addresses.
class FunctionDialer final : public ConnectionDialer {
 public:
  using Function = std::function<absl::StatusOr<io::FileDescriptor>(const Context&)>;
  explicit FunctionDialer(Function function) : function_(std::move(function)) {}

  absl::StatusOr<io::FileDescriptor> Dial(const Context& ctx, const DialAddress& address) override {
    {
      base::MutexLock lock(mutex_);
      addresses_.push_back(absl::StrCat(address.host, " ", address.port));
    }
    return function_(ctx);
  }

  std::vector<std::string> addresses() const {
    base::MutexLock lock(mutex_);
    return addresses_;
  }

 private:
  const Function function_;
  mutable base::Mutex mutex_;
  std::vector<std::string> addresses_ ABSL_GUARDED_BY(mutex_);
};

std::shared_ptr<const ConnectionOptions> By(std::shared_ptr<ConnectionDialer> dialer,
                                            ConnectionOptions options = {}) {
  options.dialer = std::move(dialer);
  return std::make_shared<ConnectionOptions>(std::move(options));
}

// Returns a dialer that connects to a port of this machine, whatever the address is.
std::shared_ptr<FunctionDialer> ToPort(int port) {
  return std::make_shared<FunctionDialer>(
      [port](const Context&) -> absl::StatusOr<io::FileDescriptor> {
        io::FileDescriptor socket(::socket(AF_INET, SOCK_STREAM, 0));
        sockaddr_in address = {};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        address.sin_port = htons(static_cast<uint16_t>(port));
        if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) !=
            0) {
          return absl::UnavailableError("refused");
        }
        return socket;
      });
}

// Returns a dialer of which each connection is one end of a socketpair; the server has the other.
std::shared_ptr<FunctionDialer> ToSocketPair(RawServer& server) {
  return std::make_shared<FunctionDialer>(
      [&server](const Context&) -> absl::StatusOr<io::FileDescriptor> {
        std::array<int, 2> ends = {};
        if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
          return absl::ResourceExhaustedError("no sockets");
        }
        server.Adopt(io::FileDescriptor(ends[1]));
        return io::FileDescriptor(ends[0]);
      });
}

// Returns a dialer that blocks until its context is done.
std::shared_ptr<FunctionDialer> Blocked(base::Event& begun, base::Event& ended) {
  return std::make_shared<FunctionDialer>([&begun, &ended](const Context& ctx) {
    begun.Set();
    const absl::Status status = base::WaitUntilDone(ctx);
    ended.Set();
    return status;
  });
}

void Greet(RawServer::Connection& connection) {
  while (!connection.ReadUntil("\r\n\r\n").empty()) {
    connection.Write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");
  }
}

void SwitchAndEcho(RawServer::Connection& connection) {
  if (connection.ReadUntil("\r\n\r\n").empty()) return;
  connection.Write("HTTP/1.1 101 Switching Protocols\r\n\r\n");
  for (std::string bytes; !(bytes = connection.Read()).empty();) connection.Write(bytes);
}

// A short path for a socket, which is longer in TEST_TMPDIR than the system allows.
class SocketFolder {
 public:
  SocketFolder() {
    std::string pattern = "/tmp/dialer-XXXXXX";
    folder_ = ::mkdtemp(pattern.data());
  }
  ~SocketFolder() { std::filesystem::remove_all(folder_); }
  SocketFolder(const SocketFolder&) = delete;
  SocketFolder& operator=(const SocketFolder&) = delete;
  std::string path() const { return absl::StrCat(folder_, "/socket"); }

 private:
  std::string folder_;
};

TEST(DialedConnectionTest, UnixSockets) {
  for (const bool tls : {false, true}) {
    SCOPED_TRACE(tls);
    const SocketFolder folder;
    RawServer server(Greet, {.tls = tls, .path = folder.path()});
    const auto connection = By(UnixSocketDialer(folder.path()), server.connection());
    const auto transport = MakeTransport();
    for (int i = 0; i < 3; ++i) {
      EXPECT_THAT(Get(*transport, {.url = tls ? "https://localhost/" : "http://localhost/",
                                   .connection = connection}),
                  IsOkAndHolds("hello"));
    }
    // They are kept for later requests, as all connections.
    EXPECT_EQ(transport->statistics().opened_connections, 1);
    EXPECT_EQ(server.connections(), 1);
  }
}

TEST(DialedConnectionTest, SocketPairs) {
  for (const bool tls : {false, true}) {
    SCOPED_TRACE(tls);
    RawServer server(Greet, {.tls = tls});
    const auto connection = By(ToSocketPair(server), server.connection());
    const auto transport = MakeTransport();
    for (int i = 0; i < 3; ++i) {
      EXPECT_THAT(Get(*transport, {.url = tls ? "https://localhost/" : "http://localhost/",
                                   .connection = connection}),
                  IsOkAndHolds("hello"));
    }
    EXPECT_EQ(server.connections(), 1);
  }
}

// HTTP/2 by ALPN, and the certificate's name is checked. The name has no address, and the proxy
// does not exist: neither is asked.
TEST(DialedConnectionTest, TlsAsForAllConnections) {
  TestServer server(
      [](const std::shared_ptr<httpserver::Exchange>& exchange) {
        exchange->Respond({.body = absl::StrCat(exchange->request().http_version)});
      },
      {}, /*tls=*/true, {.common_name = "cluster", .dns_names = {"cluster.invalid"}});
  const auto dialer = ToPort(server.server().port());
  ConnectionOptions options = server.connection();
  options.proxy_url = "http://proxy.invalid:3128";
  const auto transport = MakeTransport();
  EXPECT_THAT(
      Get(*transport, {.url = "https://cluster.invalid:1234/", .connection = By(dialer, options)}),
      IsOkAndHolds("2"));
  options.http_version = HttpVersion::kHttp1;
  EXPECT_THAT(
      Get(*transport, {.url = "https://cluster.invalid:1234/", .connection = By(dialer, options)}),
      IsOkAndHolds("1"));
  EXPECT_THAT(dialer->addresses(), AllOf(SizeIs(2), Each("cluster.invalid 1234")));

  const absl::Status other =
      Get(*transport, {.url = "https://other.invalid/", .connection = By(dialer, options)})
          .status();
  EXPECT_THAT(other, StatusIs(absl::StatusCode::kUnauthenticated, HasSubstr("other.invalid")));
  options.tls_server_name = "cluster.invalid";
  EXPECT_THAT(Get(*transport, {.url = "https://[::1]:1234/", .connection = By(dialer, options)}),
              IsOkAndHolds("1"));
  EXPECT_EQ(dialer->addresses().back(), "::1 1234");
}

TEST(DialedConnectionTest, Upgrades) {
  for (const bool tls : {false, true}) {
    SCOPED_TRACE(tls);
    RawServer server(SwitchAndEcho, {.tls = tls});
    const auto dialer = ToSocketPair(server);
    const auto transport = MakeTransport();
    absl::StatusOr<HttpResponse> response =
        transport->RoundTrip(Soon(), {.url = tls ? "https://localhost/" : "http://localhost/",
                                      .headers = {{"Connection", "Upgrade"}, {"Upgrade", "echo"}},
                                      .connection = By(dialer, server.connection()),
                                      .upgrade = true});
    ASSERT_THAT(response, IsOk());
    ASSERT_NE(response->connection, nullptr);
    ASSERT_THAT(response->connection->Write(Soon(), "text"), IsOk());
    EXPECT_THAT(response->connection->Read(Soon()), IsOkAndHolds("text"));
  }
}

TEST(DialedConnectionTest, DialersDoNotShareConnections) {
  RawServer server(Greet);
  const auto transport = MakeTransport();
  for (int i = 1; i <= 2; ++i) {
    const auto dialer = ToPort(server.port());
    for (int j = 0; j < 2; ++j) {
      EXPECT_THAT(Get(*transport, {.url = "http://localhost/", .connection = By(dialer)}),
                  IsOkAndHolds("hello"));
    }
    EXPECT_EQ(transport->statistics().opened_connections, i);
  }
}

// ---- Errors

TEST(DialedConnectionTest, Errors) {
  struct Row {
    std::string name;
    FunctionDialer::Function dial;
    Kind kind;
    std::string message;
  };
  const auto unconnected = [](const Context&) {
    return io::FileDescriptor(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  };
  const auto closed = [](const Context&) -> absl::StatusOr<io::FileDescriptor> {
    std::array<int, 2> ends = {};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
      return absl::ResourceExhaustedError("no sockets");
    }
    ::close(ends[1]);
    return io::FileDescriptor(ends[0]);
  };
  for (const Row& row : std::vector<Row>{
           {"any", [](const Context&) { return absl::NotFoundError("no such tunnel"); },
            Kind::kConnect, "connect to localhost:80: no such tunnel"},
           {"of a transport",
            [](const Context&) { return MakeTransportError({.kind = Kind::kProxy}, "denied"); },
            Kind::kProxy, "connect to localhost:80: denied"},
           {"none", [](const Context&) { return io::FileDescriptor(); }, Kind::kConnect,
            "connect to localhost:80: the dialer returned no socket"},
           {"not connected", unconnected, Kind::kConnect,
            "connect to localhost:80: the dialer's socket is not connected"},
       }) {
    SCOPED_TRACE(row.name);
    const auto transport = MakeTransport();
    const absl::Status status =
        Get(*transport, {.url = "http://localhost/",
                         .connection = By(std::make_shared<FunctionDialer>(row.dial))})
            .status();
    EXPECT_EQ(TransportErrorOf(status), (TransportError{.kind = row.kind, .maybe_sent = false}));
    EXPECT_EQ(status.message(), row.message);
    EXPECT_EQ(transport->statistics().connections, 0);
  }
  // The TLS handshake fails without a peer, and no other address is tried.
  const auto dialer = std::make_shared<FunctionDialer>(closed);
  const auto transport = MakeTransport();
  const absl::Status status =
      Get(*transport, {.url = "https://localhost/", .connection = By(dialer)}).status();
  EXPECT_THAT(TransportErrorOf(status),
              Optional(::testing::Field(&TransportError::maybe_sent, false)))
      << status;
  EXPECT_EQ(dialer->addresses().size(), 1);
}

class BlockedDialTest : public ::testing::Test {
 protected:
  // Used by the dialer's thread, for which the transport waits.
  base::Event begun_;
  base::Event ended_;
};

// Nothing else waits for a dial.
TEST_F(BlockedDialTest, EndsAfterTheConnectTimeout) {
  RawServer server(Greet);
  const auto transport = MakeTransport();
  const auto dialer = Blocked(begun_, ended_);
  base::Thread waiting;
  absl::Status status;
  ASSERT_THAT(waiting.Start(
                  Context(), "waiting",
                  [&](const Context&) {
                    status = Get(*transport,
                                 {.url = "http://localhost/",
                                  .connection = By(dialer, {.connect_timeout = absl::Seconds(1)})})
                                 .status();
                  }),
              IsOk());
  ASSERT_THAT(begun_.Wait(Soon()), IsOk());
  for (int i = 0; i < 10; ++i) {
    EXPECT_THAT(Get(*transport, {.url = server.url()}), IsOkAndHolds("hello"));
  }
  waiting.Join();
  EXPECT_EQ(TransportErrorOf(status), (TransportError{.kind = Kind::kConnect, .maybe_sent = false}))
      << status;
  EXPECT_THAT(ended_.Wait(Soon()), IsOk());
}

TEST_F(BlockedDialTest, EndsWithItsRequest) {
  for (const bool upgrade : {false, true}) {
    base::Event begun;
    base::Event ended;
    const auto transport = MakeTransport();
    const auto dialer = Blocked(begun, ended);
    CancelScope scope = WithCancel(Soon());
    base::Thread waiting;
    ASSERT_THAT(waiting.Start(Context(), "waiting",
                              [&](const Context&) {
                                EXPECT_THAT(transport->RoundTrip(scope.context(),
                                                                 {.url = "https://localhost/",
                                                                  .connection = By(dialer),
                                                                  .upgrade = upgrade}),
                                            StatusIs(absl::StatusCode::kCancelled));
                              }),
                IsOk());
    ASSERT_THAT(begun.Wait(Soon()), IsOk());
    scope.Cancel();
    waiting.Join();
    EXPECT_THAT(ended.Wait(Soon()), IsOk());
  }
}

TEST_F(BlockedDialTest, EndsWithTheTransport) {
  auto transport = MakeTransport();
  const auto dialer = Blocked(begun_, ended_);
  base::Thread waiting;
  absl::Status status;
  ASSERT_THAT(waiting.Start(
                  Context(), "waiting",
                  [&, held = transport.get()](const Context&) {
                    status =
                        Get(*held, {.url = "http://localhost/", .connection = By(dialer)}).status();
                  }),
              IsOk());
  ASSERT_THAT(begun_.Wait(Soon()), IsOk());
  EXPECT_THAT(transport->Shutdown(WithTimeout(Context(), absl::Milliseconds(5))),
              StatusIs(absl::StatusCode::kDeadlineExceeded));
  waiting.Join();
  EXPECT_EQ(TransportErrorOf(status), (TransportError{.kind = Kind::kClosed, .maybe_sent = false}))
      << status;
  transport.reset();
  EXPECT_TRUE(ended_.IsSet());
}

}  // namespace
}  // namespace kube::httpclient

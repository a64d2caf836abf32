// Requests that ask for another protocol: which do, what becomes of the connection, and which
// timeouts, limits and faults apply to it. switched_bytes_test moves many bytes, also with TLS.

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpserver/exchange.h"
#include "net/httpserver/server.h"
#include "net/httpserver/testing/faults.h"
#include "net/httpserver/testing/raw_client.h"
#include "net/io/duplex_stream.h"

namespace kube::httpserver {
namespace {

using ::kube::base::IsOk;
using ::kube::base::IsOkAndHolds;
using ::kube::base::StatusIs;
using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

constexpr absl::string_view kUpgrade =
    "GET /echo HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: echo\r\n\r\n";
constexpr absl::string_view kGet = "GET /get HTTP/1.1\r\nhost: x\r\n\r\n";
constexpr absl::string_view kSwitched =
    "HTTP/1.1 101 Switching Protocols\r\nupgrade: echo\r\nconnection: Upgrade\r\n\r\n";

Context Soon() { return WithTimeout(Context(), absl::Seconds(10)); }

using Connection = std::unique_ptr<io::DuplexStream>;

// Switches protocols for requests of "/echo", and keeps the exchange and the connection for the
// test; answers all other requests at once.
class KeepingHandler final : public Handler {
 public:
  struct Switched {
    std::shared_ptr<Exchange> exchange;
    Connection connection;
  };

  void Handle(std::shared_ptr<Exchange> exchange) override {
    if (exchange->request().path() != "/echo") {
      exchange->Respond({.body = absl::StrCat("[", exchange->request().target, "]")});
      return;
    }
    absl::StatusOr<Connection> connection = exchange->SwitchProtocols({{"upgrade", "echo"}});
    EXPECT_THAT(connection, IsOk());
    if (!connection.ok()) return;
    base::MutexLock lock(mutex_);
    kept_.push_back({std::move(exchange), *std::move(connection)});
    changed_.NotifyAll();
  }

  // Returns the next connection; an empty one if there is none in time.
  Switched Take() {
    base::MutexLock lock(mutex_);
    const absl::Status status = changed_.Wait(
        Soon(), mutex_, [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return !kept_.empty(); });
    EXPECT_THAT(status, IsOk());
    if (!status.ok()) return {};
    Switched first = std::move(kept_.front());
    kept_.erase(kept_.begin());
    return first;
  }

 private:
  base::Mutex mutex_;
  base::CondVar changed_;
  std::vector<Switched> kept_ ABSL_GUARDED_BY(mutex_);
};

// Waits until a context is done.
absl::Status WaitForEnd(const Context& ended) {
  base::Event done;
  const DoneCallback callback = ended.OnDone([&done] { done.Set(); });
  return done.Wait(Soon());
}

// Waits until the faults set before have taken effect. Without it, the I/O thread may still be
// about to send, and take what is written next along.
absl::Status WaitForFaults(Exchange& exchange) {
  const auto done = std::make_shared<base::Event>();
  Faults::Of(exchange)->Then([done] { done->Set(); });
  return done->Wait(Soon());
}

// Returns the server's socket, which is in this process, too; a negative number if there is none.
int SocketOf(absl::string_view peer_address) {
  for (int fd = 0; fd < 1024; ++fd) {
    sockaddr_in peer = {};
    socklen_t size = sizeof(peer);
    if (::getpeername(fd, reinterpret_cast<sockaddr*>(&peer), &size) != 0) continue;
    if (peer.sin_family != AF_INET) continue;
    if (absl::StrCat("127.0.0.1:", ntohs(peer.sin_port)) == peer_address) return fd;
  }
  return -1;
}

int SocketOption(int fd, int level, int option) {
  int value = 0;
  socklen_t size = sizeof(value);
  EXPECT_EQ(::getsockopt(fd, level, option, &value, &size), 0);
  return value;
}

class FunctionHandler final : public Handler {
 public:
  using Function = std::function<void(std::shared_ptr<Exchange>)>;
  explicit FunctionHandler(Function function) : function_(std::move(function)) {}
  void Handle(std::shared_ptr<Exchange> exchange) override { function_(std::move(exchange)); }

 private:
  const Function function_;
};

class SwitchProtocolsTest : public ::testing::Test {
 protected:
  void Start(const ServerOptions& options = {}) { StartServer(options, handler_); }
  void StartWith(FunctionHandler::Function function) {
    function_ = std::make_unique<FunctionHandler>(std::move(function));
    StartServer({}, *function_);
  }
  void StartServer(const ServerOptions& options, Handler& handler) {
    absl::StatusOr<std::unique_ptr<Server>> server = Server::Start(options, handler);
    ASSERT_THAT(server, IsOk());
    server_ = *std::move(server);
  }
  RawClient Connect() { return RawClient(server_->port()); }
  // Asks for the other protocol, and reads the header of the answer.
  KeepingHandler::Switched Switch(RawClient& client) {
    client.Send(kUpgrade);
    EXPECT_EQ(client.ReadUntil("\r\n\r\n"), kSwitched);
    return handler_.Take();
  }
  // Waits until the statistics say so.
  template <typename Predicate>
  bool Eventually(Predicate predicate) {
    const Context ctx = Soon();
    while (!predicate(server_->statistics())) {
      if (ctx.done()) return false;
    }
    return true;
  }

  KeepingHandler handler_;
  std::unique_ptr<FunctionHandler> function_;
  std::unique_ptr<Server> server_;
};

TEST_F(SwitchProtocolsTest, ConnectionPassesBytesBothWays) {
  Start();
  RawClient client = Connect();
  KeepingHandler::Switched switched = Switch(client);
  switched.exchange.reset();
  client.Send("hello");
  EXPECT_THAT(switched.connection->Read(Soon()), IsOkAndHolds("hello"));
  EXPECT_THAT(switched.connection->Write(Soon(), "GET / HTTP/1.1\r\n\r\n"), IsOk());
  EXPECT_EQ(client.ReadUntil("\r\n\r\n"), "GET / HTTP/1.1\r\n\r\n");
  client.Send(kGet);
  EXPECT_THAT(switched.connection->Read(Soon()), IsOkAndHolds(std::string(kGet)))
      << "HTTP has ended";
  EXPECT_EQ(server_->statistics().requests, 1);
  EXPECT_EQ(server_->statistics().exchanges, 1);
  switched.connection.reset();
  EXPECT_THAT(client.ReadToEnd(), IsEmpty());
  EXPECT_FALSE(client.was_reset());
  EXPECT_TRUE(Eventually([](const ServerStatistics& s) { return s.exchanges == 0; }));
}

TEST_F(SwitchProtocolsTest, BytesBehindTheRequest_AreTheConnections) {
  Start();
  RawClient client = Connect();
  client.Send(absl::StrCat(kUpgrade, "early ", kGet));
  const KeepingHandler::Switched switched = handler_.Take();
  std::string read;
  while (read.size() < 6 + kGet.size()) {
    const absl::StatusOr<std::string> piece = switched.connection->Read(Soon());
    ASSERT_THAT(piece, IsOk());
    absl::StrAppend(&read, *piece);
  }
  EXPECT_EQ(read, absl::StrCat("early ", kGet));
  EXPECT_EQ(client.ReadUntil("\r\n\r\n"), kSwitched);
}

TEST_F(SwitchProtocolsTest, BytesThatTheHandlerWritesAtOnce_FollowTheHeader) {
  Connection connection;
  StartWith([&connection](const std::shared_ptr<Exchange>& exchange) {
    exchange->Inform(103, {{"link", "x"}});
    absl::StatusOr<Connection> switched =
        exchange->SwitchProtocols({{"connection", "upgrade"}, {"upgrade", "echo"}});
    ASSERT_THAT(switched, IsOk());
    connection = *std::move(switched);
    EXPECT_THAT(connection->Write(Soon(), "bye"), IsOk());
    EXPECT_THAT(connection->CloseWrite(), IsOk());
    exchange->Respond({.status = 500});
    EXPECT_FALSE(exchange->Write("x"));
    exchange->Finish();
    EXPECT_THAT(exchange->SwitchProtocols({}), StatusIs(absl::StatusCode::kFailedPrecondition));
    EXPECT_FALSE(exchange->context().done());
  });
  RawClient client = Connect();
  client.Send(kUpgrade);
  EXPECT_EQ(client.ReadToEnd(),
            "HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n"
            "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\n"
            "upgrade: echo\r\n\r\nbye");
  server_.reset();  // before what the handler uses
}

TEST_F(SwitchProtocolsTest, OtherThreadsSwitchLater) {
  base::Thread thread;
  StartWith([&thread](std::shared_ptr<Exchange> exchange) {
    const absl::Status started =
        thread.Start(Context(), "later", [exchange = std::move(exchange)](const Context&) mutable {
          absl::StatusOr<Connection> connection = exchange->SwitchProtocols({{"upgrade", "echo"}});
          ASSERT_THAT(connection, IsOk());
          exchange.reset();
          EXPECT_THAT((*connection)->Read(Soon()), IsOkAndHolds("hello"));
          EXPECT_THAT((*connection)->Write(Soon(), "world"), IsOk());
          EXPECT_THAT((*connection)->Flush(Soon()), IsOk());
        });
    ASSERT_THAT(started, IsOk());
  });
  RawClient client = Connect();
  client.Send(absl::StrCat(kUpgrade, "hello"));
  EXPECT_THAT(client.ReadToEnd(), EndsWith("\r\n\r\nworld"));
  server_.reset();  // before what the handler uses
}

TEST_F(SwitchProtocolsTest, WantsUpgrade_OnlyWhatCanHaveIt) {
  const struct {
    absl::string_view name;
    absl::string_view request;
    bool wants;
  } cases[] = {
      {"as usual", "GET / HTTP/1.1\r\nhost: x\r\nConnection: Upgrade\r\nUpgrade: a\r\n\r\n", true},
      {"any method", "POST / HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: a\r\n\r\n",
       true},
      {"a list of tokens",
       "GET / HTTP/1.1\r\nhost: x\r\nconnection: keep-alive, UPGRADE\r\nupgrade: a\r\n\r\n", true},
      {"an empty body",
       "POST / HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: a\r\n"
       "content-length: 0\r\n\r\n",
       true},
      {"no upgrade header", "GET / HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\n\r\n", false},
      {"an empty upgrade header",
       "GET / HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: \r\n\r\n", false},
      {"no connection header", "GET / HTTP/1.1\r\nhost: x\r\nupgrade: a\r\n\r\n", false},
      {"part of a token", "GET / HTTP/1.1\r\nhost: x\r\nconnection: upgrades\r\nupgrade: a\r\n\r\n",
       false},
      {"a body",
       "POST / HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: a\r\n"
       "content-length: 2\r\n\r\nhi",
       false},
      {"a body in chunks",
       "POST / HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: a\r\n"
       "transfer-encoding: chunked\r\n\r\n0\r\n\r\n",
       false},
      {"HTTP/1.0", "GET / HTTP/1.0\r\nhost: x\r\nconnection: upgrade\r\nupgrade: a\r\n\r\n", false},
  };
  bool wanted = false;
  bool has_headers = false;
  StartWith([&](const std::shared_ptr<Exchange>& exchange) {
    const Request& request = exchange->request();
    wanted = request.wants_upgrade;
    has_headers =
        request.headers.Get("connection").has_value() && request.headers.Get("upgrade").has_value();
    if (!wanted) {
      EXPECT_THAT(exchange->SwitchProtocols({}), StatusIs(absl::StatusCode::kFailedPrecondition));
      EXPECT_FALSE(request.headers.Get("connection").has_value());
    }
    exchange->Respond({.body = "done"});
  });
  for (const auto& test : cases) {
    SCOPED_TRACE(test.name);
    RawClient client = Connect();
    client.Send(test.request);
    EXPECT_THAT(client.ReadUntil("done"), AllOf(StartsWith("HTTP/1.1 200 OK"), EndsWith("done")));
    EXPECT_EQ(wanted, test.wants);
    EXPECT_EQ(has_headers, test.wants);
  }
  server_.reset();  // before what the handler uses
}

TEST_F(SwitchProtocolsTest, Http2_CannotSwitch) {
  absl::Status status;
  bool wanted = true;
  base::Event handled;
  StartWith([&](const std::shared_ptr<Exchange>& exchange) {
    wanted = exchange->request().wants_upgrade;
    status = exchange->SwitchProtocols({{"upgrade", "echo"}}).status();
    exchange->Respond({});
    handled.Set();
  });
  RawClient client = Connect();
  // SETTINGS, and HEADERS of "GET /".
  client.Send(
      absl::StrCat("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", absl::string_view("\0\0\0\x04\0\0\0\0\0", 9),
                   absl::string_view("\0\0\x06\x01\x05\0\0\0\x01", 9), "\x82\x84\x86\x41\x01x"));
  ASSERT_THAT(handled.Wait(Soon()), IsOk());
  EXPECT_FALSE(wanted);
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kFailedPrecondition));
  server_.reset();  // before what the handler uses
}

TEST_F(SwitchProtocolsTest, AnsweredNormally_IsFollowedByTheNextRequest) {
  Start();
  RawClient client = Connect();
  const std::string refused =
      "GET /no HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: a\r\n\r\n";
  client.Send(absl::StrCat(refused, kGet, kUpgrade, "hello"));
  EXPECT_THAT(client.ReadUntil("]"), EndsWith("[/no]"));
  EXPECT_THAT(client.ReadUntil("]"), EndsWith("[/get]"));
  EXPECT_EQ(client.ReadUntil("\r\n\r\n"), kSwitched);
  const KeepingHandler::Switched switched = handler_.Take();
  EXPECT_THAT(switched.connection->Read(Soon()), IsOkAndHolds("hello"));
}

TEST_F(SwitchProtocolsTest, ClientThatHasGone_IsUnavailable) {
  std::shared_ptr<Exchange> kept;
  base::Event handled;
  StartWith([&](std::shared_ptr<Exchange> exchange) {
    kept = std::move(exchange);
    handled.Set();
  });
  RawClient client = Connect();
  client.Send(kUpgrade);
  ASSERT_THAT(handled.Wait(Soon()), IsOk());
  client.Reset();
  ASSERT_THAT(WaitForEnd(kept->context()), IsOk());
  EXPECT_TRUE(Eventually([](const ServerStatistics& s) { return s.exchanges == 0; }));
  ASSERT_FALSE(kept->can_answer());
  EXPECT_THAT(kept->SwitchProtocols({}), StatusIs(absl::StatusCode::kUnavailable));
  kept.reset();
  server_.reset();  // before what the handler uses
}

TEST_F(SwitchProtocolsTest, ContextIsDoneWhenTheConnectionHasEnded) {
  const struct {
    absl::string_view name;
    std::function<void(RawClient&, KeepingHandler::Switched&)> end;
    bool reset;  // whether the client sees an error
  } cases[] = {
      {"the client is lost", [](RawClient& client, KeepingHandler::Switched&) { client.Reset(); },
       false},
      {"the handler closes",
       [](RawClient&, KeepingHandler::Switched& switched) { switched.connection->Close(); }, false},
      {"the handler drops it",
       [](RawClient&, KeepingHandler::Switched& switched) { switched.connection.reset(); }, false},
      {"both end their bytes",
       [](RawClient& client, KeepingHandler::Switched& switched) {
         client.HalfClose();
         EXPECT_THAT(switched.connection->Read(Soon()), IsOkAndHolds(""));
         EXPECT_FALSE(switched.exchange->context().done()) << "one direction is open";
         EXPECT_THAT(switched.connection->CloseWrite(), IsOk());
       },
       false},
      {"it is aborted",
       [](RawClient&, KeepingHandler::Switched& switched) { switched.exchange->Abort(); }, true},
  };
  Start();
  for (const auto& test : cases) {
    SCOPED_TRACE(test.name);
    RawClient client = Connect();
    KeepingHandler::Switched switched = Switch(client);
    EXPECT_FALSE(switched.exchange->context().done());
    test.end(client, switched);
    EXPECT_THAT(WaitForEnd(switched.exchange->context()), IsOk());
    client.ReadToEnd();
    EXPECT_EQ(client.was_reset(), test.reset);
    if (test.name == "it is aborted" || test.name == "the client is lost") {
      EXPECT_THAT(switched.connection->Read(Soon()), StatusIs(absl::StatusCode::kUnavailable));
      EXPECT_THAT(switched.connection->Write(Soon(), "x"),
                  StatusIs(absl::StatusCode::kUnavailable));
    }
  }
  EXPECT_TRUE(Eventually([](const ServerStatistics& s) { return s.exchanges == 0; }));
}

TEST_F(SwitchProtocolsTest, Timeouts_DoNotEndTheConnection) {
  const absl::Duration soon = absl::Milliseconds(200);
  Start({.header_timeout = soon, .body_timeout = soon, .idle_timeout = soon});
  RawClient client = Connect();
  const KeepingHandler::Switched switched = Switch(client);
  // Connections that came later time out.
  RawClient idle = Connect();
  idle.Send(kGet);
  idle.ReadToEnd();
  RawClient slow = Connect();
  slow.Send("GET / HT");
  slow.ReadToEnd();
  EXPECT_TRUE(Eventually([](const ServerStatistics& s) { return s.timeouts >= 2; }));
  client.Send("hello");
  EXPECT_THAT(switched.connection->Read(Soon()), IsOkAndHolds("hello"));
}

TEST_F(SwitchProtocolsTest, ClientWhoseMachineVanishes_IsNoticedByTcp) {
  Start();
  RawClient client = Connect();
  const KeepingHandler::Switched switched = Switch(client);
  const int fd = SocketOf(switched.exchange->request().peer_address);
  ASSERT_GE(fd, 0);
  EXPECT_EQ(SocketOption(fd, SOL_SOCKET, SO_KEEPALIVE), 1);
  EXPECT_EQ(SocketOption(fd, IPPROTO_TCP, TCP_KEEPIDLE), 15);
  EXPECT_EQ(SocketOption(fd, IPPROTO_TCP, TCP_KEEPINTVL), 15);
  EXPECT_EQ(SocketOption(fd, IPPROTO_TCP, TCP_KEEPCNT), 9);
}

TEST_F(SwitchProtocolsTest, WriteTimeout_ClientThatPauses_IsWaitedFor) {
  Start({.header_timeout = absl::Milliseconds(200), .write_timeout = absl::Milliseconds(40)});
  RawClient client = Connect();
  const KeepingHandler::Switched switched = Switch(client);
  Faults::Of(*switched.exchange)->StallOutput();
  ASSERT_THAT(WaitForFaults(*switched.exchange), IsOk());
  EXPECT_THAT(switched.connection->Write(Soon(), "hello"), IsOk());
  // A connection that came later times out.
  RawClient slow = Connect();
  slow.Send("GET / HT");
  slow.ReadToEnd();
  EXPECT_FALSE(switched.exchange->context().done());
  EXPECT_EQ(server_->statistics().slow_readers, 0);
  Faults::Of(*switched.exchange)->ResumeOutput();
  EXPECT_THAT(client.ReadUntil("hello"), EndsWith("hello"));
}

TEST_F(SwitchProtocolsTest, MaxConnections_ItIsNotClosedToMakeRoom) {
  Start({.max_connections = 1});
  RawClient client = Connect();
  KeepingHandler::Switched switched = Switch(client);
  RawClient newcomer = Connect();
  newcomer.Send(kGet);
  for (int i = 0; i < 10; ++i) {
    client.Send("ping");
    EXPECT_THAT(switched.connection->Read(Soon()), IsOkAndHolds("ping"));
  }
  EXPECT_EQ(server_->statistics().accepted_connections, 1);
  EXPECT_EQ(server_->statistics().evictions, 0);
  switched.connection->Close();
  client.ReadToEnd();
  client.Close();
  EXPECT_THAT(newcomer.ReadUntil("]"), EndsWith("[/get]"));
}

TEST_F(SwitchProtocolsTest, Close_ClientThatReadsNothing_IsLeftSoon) {
  Start();
  RawClient client = Connect();
  const KeepingHandler::Switched switched = Switch(client);
  Faults::Of(*switched.exchange)->StallOutput();
  ASSERT_THAT(WaitForFaults(*switched.exchange), IsOk());
  // More than waits for the socket.
  for (int i = 0; i < 2; ++i) {
    EXPECT_THAT(switched.connection->Write(Soon(), std::string(size_t{256} << 10, 'x')), IsOk());
  }
  switched.connection->Close();
  EXPECT_THAT(WaitForEnd(switched.exchange->context()), IsOk());
}

TEST_F(SwitchProtocolsTest, Shutdown_WaitsForTheConnection) {
  Start();
  RawClient client = Connect();
  KeepingHandler::Switched switched = Switch(client);
  base::Event ended;
  base::Thread thread;
  ASSERT_THAT(thread.Start(Context(), "shutdown",
                           [&](const Context&) {
                             EXPECT_THAT(server_->Shutdown(Context()), IsOk());
                             ended.Set();
                           }),
              IsOk());
  while (Connect().connected()) {
  }
  client.Send("hello");
  EXPECT_THAT(switched.connection->Read(Soon()), IsOkAndHolds("hello"));
  EXPECT_FALSE(ended.IsSet());
  EXPECT_FALSE(switched.exchange->context().done());
  switched.connection.reset();
  client.ReadToEnd();
  client.Close();
  thread.Join();
  EXPECT_TRUE(ended.IsSet());
}

TEST_F(SwitchProtocolsTest, Shutdown_ContextEnds_ClosesTheConnection) {
  Start();
  RawClient client = Connect();
  const KeepingHandler::Switched switched = Switch(client);
  EXPECT_THAT(server_->Shutdown(WithTimeout(Context(), absl::Milliseconds(10))),
              StatusIs(absl::StatusCode::kDeadlineExceeded));
  EXPECT_THAT(client.ReadToEnd(), IsEmpty());
  EXPECT_TRUE(switched.exchange->context().done());
  EXPECT_THAT(switched.connection->Read(Soon()),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr("the server was stopped")));
}

TEST_F(SwitchProtocolsTest, Destructor_ClosesTheConnection) {
  Start();
  RawClient client = Connect();
  const KeepingHandler::Switched switched = Switch(client);
  absl::StatusOr<std::string> read;
  base::Thread reader;
  ASSERT_THAT(reader.Start(Context(), "reader",
                           [&](const Context&) { read = switched.connection->Read(Soon()); }),
              IsOk());
  server_.reset();
  reader.Join();
  EXPECT_THAT(read, StatusIs(absl::StatusCode::kUnavailable));
  EXPECT_TRUE(switched.exchange->context().done());
  EXPECT_THAT(switched.connection->Write(Soon(), "x"), StatusIs(absl::StatusCode::kUnavailable));
  EXPECT_THAT(client.ReadToEnd(), IsEmpty());
}

TEST_F(SwitchProtocolsTest, Faults_ApplyToTheConnection) {
  Start();
  {
    RawClient client = Connect();
    const KeepingHandler::Switched switched = Switch(client);
    Faults::Of(*switched.exchange)->CloseAfter(5);
    ASSERT_THAT(WaitForFaults(*switched.exchange), IsOk());
    EXPECT_THAT(switched.connection->Write(Soon(), "0123456789"), IsOk());
    EXPECT_EQ(client.ReadToEnd(), "01234");
    EXPECT_THAT(WaitForEnd(switched.exchange->context()), IsOk());
    EXPECT_THAT(switched.connection->Read(Soon()), StatusIs(absl::StatusCode::kUnavailable));
  }
  {
    RawClient client = Connect();
    const KeepingHandler::Switched switched = Switch(client);
    Faults::Of(*switched.exchange)->ResetConnection();
    EXPECT_THAT(switched.connection->Read(Soon()), StatusIs(absl::StatusCode::kUnavailable));
    client.ReadToEnd();
    EXPECT_TRUE(client.was_reset());
  }
  {
    RawClient client = Connect();
    const KeepingHandler::Switched switched = Switch(client);
    Faults::Of(*switched.exchange)->HalfClose();
    EXPECT_THAT(client.ReadToEnd(), IsEmpty());
    client.Send("still");
    EXPECT_THAT(switched.connection->Read(Soon()), IsOkAndHolds("still"));
  }
}

}  // namespace
}  // namespace kube::httpserver

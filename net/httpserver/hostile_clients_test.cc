// Clients that try to exhaust the server, over plain sockets: connections without requests,
// requests that never end, answers that nobody reads, and more data than memory allows.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpserver/exchange.h"
#include "net/httpserver/server.h"
#include "net/httpserver/testing/raw_client.h"

namespace kube::httpserver {
namespace {

using ::kube::base::IsOk;
using ::kube::httpserver::RawClient;
using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr absl::string_view kGet = "GET /a HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
constexpr absl::string_view kPreface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

enum FrameType : char { kData = 0, kHeaders = 1, kSettings = 4, kPing = 6, kWindowUpdate = 8 };
constexpr char kEndStream = 1;
constexpr char kEndHeaders = 4;

std::string Frame(FrameType type, char flags, uint32_t stream, absl::string_view payload) {
  const auto byte = [](size_t value, int shift) { return static_cast<char>(value >> shift); };
  std::string frame;
  for (const int shift : {16, 8, 0}) frame += byte(payload.size(), shift);
  frame += {static_cast<char>(type), flags};
  for (const int shift : {24, 16, 8, 0}) frame += byte(stream, shift);
  return absl::StrCat(frame, payload);
}

// The header of "POST /" and of "GET /", as indices into HPACK's static table.
std::string Post(uint32_t stream) {
  return Frame(kHeaders, kEndHeaders, stream, "\x83\x84\x86\x41\x01x");
}
std::string Get(uint32_t stream) {
  return Frame(kHeaders, kEndHeaders | kEndStream, stream, "\x82\x84\x86\x41\x01x");
}
std::string Begin() { return absl::StrCat(kPreface, Frame(kSettings, 0, 0, "")); }
// With SETTINGS_INITIAL_WINDOW_SIZE zero the client accepts no bodies.
std::string BeginWithoutWindow() {
  return absl::StrCat(kPreface, Frame(kSettings, 0, 0, absl::string_view("\0\x04\0\0\0\0", 6)));
}
std::string Ping() { return Frame(kPing, 0, 0, "12345678"); }

std::string PostOf(absl::string_view target, size_t size) {
  return absl::StrCat("POST ", target, " HTTP/1.1\r\nhost: x\r\nconnection: close\r\n",
                      "content-length: ", size, "\r\n\r\n", std::string(size, 'b'));
}

// Answers with the length of the body; keeps requests for "/kept" until Release.
class KeepingHandler final : public Handler {
 public:
  void Handle(std::shared_ptr<Exchange> exchange) override {
    if (exchange->request().target != "/kept") return Answer(*exchange);
    base::MutexLock lock(mutex_);
    kept_.push_back(std::move(exchange));
  }

  size_t kept() const {
    base::MutexLock lock(mutex_);
    return kept_.size();
  }
  void Release() {
    std::vector<std::shared_ptr<Exchange>> kept;
    {
      base::MutexLock lock(mutex_);
      kept.swap(kept_);
    }
    for (const auto& exchange : kept) Answer(*exchange);
  }

 private:
  static void Answer(Exchange& exchange) {
    exchange.Respond({.body = absl::StrCat("took ", exchange.request().body.size(), ".")});
  }

  mutable base::Mutex mutex_;
  std::vector<std::shared_ptr<Exchange>> kept_ ABSL_GUARDED_BY(mutex_);
};

class HostileClientsTest : public ::testing::Test {
 protected:
  void Start(const ServerOptions& options) {
    server_.reset();
    absl::StatusOr<std::unique_ptr<Server>> server = Server::Start(options, handler_);
    ASSERT_THAT(server, IsOk());
    server_ = *std::move(server);
  }
  RawClient Connect() { return RawClient(server_->port()); }
  std::string Send(absl::string_view request) {
    RawClient client = Connect();
    client.Send(request);
    return client.ReadToEnd();
  }
  // Waits up to ten seconds until `predicate` holds.
  template <typename Predicate>
  bool Eventually(Predicate predicate) {
    const Context ctx = WithTimeout(Context(), absl::Seconds(10));
    while (!predicate()) {
      if (ctx.done()) return false;
    }
    return true;
  }

  KeepingHandler handler_;
  std::unique_ptr<Server> server_;
};

TEST_F(HostileClientsTest, ConnectionsWithoutRequestsMakeRoom) {
  for (const int threads : {1, 3}) {
    SCOPED_TRACE(threads);
    Start({.io_threads = threads, .max_connections = 5});
    const std::vector<std::string> sent = {
        "", "GET / HTT", "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\nabc",
        absl::StrCat(Begin(), Ping()), absl::StrCat(Begin(), Post(1), Frame(kData, 0, 1, "a"))};
    std::vector<RawClient> silent;
    for (int round = 0; round < 3; ++round) {
      for (const std::string& bytes : sent) {
        silent.push_back(Connect());
        silent.back().Send(bytes);
      }
    }
    for (int i = 0; i < 20; ++i) EXPECT_THAT(Send(kGet), EndsWith("took 0.")) << i;
    EXPECT_LE(server_->statistics().connections, 5);
    EXPECT_GE(server_->statistics().evictions, 10);
    // The first connection was closed.
    silent.front().ReadToEnd();
  }
}

TEST_F(HostileClientsTest, TheOneWithoutARequestForLongestMakesRoom) {
  Start({.max_connections = 2});
  RawClient old = Connect();
  old.Send("GET /1 HTTP/1.1\r\nhost: x\r\n\r\n");
  EXPECT_THAT(old.ReadUntil("took 0."), EndsWith("took 0."));
  RawClient silent = Connect();
  ASSERT_TRUE(Eventually([&] { return server_->statistics().connections == 2; }));
  old.Send("GET /2 HTTP/1.1\r\nhost: x\r\n\r\n");
  EXPECT_THAT(old.ReadUntil("took 0."), EndsWith("took 0."));
  EXPECT_THAT(Send(kGet), EndsWith("took 0."));
  EXPECT_EQ(silent.ReadToEnd(), "");
  old.Send("GET /3 HTTP/1.1\r\nhost: x\r\n\r\n");
  EXPECT_THAT(old.ReadUntil("took 0."), EndsWith("took 0."));
}

TEST_F(HostileClientsTest, ConnectionsWithRequestsAreNotClosed) {
  Start({.max_connections = 2});
  RawClient http1 = Connect();
  http1.Send("GET /kept HTTP/1.1\r\nhost: x\r\n\r\n");
  RawClient http2 = Connect();
  http2.Send(absl::StrCat(Begin(), Frame(kHeaders, kEndHeaders | kEndStream, 1,
                                         absl::StrCat("\x82\x86\x41\x01x", "\x44\x05/kept"))));
  ASSERT_TRUE(Eventually([&] { return handler_.kept() == 2; }));
  RawClient waits = Connect();
  waits.Send(kGet);
  // The answer on the other connection shows that the server has handled this one.
  http2.Send(Get(3));
  http2.ReadUntil("took 0.");
  EXPECT_EQ(server_->statistics().connections, 2);
  EXPECT_EQ(server_->statistics().accepted_connections, 2);
  handler_.Release();
  EXPECT_THAT(waits.ReadToEnd(), EndsWith("took 0."));
  EXPECT_THAT(http1.ReadUntil("took 0."), EndsWith("took 0."));
  EXPECT_THAT(http2.ReadUntil("took 0."), EndsWith("took 0."));
}

TEST_F(HostileClientsTest, AnswersThatNobodyTakesMakeRoom) {
  Start({.max_connections = 1});
  RawClient client = Connect();
  client.Send(absl::StrCat(BeginWithoutWindow(), Get(1)));
  ASSERT_TRUE(Eventually([&] { return server_->statistics().requests == 1; }));
  EXPECT_THAT(Send(kGet), EndsWith("took 0."));
}

TEST_F(HostileClientsTest, AnswersThatSomebodyTakesStay) {
  Start({.max_connections = 1});
  RawClient reader = Connect();
  // The client enlarges the window by a byte at a time, so that the answer progresses slowly.
  reader.Send(absl::StrCat(BeginWithoutWindow(), Get(1)));
  ASSERT_TRUE(Eventually([&] { return server_->statistics().requests == 1; }));
  RawClient newcomer = Connect();
  const std::string piece(absl::string_view("\0\0\x01\0", 4));
  for (int i = 0; i < 5; ++i) {
    const base::MonotonicTime before = base::Runtime::Real().Now();
    reader.Send(Frame(kWindowUpdate, 0, 1, absl::string_view("\0\0\0\x01", 4)));
    const std::string read = reader.ReadUntil(piece);
    if (base::Runtime::Real().Now() - before > absl::Milliseconds(500))
      break;  // the machine is too slow
    EXPECT_THAT(read, EndsWith(piece));
    EXPECT_EQ(server_->statistics().evictions, 0);
  }
  newcomer.Send(kGet);
  EXPECT_THAT(newcomer.ReadToEnd(), EndsWith("took 0."));
}

TEST_F(HostileClientsTest, ARefusedRequestThatDoesNotEndIsNoActivity) {
  Start({.max_body_bytes = 3, .idle_timeout = absl::Milliseconds(40)});
  RawClient client = Connect();
  client.Send(absl::StrCat(Begin(), Post(1), Frame(kData, 0, 1, "abcd")));
  ASSERT_TRUE(Eventually([&] { return server_->statistics().timeouts == 1; }));
  EXPECT_THAT(client.ReadToEnd(), HasSubstr("request body too large: the limit is 3 bytes"));
}

TEST_F(HostileClientsTest, TheLongestRequestFitsIntoEveryLimit) {
  Start({.max_header_bytes = 300,
         .max_body_bytes = 700,
         .max_connection_request_bytes = 10,
         .max_request_bytes = 10});
  EXPECT_THAT(Send(PostOf("/", 700)), EndsWith("took 700."));
}

TEST_F(HostileClientsTest, AnswersThatNobodyTakesAreReset) {
  Start({.write_timeout = absl::Milliseconds(40)});
  RawClient client = Connect();
  client.Send(absl::StrCat(BeginWithoutWindow(), Get(1)));
  ASSERT_TRUE(Eventually([&] { return server_->statistics().slow_readers == 1; }));
  ASSERT_TRUE(Eventually([&] { return server_->statistics().exchanges == 0; }));
  // RST_STREAM with CANCEL; the connection stays open.
  EXPECT_THAT(client.ReadUntil(absl::string_view("\0\0\x04\x03\0\0\0\0\x01\0\0\0\x08", 13)),
              EndsWith(absl::string_view("\0\0\0\x08", 4)));
  client.Send(Ping());
  EXPECT_THAT(client.ReadUntil("12345678"), EndsWith("12345678"));
}

TEST_F(HostileClientsTest, PingsAreNoActivity) {
  Start({.idle_timeout = absl::Milliseconds(40)});
  RawClient client = Connect();
  client.Send(Begin());
  const Context ctx = WithTimeout(Context(), absl::Seconds(10));
  while (server_->statistics().timeouts == 0 && !ctx.done()) {
    client.Send(Ping());
    client.ReadUntil("12345678");
  }
  EXPECT_EQ(server_->statistics().timeouts, 1);
}

TEST_F(HostileClientsTest, PingsAreNoBody) {
  Start({.body_timeout = absl::Milliseconds(40)});
  RawClient client = Connect();
  client.Send(absl::StrCat(Begin(), Post(1)));
  const Context ctx = WithTimeout(Context(), absl::Seconds(10));
  while (server_->statistics().timeouts == 0 && !ctx.done()) {
    client.Send(Ping());
    client.ReadUntil("12345678");
  }
  EXPECT_EQ(server_->statistics().timeouts, 1);
}

TEST_F(HostileClientsTest, RequestsTogetherHaveALimit) {
  Start({.max_header_bytes = 300, .max_body_bytes = 700, .max_request_bytes = 1000});
  RawClient first = Connect();
  first.Send(PostOf("/kept", 600));
  ASSERT_TRUE(Eventually([&] { return handler_.kept() == 1; }));
  EXPECT_THAT(Send(PostOf("/", 600)),
              AllOf(StartsWith("HTTP/1.1 503 "), HasSubstr("\r\nretry-after: 1\r\n")));
  EXPECT_THAT(Send(PostOf("/", 100)), EndsWith("took 100."));
  handler_.Release();
  EXPECT_THAT(first.ReadToEnd(), EndsWith("took 600."));
  EXPECT_THAT(Send(PostOf("/", 600)), EndsWith("took 600."));
}

TEST_F(HostileClientsTest, RequestsOfAConnectionHaveALimit) {
  Start({.max_header_bytes = 300, .max_body_bytes = 700, .max_connection_request_bytes = 1000});
  RawClient client = Connect();
  client.Send(absl::StrCat(Begin(), Post(1), Frame(kData, 0, 1, std::string(400, 'b'))));
  client.Send(absl::StrCat(Post(3), Frame(kData, kEndStream, 3, std::string(400, 'b'))));
  EXPECT_THAT(client.ReadUntil("requests\n"), EndsWith("too many bytes of pending requests\n"));
  // The refused request has released its memory, and other connections have limits of their own.
  client.Send(Frame(kData, kEndStream, 1, std::string(200, 'b')));
  EXPECT_THAT(client.ReadUntil("took 600."), EndsWith("took 600."));
  EXPECT_THAT(Send(PostOf("/", 600)), EndsWith("took 600."));
}

TEST_F(HostileClientsTest, HeadersCountAsBodiesDo) {
  Start({.max_header_bytes = 400, .max_body_bytes = 600, .max_connection_request_bytes = 1000});
  RawClient client = Connect();
  const std::string header =
      absl::StrCat("\x83\x84\x86\x41\x01x", "\x40\x01", "a", "\x7e", std::string(126, 'a'));
  std::string sent = Begin();
  for (const uint32_t stream : {1, 3, 5, 7, 9}) {
    absl::StrAppend(&sent, Frame(kHeaders, kEndHeaders, stream, header));
  }
  client.Send(sent);
  EXPECT_THAT(client.ReadUntil("requests\n"), EndsWith("too many bytes of pending requests\n"));
}

}  // namespace
}  // namespace kube::httpserver

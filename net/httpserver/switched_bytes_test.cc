// Connections that have switched protocols, with TLS and without: many bytes in both directions,
// clients and handlers that are slow, and the end of one direction.

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/certificates/certificate_authority.h"
#include "net/httpserver/exchange.h"
#include "net/httpserver/server.h"
#include "net/httpserver/testing/faults.h"
#include "net/io/duplex_stream.h"
#include "net/io/file_descriptor.h"
#include "net/io/secure_socket.h"

namespace kube::httpserver {
namespace {

using ::kube::base::IsOk;
using ::kube::base::IsOkAndHolds;
using ::kube::base::StatusIs;
using ::testing::EndsWith;

constexpr size_t kMegabyte = size_t{1} << 20;
constexpr absl::string_view kRequest =
    "GET / HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: bytes\r\n\r\n";

Context Soon() { return WithTimeout(Context(), absl::Seconds(20)); }

// Bytes that do not repeat soon.
std::string Bytes(size_t size, uint32_t seed) {
  std::string bytes(size, '\0');
  uint32_t state = seed;
  for (char& byte : bytes) {
    state = state * 1'664'525u + 1'013'904'223u;
    byte = static_cast<char>(state >> 24);
  }
  return bytes;
}

// FNV-1a. Begin with kNoBytes.
constexpr uint64_t kNoBytes = 0xcbf2'9ce4'8422'2325;
uint64_t Checksum(uint64_t before, absl::string_view bytes) {
  for (const char byte : bytes) {
    before = (before ^ static_cast<unsigned char>(byte)) * 0x100'0000'01b3;
  }
  return before;
}

struct FreeTls {
  void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
  void operator()(SSL* ssl) const { SSL_free(ssl); }
};

// A client that reads and writes at the same time, in one thread. It gives up if nothing happens
// for ten seconds.
class Client {
 public:
  Client(uint16_t port, bool tls) : file_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(file_.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
    EXPECT_EQ(::fcntl(file_.get(), F_SETFL, O_NONBLOCK), 0);
    if (tls) {
      context_.reset(SSL_CTX_new(TLS_client_method()));
      io::PrepareTls(context_.get());
      ssl_.reset(SSL_new(context_.get()));
      SSL_set_connect_state(ssl_.get());
    }
    socket_ = std::make_unique<io::SecureSocket>(file_.get(), nullptr, ssl_.get());
    // The first read begins the handshake, and may even complete it. After that, do not wait for
    // the server, which may have nothing more to say.
    absl::string_view nothing;
    bool alive = socket_->is_ready() || Receive();
    while (alive && !socket_->is_ready()) alive = Move(nothing);
    EXPECT_TRUE(socket_->is_ready());
  }

  // Sends all bytes, and reads meanwhile, also if the server ends its own bytes. Returns false if
  // the server has closed the connection.
  bool Send(absl::string_view bytes) {
    while (!bytes.empty()) {
      if (!Move(bytes)) return false;
    }
    return true;
  }
  // Sends bytes without reading, until the server takes none for some time. Returns the number
  // sent. TLS demands that the rest is what is sent next.
  size_t SendUntilBlocked(absl::string_view bytes, int milliseconds) {
    const size_t size = bytes.size();
    while (!bytes.empty() && Wait(POLLOUT, milliseconds) != 0) {
      const io::SecureSocket::Result result = socket_->Write(bytes);
      if (result.state == io::SecureSocket::State::kError) break;
      bytes.remove_prefix(result.bytes);
    }
    return size - bytes.size();
  }
  bool ReadBytes(size_t size) {
    absl::string_view nothing;
    while (received_.size() < size && Move(nothing)) {
    }
    return received_.size() >= size;
  }
  // Reads the header of the answer, and removes it from what was received. The end of the server's
  // bytes may come with it.
  std::string ReadHead() {
    static constexpr char kEnd[] = "\r\n\r\n";
    absl::string_view nothing;
    while (!absl::StrContains(received_, kEnd) && Move(nothing)) {
    }
    const size_t end = received_.find(kEnd);
    if (end == std::string::npos) return {};
    std::string head = received_.substr(0, end + 4);
    received_.erase(0, head.size());
    return head;
  }
  // Reads until the server has ended its bytes. Returns false after an error.
  bool ReadToEnd() {
    absl::string_view nothing;
    while (Move(nothing)) {
    }
    return ended_;
  }
  const std::string& received() const { return received_; }

  void HalfClose() {
    if (ssl_ == nullptr) {
      EXPECT_EQ(::shutdown(file_.get(), SHUT_WR), 0);
      return;
    }
    while (socket_->SayGoodbye().state == io::SecureSocket::State::kLater) {
      const int events = Wait(POLLOUT | (ended_ ? 0 : POLLIN), /*milliseconds=*/10'000);
      if (events == 0 || !ReceiveIf((events & ~POLLOUT) != 0)) return;
    }
  }
  void Reset() {
    const linger now = {.l_onoff = 1, .l_linger = 0};
    ::setsockopt(file_.get(), SOL_SOCKET, SO_LINGER, &now, sizeof(now));
    file_.Close();
  }

 private:
  // Returns the events that are there in time.
  int Wait(int events, int milliseconds) {
    pollfd waiting = {
        .fd = file_.get(), .events = static_cast<decltype(pollfd::events)>(events), .revents = 0};
    return ::poll(&waiting, 1, milliseconds) > 0 ? waiting.revents : 0;
  }
  // Waits until bytes can be read or written, and does that. Returns false if the connection is
  // lost, or if the server has ended its bytes and nothing is unsent.
  bool Move(absl::string_view& unsent) {
    if (ended_ && unsent.empty()) return false;
    const bool writes = !unsent.empty() || socket_->wants_room();
    const int wanted = (ended_ ? 0 : POLLIN) | (writes ? POLLOUT : 0);
    const int events = Wait(wanted, /*milliseconds=*/10'000);
    if (events == 0) return false;
    if (!ReceiveIf((events & ~POLLOUT) != 0 || !socket_->is_ready())) return false;
    if (unsent.empty()) return !ended_;
    if ((events & POLLOUT) != 0 && socket_->is_ready()) {
      const io::SecureSocket::Result result = socket_->Write(unsent);
      if (result.state == io::SecureSocket::State::kError) return false;
      unsent.remove_prefix(result.bytes);
    }
    return true;
  }
  // Reads if `there_is_input`. Returns false if the connection is lost. The end of
  // the server's bytes is no loss: it may still read.
  bool ReceiveIf(bool there_is_input) {
    if (!there_is_input) return true;
    return !ended_ && (Receive() || ended_);
  }
  bool Receive() {
    std::array<char, 65536> buffer;
    do {
      const io::SecureSocket::Result result = socket_->Read(buffer.data(), buffer.size());
      ended_ = result.state == io::SecureSocket::State::kEnd;
      if (ended_ || result.state == io::SecureSocket::State::kError) return false;
      received_.append(buffer.data(), result.bytes);
      if (result.state == io::SecureSocket::State::kLater) return true;
    } while (socket_->may_have_more());
    return true;
  }

  io::FileDescriptor file_;
  std::unique_ptr<SSL_CTX, FreeTls> context_;
  std::unique_ptr<SSL, FreeTls> ssl_;
  std::unique_ptr<io::SecureSocket> socket_;
  std::string received_;
  bool ended_ = false;
};

using Connection = std::unique_ptr<io::DuplexStream>;

// Sends back all that it reads, and then ends. It flushes, because afterwards the connection is
// destroyed, which drops what is not sent.
absl::Status Echo(const Context& ctx, io::DuplexStream& connection) {
  while (true) {
    KUBE_ASSIGN_OR_RETURN(std::string piece, connection.Read(ctx));
    if (piece.empty()) {
      KUBE_RETURN_IF_ERROR(connection.CloseWrite());
      return connection.Flush(ctx);
    }
    KUBE_RETURN_IF_ERROR(connection.Write(ctx, piece));
    connection.Recycle(std::move(piece));
  }
}

absl::StatusOr<uint64_t> ChecksumToEnd(const Context& ctx, io::DuplexStream& connection) {
  uint64_t sum = kNoBytes;
  while (true) {
    KUBE_ASSIGN_OR_RETURN(std::string piece, connection.Read(ctx));
    if (piece.empty()) return sum;
    sum = Checksum(sum, piece);
    connection.Recycle(std::move(piece));
  }
}

// Switches protocols, and calls a function on a thread for each connection.
class SwitchingHandler final : public Handler {
 public:
  using Function = std::function<absl::Status(Exchange&, io::DuplexStream&)>;
  explicit SwitchingHandler(Function function) : function_(std::move(function)) {}

  void Handle(std::shared_ptr<Exchange> exchange) override {
    threads_.Go("connection", [this, exchange = std::move(exchange)](const Context&) {
      absl::StatusOr<Connection> connection = exchange->SwitchProtocols({{"upgrade", "bytes"}});
      EXPECT_THAT(connection, IsOk());
      return connection.ok() ? function_(*exchange, **connection) : connection.status();
    });
  }
  absl::Status Wait() { return threads_.Wait(); }

 private:
  const Function function_;
  base::ThreadGroup threads_{Context()};
};

class SwitchedBytesTest : public ::testing::TestWithParam<bool> {
 protected:
  void Start(SwitchingHandler::Function function, ServerOptions options = {}) {
    if (GetParam()) {
      auto authority = certificates::CertificateAuthority::Make("test-ca");
      ASSERT_THAT(authority, IsOk());
      auto certificate = authority->Issue({.ip_addresses = {"127.0.0.1"}});
      ASSERT_THAT(certificate, IsOk());
      options.tls = TlsOptions{.certificate_chain = certificate->certificate,
                               .private_key = certificate->key};
    }
    handler_ = std::make_unique<SwitchingHandler>(std::move(function));
    absl::StatusOr<std::unique_ptr<Server>> server = Server::Start(options, *handler_);
    ASSERT_THAT(server, IsOk());
    server_ = *std::move(server);
  }
  // A client whose connection has switched protocols.
  std::unique_ptr<Client> Connect() {
    auto client = std::make_unique<Client>(server_->port(), GetParam());
    EXPECT_TRUE(client->Send(kRequest));
    EXPECT_EQ(client->ReadHead(),
              "HTTP/1.1 101 Switching Protocols\r\nupgrade: bytes\r\nconnection: Upgrade\r\n\r\n");
    return client;
  }

  std::unique_ptr<SwitchingHandler> handler_;
  std::unique_ptr<Server> server_;
};

INSTANTIATE_TEST_SUITE_P(Plain, SwitchedBytesTest, ::testing::Values(false));
INSTANTIATE_TEST_SUITE_P(Tls, SwitchedBytesTest, ::testing::Values(true));

TEST_P(SwitchedBytesTest, Echo_TenMegabytes_ComeBack) {
  Start([](Exchange&, io::DuplexStream& connection) { return Echo(Soon(), connection); });
  const std::unique_ptr<Client> client = Connect();
  const std::string sent = Bytes(10 * kMegabyte, 1);
  EXPECT_TRUE(client->Send(sent));
  client->HalfClose();
  EXPECT_TRUE(client->ReadToEnd());
  EXPECT_EQ(client->received().size(), sent.size());
  EXPECT_TRUE(client->received() == sent);
  EXPECT_THAT(handler_->Wait(), IsOk());
}

TEST_P(SwitchedBytesTest, BothSidesSendTenMegabytesAtOnce) {
  const std::string to_server = Bytes(10 * kMegabyte, 1);
  const std::string to_client = Bytes(10 * kMegabyte, 2);
  uint64_t checksum = 0;
  Start([&](Exchange&, io::DuplexStream& connection) {
    base::ThreadGroup group{Context()};
    group.Go("write", [&](const Context&) -> absl::Status {
      for (size_t at = 0, size = 1; at < to_client.size(); at += size, size = size * 3 % 300'007) {
        size = std::min(size, to_client.size() - at);
        KUBE_RETURN_IF_ERROR(
            connection.Write(Soon(), absl::string_view(to_client).substr(at, size)));
      }
      KUBE_RETURN_IF_ERROR(connection.Flush(Soon()));
      return connection.CloseWrite();
    });
    group.Go("read", [&](const Context&) -> absl::Status {
      KUBE_ASSIGN_OR_RETURN(checksum, ChecksumToEnd(Soon(), connection));
      return absl::OkStatus();
    });
    return group.Wait();
  });
  const std::unique_ptr<Client> client = Connect();
  EXPECT_TRUE(client->Send(to_server));
  client->HalfClose();
  EXPECT_TRUE(client->ReadToEnd());
  EXPECT_THAT(handler_->Wait(), IsOk());
  EXPECT_EQ(client->received().size(), to_client.size());
  EXPECT_EQ(Checksum(kNoBytes, client->received()), Checksum(kNoBytes, to_client));
  EXPECT_EQ(checksum, Checksum(kNoBytes, to_server));
}

TEST_P(SwitchedBytesTest, Write_ClientTakesNothing_Blocks) {
  base::Event stalled;
  base::Event blocked;
  base::Event resume;
  size_t written = 0;
  Start([&](Exchange& exchange, io::DuplexStream& connection) -> absl::Status {
    EXPECT_THAT(connection.Read(Soon()), IsOkAndHolds("go"));
    Faults::Of(exchange)->StallOutput();
    Faults::Of(exchange)->Then([&stalled] { stalled.Set(); });
    KUBE_RETURN_IF_ERROR(stalled.Wait(Soon()));
    absl::Status status;
    while (status.ok()) {
      status = connection.Write(WithTimeout(Context(), absl::Milliseconds(100)),
                                std::string(10'000, 'x'));
      if (status.ok()) written += 10'000;
    }
    EXPECT_THAT(status, StatusIs(absl::StatusCode::kDeadlineExceeded));
    blocked.Set();
    KUBE_RETURN_IF_ERROR(resume.Wait(Soon()));
    Faults::Of(exchange)->ResumeOutput();
    KUBE_RETURN_IF_ERROR(connection.Write(Soon(), "end"));
    KUBE_RETURN_IF_ERROR(connection.CloseWrite());
    return connection.Flush(Soon());
  });
  const std::unique_ptr<Client> client = Connect();
  EXPECT_TRUE(client->Send("go"));
  ASSERT_THAT(blocked.Wait(Soon()), IsOk());
  EXPECT_GT(written, kMegabyte / 4);
  EXPECT_LT(written, kMegabyte);
  resume.Set();
  EXPECT_TRUE(client->ReadToEnd());
  client->HalfClose();
  EXPECT_THAT(handler_->Wait(), IsOk());
  EXPECT_EQ(client->received().size(), written + 3);
  EXPECT_THAT(client->received(), EndsWith("xend"));
}

TEST_P(SwitchedBytesTest, Read_SlowHandler_StopsTheClient) {
  base::Event go;
  uint64_t checksum = 0;
  Start([&](Exchange&, io::DuplexStream& connection) -> absl::Status {
    KUBE_RETURN_IF_ERROR(go.Wait(Soon()));
    KUBE_ASSIGN_OR_RETURN(checksum, ChecksumToEnd(Soon(), connection));
    return connection.CloseWrite();
  });
  const std::unique_ptr<Client> client = Connect();
  // More than the kernel takes.
  const std::string all = Bytes(64 * kMegabyte, 3);
  const size_t sent = client->SendUntilBlocked(all, /*milliseconds=*/200);
  EXPECT_LT(sent, 48 * kMegabyte);
  go.Set();
  EXPECT_TRUE(client->Send(absl::string_view(all).substr(sent)));
  client->HalfClose();
  EXPECT_TRUE(client->ReadToEnd());
  EXPECT_THAT(handler_->Wait(), IsOk());
  EXPECT_EQ(checksum, Checksum(kNoBytes, all));
}

TEST_P(SwitchedBytesTest, CloseWrite_ClientReadsTheEndAndGoesOn) {
  std::string read;
  Start([&](Exchange& exchange, io::DuplexStream& connection) -> absl::Status {
    KUBE_RETURN_IF_ERROR(connection.Write(Soon(), "bye"));
    KUBE_RETURN_IF_ERROR(connection.CloseWrite());
    EXPECT_FALSE(exchange.context().done());
    EXPECT_THAT(connection.Write(Soon(), "more"), StatusIs(absl::StatusCode::kFailedPrecondition));
    while (true) {
      KUBE_ASSIGN_OR_RETURN(const std::string piece, connection.Read(Soon()));
      if (piece.empty()) break;
      absl::StrAppend(&read, piece);
    }
    base::Event gone;
    const DoneCallback callback = exchange.context().OnDone([&gone] { gone.Set(); });
    return gone.Wait(Soon());
  });
  const std::unique_ptr<Client> client = Connect();
  EXPECT_TRUE(client->ReadToEnd());
  EXPECT_EQ(client->received(), "bye");
  const std::string late = Bytes(kMegabyte, 4);
  EXPECT_EQ(client->SendUntilBlocked(late, /*milliseconds=*/10'000), late.size());
  client->HalfClose();
  EXPECT_THAT(handler_->Wait(), IsOk());
  EXPECT_TRUE(read == late);
}

TEST_P(SwitchedBytesTest, HalfClose_HandlerStillWrites) {
  Start([](Exchange& exchange, io::DuplexStream& connection) -> absl::Status {
    EXPECT_THAT(connection.Read(Soon()), IsOkAndHolds("question"));
    EXPECT_THAT(connection.Read(Soon()), IsOkAndHolds(""));
    EXPECT_FALSE(exchange.context().done());
    KUBE_RETURN_IF_ERROR(connection.Write(Soon(), Bytes(kMegabyte, 5)));
    return connection.Flush(Soon());
  });
  const std::unique_ptr<Client> client = Connect();
  EXPECT_TRUE(client->Send("question"));
  client->HalfClose();
  EXPECT_TRUE(client->ReadToEnd());
  EXPECT_TRUE(client->received() == Bytes(kMegabyte, 5));
  EXPECT_THAT(handler_->Wait(), IsOk());
}

TEST_P(SwitchedBytesTest, ClientThatVanishes_FailsAllCalls) {
  Start([](Exchange& exchange, io::DuplexStream& connection) -> absl::Status {
    absl::Status write;
    base::ThreadGroup group{Context()};
    group.Go("write", [&](const Context&) {
      const std::string piece(100'000, 'x');
      do {
        write = connection.Write(Soon(), piece);
      } while (write.ok());
      return absl::OkStatus();
    });
    absl::StatusOr<std::string> read;
    do {
      read = connection.Read(Soon());
    } while (read.ok() && !read->empty());
    KUBE_RETURN_IF_ERROR(group.Wait());
    EXPECT_THAT(read, StatusIs(absl::StatusCode::kUnavailable));
    EXPECT_THAT(write, StatusIs(absl::StatusCode::kUnavailable));
    EXPECT_TRUE(exchange.context().done());
    return absl::OkStatus();
  });
  const std::unique_ptr<Client> client = Connect();
  EXPECT_TRUE(client->Send("hello"));
  EXPECT_TRUE(client->ReadBytes(1));
  client->Reset();
  EXPECT_THAT(handler_->Wait(), IsOk());
}

TEST_P(SwitchedBytesTest, ManyConnectionsAtOnce) {
  Start([](Exchange&, io::DuplexStream& connection) { return Echo(Soon(), connection); },
        {.io_threads = 3});
  constexpr size_t kClients = 60;
  std::vector<std::unique_ptr<Client>> clients;
  for (size_t i = 0; i < kClients; ++i) clients.push_back(Connect());
  for (uint32_t round = 1; round <= 3; ++round) {
    for (size_t i = 0; i < kClients; ++i) {
      EXPECT_TRUE(clients[i]->Send(Bytes(10'000, round * 100 + static_cast<uint32_t>(i))));
    }
  }
  for (size_t i = 0; i < kClients; ++i) {
    clients[i]->HalfClose();
    EXPECT_TRUE(clients[i]->ReadToEnd());
    std::string expected;
    for (uint32_t round = 1; round <= 3; ++round) {
      absl::StrAppend(&expected, Bytes(10'000, round * 100 + static_cast<uint32_t>(i)));
    }
    EXPECT_TRUE(clients[i]->received() == expected) << i;
  }
  EXPECT_THAT(handler_->Wait(), IsOk());
}

}  // namespace
}  // namespace kube::httpserver

// Requests that a client sends ahead over TLS: OpenSSL has received what the session does not want
// yet, and no event of the socket tells of it.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/certificates/certificate_authority.h"
#include "net/httpserver/exchange.h"
#include "net/httpserver/server.h"
#include "net/io/file_descriptor.h"

namespace kube::httpserver {
namespace {

using ::kube::base::IsOk;

// Answers with the target. The first request waits for the one that asks for "/go", on another
// connection.
class OneWaits final : public Handler {
 public:
  void Handle(std::shared_ptr<Exchange> exchange) override {
    if (exchange->request().target == "/0") {
      first_ = std::move(exchange);
      return;
    }
    if (exchange->request().target == "/go") {
      std::exchange(first_, nullptr)->Respond({.body = "answer"});
    }
    exchange->Respond({.body = "answer"});
  }

 private:
  std::shared_ptr<Exchange> first_;  // of the I/O thread
};

struct Free {
  void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
  void operator()(SSL* ssl) const { SSL_free(ssl); }
};

// A client that blocks, for ten seconds at most.
class Client {
 public:
  explicit Client(int port)
      : file_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)),
        context_(SSL_CTX_new(TLS_client_method())),
        ssl_(SSL_new(context_.get())) {
    const timeval timeout = {.tv_sec = 10, .tv_usec = 0};
    ::setsockopt(file_.get(), SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout));
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(file_.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
    SSL_set_fd(ssl_.get(), file_.get());
    EXPECT_EQ(SSL_connect(ssl_.get()), 1);
  }

  void Send(const std::string& bytes) {
    EXPECT_EQ(SSL_write(ssl_.get(), bytes.data(), static_cast<int>(bytes.size())),
              static_cast<int>(bytes.size()));
  }
  // Reads until so many answers were there. Returns how many were.
  size_t Read(size_t answers) {
    std::string text;
    size_t found = 0;
    std::array<char, 16384> bytes;
    while (found < answers) {
      const int size = SSL_read(ssl_.get(), bytes.data(), static_cast<int>(bytes.size()));
      if (size <= 0) break;
      text.append(bytes.data(), static_cast<size_t>(size));
      size_t at = 0;
      for (size_t next = 0; (next = text.find("\r\n\r\nanswer", at)) != std::string::npos;
           ++found) {
        at = next + 10;
      }
      text.erase(0, at);
    }
    return found;
  }

 private:
  const io::FileDescriptor file_;
  const std::unique_ptr<SSL_CTX, Free> context_;
  const std::unique_ptr<SSL, Free> ssl_;
};

TEST(TlsPipeliningTest, PipelinedRequests_BeyondTheReadAheadLimit_AreAllAnswered) {
  auto authority = certificates::CertificateAuthority::Make("test-ca");
  ASSERT_THAT(authority, IsOk());
  auto certificate = authority->Issue({.ip_addresses = {"127.0.0.1"}});
  ASSERT_THAT(certificate, IsOk());
  OneWaits handler;
  const auto server =
      Server::Start({.tls = TlsOptions{.certificate_chain = certificate->certificate,
                                       .private_key = certificate->key}},
                    handler);
  ASSERT_THAT(server, IsOk());
  // More than the session takes ahead, 64 KiB; and no more than OpenSSL has read then.
  for (size_t kilobytes = 60; kilobytes <= 136; kilobytes += 4) {
    SCOPED_TRACE(kilobytes);
    std::string requests;
    size_t count = 0;
    for (; requests.size() < kilobytes << 10; ++count) {
      absl::StrAppend(&requests, "GET /", count,
                      " HTTP/1.1\r\nhost: x\r\nfiller: ", std::string(200, 'x'), "\r\n\r\n");
    }
    Client client((*server)->port());
    client.Send(requests);
    Client other((*server)->port());
    other.Send("GET /go HTTP/1.1\r\nhost: x\r\n\r\n");
    EXPECT_EQ(other.Read(1), 1u);
    EXPECT_EQ(client.Read(count), count);
  }
}

}  // namespace
}  // namespace kube::httpserver

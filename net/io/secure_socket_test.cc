// Against OpenSSL as the server, and against itself, over a pair of sockets, in one thread.

#include "net/io/secure_socket.h"

#include <fcntl.h>
#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/certificates/certificate_authority.h"

namespace kube::io {
namespace {

using ::kube::certificates::Certificate;
using ::kube::certificates::CertificateAuthority;
using ::testing::HasSubstr;

using Kind = SecureSocket::ErrorKind;
using State = SecureSocket::State;

template <auto kFree>
struct Free {
  template <typename T>
  void operator()(T* thing) const {
    kFree(thing);
  }
};
using Context = std::unique_ptr<SSL_CTX, Free<&SSL_CTX_free>>;
using Tls = std::unique_ptr<SSL, Free<&SSL_free>>;

BIO* Memory(absl::string_view text) {
  return BIO_new_mem_buf(text.data(), static_cast<int>(text.size()));
}

void Use(SSL_CTX* context, const Certificate& certificate) {
  BIO* bio = Memory(certificate.certificate);
  X509* const x509 = PEM_read_bio_X509(bio, nullptr, nullptr, nullptr);
  KUBE_CHECK(SSL_CTX_use_certificate(context, x509) == 1);
  X509_free(x509);
  BIO_free(bio);
  bio = Memory(certificate.key.Reveal());
  EVP_PKEY* const key = PEM_read_bio_PrivateKey(bio, nullptr, nullptr, nullptr);
  KUBE_CHECK(SSL_CTX_use_PrivateKey(context, key) == 1);
  EVP_PKEY_free(key);
  BIO_free(bio);
}

// A TLS 1.3 handshake that is complete only for the client; the test carries the server's bytes.
class AlertTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, fds_.data()), 0);
    auto authority = CertificateAuthority::Make("test-ca");
    ASSERT_TRUE(authority.ok());
    const auto certificate = authority->Issue({.dns_names = {"localhost"}});
    ASSERT_TRUE(certificate.ok());
    Use(server_context_.get(), *certificate);
    SSL_CTX_set_verify(server_context_.get(), SSL_VERIFY_NONE, nullptr);
    PrepareTls(client_context_.get());
  }
  void TearDown() override {
    for (const int fd : fds_) ::close(fd);
  }

  void InsistOnCertificate() {
    SSL_CTX_set_verify(server_context_.get(), SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT,
                       nullptr);
  }
  // Runs the handshake until the client's side is complete. The rest waits for the server.
  void Handshake() {
    server_.reset(SSL_new(server_context_.get()));
    client_.reset(SSL_new(client_context_.get()));
    SSL_set_bio(server_.get(), BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
    SSL_set_accept_state(server_.get());
    SSL_set_fd(client_.get(), fds_[0]);
    SSL_set_connect_state(client_.get());
    while (SSL_do_handshake(client_.get()) != 1) {
      ToServer();
      SSL_do_handshake(server_.get());
      ToClient();
    }
    socket_ = std::make_unique<SecureSocket>(fds_[0], nullptr, client_.get());
  }
  // Carries the client's bytes to the server, with a flipped bit if `broken`.
  void ToServer(bool broken = false) {
    std::array<char, 65536> bytes;
    const ssize_t size = ::recv(fds_[1], bytes.data(), bytes.size(), 0);
    if (size <= 0) return;
    if (broken) bytes[static_cast<size_t>(size) - 1] ^= 1;
    BIO_write(SSL_get_rbio(server_.get()), bytes.data(), static_cast<int>(size));
  }
  void ToClient() {
    std::array<char, 65536> bytes;
    const int size =
        BIO_read(SSL_get_wbio(server_.get()), bytes.data(), static_cast<int>(bytes.size()));
    if (size > 0) {
      ASSERT_EQ(::send(fds_[1], bytes.data(), static_cast<size_t>(size), MSG_NOSIGNAL), size);
    }
  }
  // Lets the server read, and carries its alert, if any, to the client.
  void Serve() {
    std::array<char, 1000> bytes;
    while (SSL_read(server_.get(), bytes.data(), static_cast<int>(bytes.size())) > 0) {
    }
    ToClient();
  }
  State Read() {
    std::array<char, 1000> bytes;
    State state;
    while ((state = socket_->Read(bytes.data(), bytes.size()).state) == State::kDone) {
    }
    return state;
  }

  std::array<int, 2> fds_ = {-1, -1};
  const Context server_context_{SSL_CTX_new(TLS_server_method())};
  const Context client_context_{SSL_CTX_new(TLS_client_method())};
  Tls server_, client_;
  std::unique_ptr<SecureSocket> socket_;
};

TEST_F(AlertTest, CertificateThatIsMissing) {
  InsistOnCertificate();
  Handshake();
  EXPECT_EQ(socket_->Write("request").state, State::kDone);
  ToServer();
  Serve();
  EXPECT_EQ(Read(), State::kError);
  EXPECT_EQ(socket_->error().kind, Kind::kCertificateRefused);
  EXPECT_THAT(socket_->error().cause, HasSubstr("certificate required"));
}

TEST_F(AlertTest, CertificateOfAnotherAuthority) {
  InsistOnCertificate();
  const auto other = CertificateAuthority::Make("other");
  ASSERT_TRUE(other.ok());
  const auto certificate = other->Issue({.common_name = "eve"});
  ASSERT_TRUE(certificate.ok());
  Use(client_context_.get(), *certificate);
  Handshake();
  ToServer();
  Serve();
  EXPECT_EQ(Read(), State::kError);
  EXPECT_EQ(socket_->error().kind, Kind::kCertificateRefused);
  EXPECT_THAT(socket_->error().cause, HasSubstr("unknown ca"));
}

// The server may have processed the request.
TEST_F(AlertTest, RecordThatWasBrokenOnTheWay) {
  for (const bool answered : {false, true}) {
    SCOPED_TRACE(answered);
    Handshake();
    EXPECT_EQ(socket_->Write("request").state, State::kDone);
    ToServer();
    Serve();
    if (answered) SSL_write(server_.get(), "response", 8);
    ToClient();
    EXPECT_EQ(Read(), State::kLater);
    EXPECT_EQ(socket_->Write("more of it").state, State::kDone);
    ToServer(/*broken=*/true);
    Serve();
    EXPECT_EQ(Read(), State::kError);
    EXPECT_EQ(socket_->error().kind, Kind::kReset);
    EXPECT_THAT(socket_->error().cause, HasSubstr("bad record mac"));
  }
}

// A server that sends data before it has checked the client's certificate.
TEST_F(AlertTest, CertificateAfterAnAnswer) {
  InsistOnCertificate();
  SSL_CTX_set_max_early_data(server_context_.get(), 1000);
  server_.reset(SSL_new(server_context_.get()));
  client_.reset(SSL_new(client_context_.get()));
  SSL_set_bio(server_.get(), BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
  SSL_set_accept_state(server_.get());
  SSL_set_fd(client_.get(), fds_[0]);
  SSL_set_connect_state(client_.get());
  SSL_do_handshake(client_.get());
  ToServer();
  std::array<char, 100> early;
  size_t size = 0;
  ASSERT_EQ(SSL_read_early_data(server_.get(), early.data(), early.size(), &size),
            SSL_READ_EARLY_DATA_FINISH);
  ASSERT_EQ(SSL_write_early_data(server_.get(), "settings", 8, &size), 1);
  ToClient();
  ASSERT_EQ(SSL_do_handshake(client_.get()), 1);
  socket_ = std::make_unique<SecureSocket>(fds_[0], nullptr, client_.get());
  EXPECT_EQ(Read(), State::kLater);
  ToServer();
  Serve();
  EXPECT_EQ(Read(), State::kError);
  EXPECT_EQ(socket_->error().kind, Kind::kReset);
  EXPECT_THAT(socket_->error().cause, HasSubstr("certificate required"));
}

// A SecureSocket on either side of a pair.
class PairTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, fds_.data()), 0);
    auto authority = CertificateAuthority::Make("test-ca");
    ASSERT_TRUE(authority.ok());
    const auto certificate = authority->Issue({.dns_names = {"localhost"}});
    ASSERT_TRUE(certificate.ok());
    Use(server_context_.get(), *certificate);
    PrepareTls(server_context_.get());
    PrepareTls(client_context_.get());
    server_tls_.reset(SSL_new(server_context_.get()));
    client_tls_.reset(SSL_new(client_context_.get()));
    SSL_set_accept_state(server_tls_.get());
    SSL_set_connect_state(client_tls_.get());
    client_ = std::make_unique<SecureSocket>(fds_[0], nullptr, client_tls_.get());
    server_ = std::make_unique<SecureSocket>(fds_[1], nullptr, server_tls_.get());
  }
  void TearDown() override {
    for (const int fd : fds_) ::close(fd);
  }

  // Returns the bytes that arrive, and the state that follows them.
  static std::pair<std::string, State> Take(SecureSocket& socket) {
    std::string taken;
    std::array<char, 1000> bytes;
    while (true) {
      const SecureSocket::Result result = socket.Read(bytes.data(), bytes.size());
      if (result.state != State::kDone) return {taken, result.state};
      taken.append(bytes.data(), result.bytes);
    }
  }
  void Handshake() {
    EXPECT_FALSE(server_->is_ready());
    for (int i = 0; i < 4; ++i) {
      EXPECT_EQ(Take(*client_), std::pair(std::string(), State::kLater));
      EXPECT_EQ(Take(*server_), std::pair(std::string(), State::kLater));
    }
    ASSERT_TRUE(client_->is_ready());
    ASSERT_TRUE(server_->is_ready());
  }

  std::array<int, 2> fds_ = {-1, -1};
  const Context server_context_{SSL_CTX_new(TLS_server_method())};
  const Context client_context_{SSL_CTX_new(TLS_client_method())};
  Tls server_tls_, client_tls_;
  std::unique_ptr<SecureSocket> server_, client_;
};

TEST_F(PairTest, ReadDoesTheHandshake) {
  Handshake();
  EXPECT_EQ(client_->Write("request").state, State::kDone);
  EXPECT_EQ(Take(*server_), std::pair(std::string("request"), State::kLater));
  EXPECT_EQ(server_->Write("answer").state, State::kDone);
  EXPECT_EQ(Take(*client_), std::pair(std::string("answer"), State::kLater));
}

TEST_F(PairTest, WhatIsNoTls) {
  ASSERT_EQ(::send(fds_[0], "GET / HTTP/1.1\r\n\r\n", 18, MSG_NOSIGNAL), 18);
  EXPECT_EQ(Take(*server_).second, State::kError);
  EXPECT_FALSE(server_->is_ready());
  EXPECT_EQ(server_->error().kind, Kind::kProtocol);
}

// A TLS record that is only partly sent continues with the same bytes when there is room.
TEST_F(PairTest, TheLimitCutsRecords) {
  Handshake();
  server_->set_sent_limit(server_->sent_bytes() + 5);
  EXPECT_EQ(server_->Write("answer").state, State::kLater);
  EXPECT_EQ(server_->Write("answer").state, State::kLater);
  EXPECT_EQ(Take(*client_), std::pair(std::string(), State::kLater));
  server_->set_sent_limit(UINT64_MAX);
  EXPECT_EQ(server_->Write("answer and more").bytes, 15u);
  EXPECT_EQ(Take(*client_), std::pair(std::string("answer and more"), State::kLater));
}

TEST_F(PairTest, TheGoodbyeWaitsForRoom) {
  Handshake();
  server_->set_sent_limit(server_->sent_bytes());
  EXPECT_EQ(server_->SayGoodbye().state, State::kLater);
  EXPECT_EQ(Take(*client_), std::pair(std::string(), State::kLater));
  server_->set_sent_limit(UINT64_MAX);
  EXPECT_EQ(server_->SayGoodbye().state, State::kDone);
  EXPECT_EQ(Take(*client_), std::pair(std::string(), State::kEnd));
}

}  // namespace
}  // namespace kube::io

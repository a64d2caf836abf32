// Certificates that change while a server runs.

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/certificates/certificate_authority.h"
#include "net/certificates/certificate_source.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/http_transport.h"
#include "net/httpserver/exchange.h"
#include "net/httpserver/server.h"

namespace kube::httpserver {
namespace {

using ::kube::base::IsOk;
using ::kube::base::IsOkAndHolds;
using ::kube::base::StatusIs;
using ::kube::certificates::Certificate;
using ::kube::certificates::CertificateAuthority;
using ::kube::certificates::ServerCertificates;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

Context Soon() { return WithTimeout(Context(), absl::Seconds(30)); }

// Provides what the test sets.
class Changing final : public certificates::CertificateSource {
 public:
  void Set(ServerCertificates newest) {
    base::MutexLock lock(mutex_);
    current_ = std::make_shared<const ServerCertificates>(std::move(newest));
  }
  std::shared_ptr<const ServerCertificates> Current() const override {
    base::MutexLock lock(mutex_);
    return current_;
  }

 private:
  mutable base::Mutex mutex_;
  std::shared_ptr<const ServerCertificates> current_ ABSL_GUARDED_BY(mutex_);
};

// Answers with the name in the client's certificate.
class WhoAmI final : public Handler {
 public:
  void Handle(std::shared_ptr<Exchange> exchange) override {
    const auto& client = exchange->request().client_certificate;
    exchange->Respond({.body = client ? client->common_name : "nobody"});
  }
};

// An authority, and a certificate that it gave to a server on 127.0.0.1.
struct Identity {
  explicit Identity(const char* name)
      : authority(*CertificateAuthority::Make(name)),
        certificate(*authority.Issue({.ip_addresses = {"127.0.0.1"}})) {}

  ServerCertificates server() const {
    return {.certificate_chain = certificate.certificate, .private_key = certificate.key};
  }

  const CertificateAuthority authority;
  const Certificate certificate;
};

class TlsCertificatesTest : public testing::Test {
 protected:
  void Start(ClientAuth client_auth = ClientAuth::kNone) {
    absl::StatusOr<std::unique_ptr<Server>> server =
        Server::Start({.tls = TlsOptions{.client_auth = client_auth, .source = source_}}, handler_);
    ASSERT_THAT(server, IsOk());
    server_ = *std::move(server);
  }

  // Trusts `trusted`, and shows the certificate of `client` unless it is null. Equal arguments use
  // the same connection.
  absl::StatusOr<std::string> Get(const Identity& trusted, const Certificate* client = nullptr) {
    httpclient::ConnectionOptions options = {.ca_certificates = trusted.authority.certificate()};
    if (client != nullptr) {
      options.client_certificate = client->certificate;
      options.client_key = client->key;
    }
    httpclient::HttpRequest request = {.url = absl::StrCat(server_->url(), "/")};
    request.connection = std::make_shared<const httpclient::ConnectionOptions>(std::move(options));
    KUBE_ASSIGN_OR_RETURN(httpclient::HttpResponse response,
                          transport_->RoundTrip(Soon(), std::move(request)));
    std::string body;
    while (true) {
      KUBE_ASSIGN_OR_RETURN(const std::string piece, response.body->Read(Soon()));
      if (piece.empty()) return body;
      body += piece;
    }
  }

  const Identity old_{"old"};
  const Identity new_{"new"};
  const std::shared_ptr<Changing> source_ = std::make_shared<Changing>();
  WhoAmI handler_;
  std::unique_ptr<Server> server_;
  const std::shared_ptr<httpclient::HttpTransport> transport_ = *httpclient::MakeHttpTransport({});
};

TEST_F(TlsCertificatesTest, NewConnectionsGetTheNewestPair_PresentOnesKeepTheirs) {
  source_->Set(old_.server());
  Start();
  EXPECT_THAT(Get(old_), IsOkAndHolds("nobody"));
  EXPECT_FALSE(Get(new_).ok());
  source_->Set(new_.server());
  EXPECT_THAT(Get(new_), IsOkAndHolds("nobody"));
  EXPECT_THAT(Get(old_), IsOkAndHolds("nobody")) << "on the connection that is open";
  const int64_t accepted = server_->statistics().accepted_connections;
  transport_->CloseIdleConnections();
  EXPECT_FALSE(Get(old_).ok());
  EXPECT_GT(server_->statistics().accepted_connections, accepted);
}

TEST_F(TlsCertificatesTest, APairThatCannotBeUsed_LeavesThePreviousOneAndIsLoggedOnce) {
  source_->Set(old_.server());
  Start();
  const struct {
    const char* name;
    ServerCertificates broken;
    const char* cause;
  } kRows[] = {
      {"key of another",
       {.certificate_chain = new_.certificate.certificate, .private_key = old_.certificate.key},
       "use private_key with certificate_chain"},
      {"no certificate", {.private_key = new_.certificate.key}, "read certificate_chain"},
      {"no key", {.certificate_chain = new_.certificate.certificate}, "read private_key"},
  };
  for (const auto& row : kRows) {
    const log::LogCapture log;
    source_->Set(row.broken);
    for (int i = 0; i < 3; ++i) {
      transport_->CloseIdleConnections();
      EXPECT_THAT(Get(old_), IsOkAndHolds("nobody")) << row.name;
    }
    EXPECT_THAT(log.Lines(), SizeIs(1)) << row.name;
    EXPECT_THAT(log.Lines(), Contains(HasSubstr(row.cause))) << row.name;
    EXPECT_THAT(log.Lines(), Not(Contains(HasSubstr("PRIVATE KEY")))) << row.name;
  }
  source_->Set(new_.server());
  EXPECT_THAT(Get(new_), IsOkAndHolds("nobody"));
}

TEST_F(TlsCertificatesTest, TheClientAuthorityChangesToo) {
  const Certificate old_client = *old_.authority.Issue({.common_name = "old-client"});
  const Certificate new_client = *new_.authority.Issue({.common_name = "new-client"});
  ServerCertificates certificates = old_.server();
  certificates.client_ca = old_.authority.certificate();
  source_->Set(certificates);
  Start(ClientAuth::kRequire);
  EXPECT_THAT(Get(old_, &old_client), IsOkAndHolds("old-client"));
  EXPECT_FALSE(Get(old_, &new_client).ok());
  certificates.client_ca = new_.authority.certificate();
  source_->Set(certificates);
  EXPECT_THAT(Get(old_, &new_client), IsOkAndHolds("new-client"));
  transport_->CloseIdleConnections();
  EXPECT_FALSE(Get(old_, &old_client).ok());
  // Without an authority everybody would have to be refused, so the previous one stays.
  const log::LogCapture log;
  certificates.client_ca = "";
  source_->Set(certificates);
  transport_->CloseIdleConnections();
  EXPECT_THAT(Get(old_, &new_client), IsOkAndHolds("new-client"));
  EXPECT_THAT(log.Lines(), Contains(HasSubstr("read client_ca")));
}

TEST_F(TlsCertificatesTest, Start_WithoutUsableCertificates_IsInvalidArgument) {
  const auto start = [&](TlsOptions tls) {
    return Server::Start({.tls = std::move(tls)}, handler_).status();
  };
  EXPECT_THAT(start({.source = source_}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "start HTTP server: the source of certificates has none yet"));
  source_->Set({.certificate_chain = "x"});
  EXPECT_THAT(start({.source = source_}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("read certificate_chain")));
  source_->Set(old_.server());
  EXPECT_THAT(start({.certificate_chain = old_.certificate.certificate, .source = source_}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("source of certificates")));
  const log::LogCapture log;
  EXPECT_THAT(start({.source = source_}), IsOk());
  EXPECT_THAT(log.Lines(), IsEmpty());
}

}  // namespace
}  // namespace kube::httpserver

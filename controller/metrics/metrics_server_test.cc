#include "controller/metrics/metrics_server.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/metrics.h"
#include "apimachinery/base/prometheus.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apiserver/handler.h"
#include "apiserver/user.h"
#include "clientset/rest/client.h"
#include "clientset/rest/testing/test_folder.h"
#include "envtest/in_process_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/certificates/certificate_authority.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/http_transport.h"
#include "net/httpserver/exchange.h"

namespace kube::metrics {
namespace {

using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;
using certificates::Certificate;
using certificates::CertificateAuthority;
using testing::AllOf;
using testing::HasSubstr;

Context Soon() { return WithTimeout(Context(), absl::Seconds(30)); }

class MetricsServerTest : public testing::Test {
 protected:
  MetricsServerTest() {
    registry_->MakeCounter({.name = "things_total"})->WithLabelValues({}).Increment();
  }

  void Start(MetricsOptions options, const rest::Client* client = nullptr) {
    options.address = "127.0.0.1";
    options.port = 0;
    absl::StatusOr<std::unique_ptr<MetricsServer>> server =
        MetricsServer::Start(Soon(), options, registry_, client);
    ASSERT_THAT(server, IsOk());
    server_ = *std::move(server);
  }

  // Returns "STATUS BODY".
  absl::StatusOr<std::string> Get(const std::string& path,
                                  const httpclient::ConnectionOptions& connection = {},
                                  const std::string& token = "") {
    httpclient::HttpRequest request = {.url = absl::StrCat(server_->url(), path)};
    if (!token.empty()) request.headers.Set("authorization", absl::StrCat("Bearer ", token));
    request.connection = std::make_shared<const httpclient::ConnectionOptions>(connection);
    KUBE_ASSIGN_OR_RETURN(httpclient::HttpResponse response,
                          transport_->RoundTrip(Soon(), std::move(request)));
    std::string answer = absl::StrCat(response.status, " ");
    while (true) {
      KUBE_ASSIGN_OR_RETURN(const std::string piece, response.body->Read(Soon()));
      if (piece.empty()) return answer;
      answer += piece;
    }
  }

  const std::shared_ptr<base::PrometheusRegistry> registry_ =
      std::make_shared<base::PrometheusRegistry>();
  const rest::TestFolder folder_;
  std::unique_ptr<MetricsServer> server_;
  const std::shared_ptr<httpclient::HttpTransport> transport_ = *httpclient::MakeHttpTransport({});
};

constexpr char kMetrics[] = "200 # TYPE things_total counter\nthings_total 1\n";

TEST_F(MetricsServerTest, Default_ServesEverybodyWithoutTls) {
  Start({.handlers = {{.path = "/debug/x", .handle = [](const httpserver::Request&) {
                         return httpserver::Response{.body = "page"};
                       }}}});
  EXPECT_EQ(server_->url().substr(0, 7), "http://");
  EXPECT_THAT(Get("/metrics"), IsOkAndHolds(kMetrics));
  EXPECT_THAT(Get("/debug/x"), IsOkAndHolds("200 page"));
  EXPECT_THAT(server_->Shutdown(Soon()), IsOk());
}

// behaviour.md: MGR-50
TEST_F(MetricsServerTest, Secure_WithoutFiles_HasACertificateOfItsOwn) {
  Start({.secure = true});
  EXPECT_EQ(server_->url().substr(0, 8), "https://");
  EXPECT_FALSE(Get("/metrics").ok()) << "nobody trusts it";
  EXPECT_THAT(Get("/metrics", {.insecure_skip_tls_verify = true}), IsOkAndHolds(kMetrics));
}

TEST_F(MetricsServerTest, TokenReview_AdmitsThoseWhoMayGetThePath) {
  const log::LogCapture log;
  apiserver::ApiHandler api({.tokens = {{"t-root", {.name = "root", .groups = {"system:masters"}}},
                                        {"t-jane", {.name = "jane"}}},
                             .authorization = apiserver::Authorization::kRbac});
  const rest::Client client = *rest::MakeClient(envtest::InProcessConfig(api));
  Start({.secure = true, .access = MetricsAccess::kTokenReview}, &client);
  const httpclient::ConnectionOptions any = {.insecure_skip_tls_verify = true};
  EXPECT_THAT(Get("/metrics", any), IsOkAndHolds("401 Unauthorized\n"));
  EXPECT_THAT(Get("/metrics", any, "t-root"), IsOkAndHolds(kMetrics));
  EXPECT_THAT(Get("/metrics", any, "t-jane"),
              IsOkAndHolds("403 Authorization denied for user jane\n"));
  EXPECT_THAT(Get("/metrics", any, "t-eve"), IsOkAndHolds("500 Authentication failed\n"));
  EXPECT_THAT(Get("/healthz", any), IsOkAndHolds("401 Unauthorized\n"));
  server_ = nullptr;  // before what it asks
}

TEST_F(MetricsServerTest, ClientCertificate_AdmitsThoseOfTheAuthority) {
  const CertificateAuthority authority = *CertificateAuthority::Make("ca");
  const Certificate server = *authority.Issue({.ip_addresses = {"127.0.0.1"}});
  const Certificate client = *authority.Issue({.common_name = "prometheus"});
  folder_.Write("tls.crt", server.certificate);
  folder_.Write("tls.key", server.key.Reveal());
  folder_.Write("ca.crt", authority.certificate());
  const log::LogCapture log;
  Start({.secure = true,
         .certificate_folder = folder_.Path(""),
         .access = MetricsAccess::kClientCertificate});
  httpclient::ConnectionOptions connection = {.ca_certificates = authority.certificate()};
  EXPECT_FALSE(Get("/metrics", connection).ok());
  connection.client_certificate = client.certificate;
  connection.client_key = client.key;
  EXPECT_THAT(Get("/metrics", connection),
              IsOkAndHolds(AllOf(HasSubstr("things_total 1\n"),
                                 HasSubstr("certwatcher_read_certificate_errors_total 0\n"))));
}

TEST_F(MetricsServerTest, Start_WrongOptions_ReturnsAnError) {
  const struct {
    const char* name;
    MetricsOptions options;
    absl::StatusCode code;
    std::string cause;
  } kRows[] = {
      {"tokens without TLS",
       {.access = MetricsAccess::kTokenReview},
       absl::StatusCode::kInvalidArgument,
       "access control needs TLS"},
      {"tokens without a client",
       {.secure = true, .access = MetricsAccess::kTokenReview},
       absl::StatusCode::kInvalidArgument,
       "token reviews need a client"},
      {"clients without an authority",
       {.secure = true, .access = MetricsAccess::kClientCertificate},
       absl::StatusCode::kInvalidArgument,
       "client certificates need a certificate_folder"},
      {"files that never come",
       {.secure = true, .certificate_folder = folder_.Path("none")},
       absl::StatusCode::kDeadlineExceeded,
       absl::StrCat("read \"", folder_.Path("none/tls.crt"), "\"")},
  };
  for (const auto& row : kRows) {
    EXPECT_THAT(MetricsServer::Start(WithTimeout(Context(), absl::Milliseconds(5)), row.options,
                                     registry_, nullptr)
                    .status(),
                StatusIs(row.code, HasSubstr(row.cause)))
        << row.name;
  }
  EXPECT_THAT(MetricsServer::Start(Soon(), {}, nullptr, nullptr).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("no registry")));
}

}  // namespace
}  // namespace kube::metrics

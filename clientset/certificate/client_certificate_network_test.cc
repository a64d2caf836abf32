// A server that checks the certificates of its clients, over real connections.

#include <atomic>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "api/authentication/v1/types.kube.h"
#include "api/certificates/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/watch/event.h"
#include "apimachinery/watch/watcher.h"
#include "apiserver/handler.h"
#include "clientset/certificate/certificate_manager.h"
#include "clientset/certificate/client_certificate.h"
#include "clientset/certificate/memory_store.h"
#include "clientset/certificate/testing/test_signer.h"
#include "clientset/kubernetes/authentication/v1/client.h"
#include "clientset/kubernetes/certificates/v1/client.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "envtest/in_process_transport.h"
#include "gtest/gtest.h"
#include "net/certificates/certificate_authority.h"
#include "net/certificates/certificate_request.h"
#include "net/httpclient/transport_error.h"
#include "net/httpserver/server.h"

namespace kube::certificate {
namespace {

namespace authenticationv1 = api::authentication::v1;
namespace certificatesv1 = api::certificates::v1;
using base::IsOk;
using Requests = certificatesv1::CertificateSigningRequestClient;
using Request = certificatesv1::CertificateSigningRequest;

Context Soon() { return WithTimeout(Context(), absl::Seconds(60)); }

class ClientCertificateNetworkTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_THAT(signer_.Start(Context()), IsOk());
    httpserver::ServerOptions options;
    options.tls = httpserver::TlsOptions{.certificate_chain = shown_.certificate,
                                         .private_key = shown_.key,
                                         .client_ca = signer_.authority().certificate(),
                                         .client_auth = httpserver::ClientAuth::kRequest};
    absl::StatusOr<std::unique_ptr<httpserver::Server>> server =
        httpserver::Server::Start(options, handler_);
    ASSERT_THAT(server.status(), IsOk());
    server_ = *std::move(server);
  }

  // Starts a manager whose certificate has the name "agent-1", or with another number.
  std::shared_ptr<CertificateManager> StartManager() {
    absl::StatusOr<std::shared_ptr<CertificateManager>> manager = CertificateManager::Make(
        {.client = [sender = admin_](const auto&) { return sender; },
         .get_request = [this]() -> std::optional<certificates::RequestTemplate> {
           return certificates::RequestTemplate{.common_name =
                                                    absl::StrCat("agent-", number_.load())};
         },
         .signer_name = "example.com/test",
         .store = std::make_shared<MemoryStore>()});
    EXPECT_THAT(manager.status(), IsOk());
    EXPECT_THAT((*manager)->Start(Context()), IsOk());
    EXPECT_THAT((*manager)->WaitForCurrent(Soon()), IsOk());
    return *std::move(manager);
  }

  // Makes the manager's certificate outdated, and waits until it has the one of "agent-2".
  void Renew(const CertificateManager& manager) {
    number_ = 2;
    const absl::Status renewed = base::PollUntilTimeout(
        Context(), absl::Milliseconds(50), absl::Seconds(60), base::FirstPoll::kAtOnce,
        [&](const Context&) -> absl::StatusOr<bool> {
          const auto current = manager.Current();
          return current != nullptr && current->details.common_name == "agent-2";
        });
    ASSERT_THAT(renewed, IsOk());
  }

  // Who the server thinks the client is.
  static std::string NameOf(const rest::Client& client) {
    const absl::StatusOr<authenticationv1::SelfSubjectReview> review =
        authenticationv1::SelfSubjectReviewClient(client).Create(Soon(), {});
    return review.ok() ? std::string(review->status.user_info.username)
                       : review.status().ToString();
  }

  const log::LogCapture logged_;
  std::atomic<int> number_{1};
  apiserver::ApiHandler handler_;
  const rest::Client admin_ = *rest::MakeClient(envtest::InProcessConfig(handler_));
  TestSigner signer_{admin_, {.interval = absl::Milliseconds(20)}};
  const certificates::CertificateAuthority authority_ =
      *certificates::CertificateAuthority::Make("servers");
  const certificates::Certificate shown_ = *authority_.Issue({.ip_addresses = {"127.0.0.1"}});
  std::unique_ptr<httpserver::Server> server_;
};

TEST_F(ClientCertificateNetworkTest, RequestsShowTheNewestCertificate_AndAWatchGoesOn) {
  const std::shared_ptr<CertificateManager> manager = StartManager();
  rest::Config config = {.host = server_->url(), .tls = {.ca_data = authority_.certificate()}};
  UseCertificateOf(manager, config);
  const absl::StatusOr<rest::Client> client = rest::MakeClient(config);
  ASSERT_THAT(client.status(), IsOk());
  EXPECT_EQ(NameOf(*client), "agent-1");
  const auto watcher = Requests(*client).Watch(Soon());
  ASSERT_THAT(watcher.status(), IsOk());

  ASSERT_NO_FATAL_FAILURE(Renew(*manager));
  EXPECT_EQ(NameOf(*client), "agent-2");

  const auto all = Requests(*client).List(Soon());
  ASSERT_THAT(all.status(), IsOk());
  ASSERT_EQ(all->items.size(), 2U);
  const std::string name(all->items[0].metadata.name);
  ASSERT_THAT(Requests(*client).Delete(Soon(), name), IsOk());
  for (watch::EventType type = watch::EventType::kAdded; type != watch::EventType::kDeleted;) {
    const absl::StatusOr<std::optional<watch::Event<Request>>> event = (*watcher)->Next(Soon());
    ASSERT_THAT(event.status(), IsOk());
    ASSERT_TRUE(event->has_value());
    type = (*event)->type;
  }
}

TEST_F(ClientCertificateNetworkTest, ConnectionsOfTheFormerCertificate_AreClosedIfTheOptionSaysSo) {
  const std::shared_ptr<CertificateManager> manager = StartManager();
  rest::Config config = {.host = server_->url(),
                         .tls = {.ca_data = authority_.certificate()},
                         .close_connections_on_rotation = true};
  UseCertificateOf(manager, config);
  const absl::StatusOr<rest::Client> client = rest::MakeClient(config);
  ASSERT_THAT(client.status(), IsOk());
  const auto watch = client->Stream(
      Soon(),
      {.absolute_path = "/apis/certificates.k8s.io/v1/certificatesigningrequests?watch=true"});
  ASSERT_THAT(watch.status(), IsOk());

  ASSERT_NO_FATAL_FAILURE(Renew(*manager));
  EXPECT_EQ(NameOf(*client), "agent-2");
  const Context ctx = Soon();
  absl::StatusOr<std::string> events = std::string("the events before");
  while (events.ok() && !events->empty()) events = watch->body->Read(ctx);
  EXPECT_TRUE(httpclient::IsConnectionLost(events.status())) << events.status();
}

}  // namespace
}  // namespace kube::certificate

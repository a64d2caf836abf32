// From MakeClient to the network: credentials, and files that change meanwhile.

#include <atomic>
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
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/testing/fake_clock.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "clientset/rest/request.h"
#include "clientset/rest/testing/test_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/certificates/certificate_authority.h"
#include "net/httpclient/testing/test_server.h"
#include "net/httpclient/transport_error.h"
#include "net/httpserver/exchange.h"
#include "net/httpserver/server.h"

namespace kube::rest {
namespace {

using ::kube::base::IsOk;
using ::kube::base::IsOkAndHolds;
using ::kube::base::StatusIs;
using ::kube::certificates::Certificate;
using ::kube::certificates::CertificateAuthority;
using ::kube::httpclient::TestServer;
using ::kube::httpserver::ClientAuth;
using ::kube::httpserver::Exchange;
using ::testing::HasSubstr;

// Records who sends a request and its path. Requests for "/held/..." and "/watch/..." wait until
// the test answers them.
class Server {
 public:
  Server()
      : server_([this](std::shared_ptr<Exchange> exchange) { Handle(std::move(exchange)); },
                {.tls = httpserver::TlsOptions{.client_auth = ClientAuth::kRequest}}) {}

  TestServer& operator*() { return server_; }
  TestServer* operator->() { return &server_; }
  // Blocks until the request has arrived.
  std::shared_ptr<Exchange> Held() {
    base::MutexLock lock(mutex_);
    EXPECT_THAT(
        changed_.Wait(Context(), mutex_,
                      [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return held_ != nullptr; }),
        IsOk());
    return std::move(held_);
  }

 private:
  void Handle(std::shared_ptr<Exchange> exchange) {
    const httpserver::Request& request = exchange->request();
    if (request.path() == "/elsewhere") {
      return exchange->Respond({.status = 302, .headers = {{"location", redirect}}});
    }
    if (request.path() == "/encoding") {
      return exchange->Respond(
          {.body = std::string(request.headers.Get("accept-encoding").value_or("none"))});
    }
    if (request.path() == "/held" || request.path() == "/watch") {
      if (request.path() == "/watch") exchange->Start(200, {});
      base::MutexLock lock(mutex_);
      held_ = std::move(exchange);
      changed_.NotifyAll();
      return;
    }
    exchange->Respond(
        {.body = absl::StrCat(request.headers.Get("authorization").value_or("no token"), ", ",
                              request.client_certificate ? request.client_certificate->common_name
                                                         : "no certificate")});
  }

 public:
  std::string redirect;

 private:
  base::Mutex mutex_;
  base::CondVar changed_;
  std::shared_ptr<Exchange> held_ ABSL_GUARDED_BY(mutex_);
  TestServer server_;
};

absl::StatusOr<std::string> Ask(const Client& client, const std::string& path = "/") {
  absl::StatusOr<Result> result = client.Do(Context(), {.absolute_path = path});
  if (!result.ok()) return result.status();
  return std::move(result->body);
}

class ClientNetworkTest : public ::testing::Test {
 protected:
  // Uses the test's clock, so that the test decides when files are read again.
  static Client Make(Config config) { return TestServer::Value(MakeClient(config)); }

  base::FakeClock clock_{base::Runtime::Real().WallNow()};
  base::RuntimeScope scope_{clock_};
  const TestFolder folder_;
  Server server_;
};

TEST_F(ClientNetworkTest, TokenAndCertificate) {
  const Certificate jane = *server_->authority().Issue({.common_name = "jane"});
  Config config = {.host = server_->url(""),
                   .tls = {.ca_data = server_->authority().certificate()}};
  EXPECT_THAT(Ask(Make(config)), IsOkAndHolds("no token, no certificate"));
  config.bearer_token = base::Secret("abc");
  EXPECT_THAT(Ask(Make(config)), IsOkAndHolds("Bearer abc, no certificate"));
  config.tls.cert_data = jane.certificate;
  config.tls.key_data = jane.key;
  EXPECT_THAT(Ask(Make(config)), IsOkAndHolds("Bearer abc, jane"));
  config.bearer_token = {};
  EXPECT_THAT(Ask(Make(config)), IsOkAndHolds("no token, jane"));
}

TEST_F(ClientNetworkTest, DisableCompression_OnTheWire_AsksForNoGzip) {
  Config config = {.host = server_->url(""),
                   .tls = {.ca_data = server_->authority().certificate()}};
  EXPECT_THAT(Ask(Make(config), "/encoding"), IsOkAndHolds("gzip"));
  config.disable_compression = true;
  EXPECT_THAT(Ask(Make(config), "/encoding"), IsOkAndHolds("none"));
}

TEST_F(ClientNetworkTest, CredentialsGoNowhereElse) {
  Server other;
  server_.redirect = other->url("/");
  Config config = {
      .host = server_->url(""),
      .bearer_token = base::Secret("abc"),
      .tls = {.ca_data = server_->authority().certificate() + other->authority().certificate()}};
  EXPECT_THAT(std::string(Ask(Make(config), "/elsewhere").status().message()),
              HasSubstr("is not followed"));
  EXPECT_EQ(other->server().statistics().accepted_connections, 0);
  // A server that it does not trust.
  config.tls.ca_data = other->authority().certificate();
  EXPECT_THAT(Ask(Make(config)), StatusIs(absl::StatusCode::kUnauthenticated));
  EXPECT_EQ(server_->server().statistics().requests, 1);
  // Without TLS, to another machine.
  config.host = "http://10.0.0.1:8080";
  config.tls = {};
  EXPECT_THAT(MakeClient(config), StatusIs(absl::StatusCode::kInvalidArgument));
}

// A certificate that was replaced is shown no longer, also by a watch that began with it.
// behaviour.md: TR-4
TEST_F(ClientNetworkTest, AfterARotation_OldConnectionsAreClosedIfTheOptionSaysSo) {
  for (const bool close : {true, false}) {
    SCOPED_TRACE(close);
    const auto write_pair = [&](const std::string& name) {
      const Certificate pair = *server_->authority().Issue({.common_name = name});
      folder_.Write("cert", pair.certificate);
      folder_.Write("key", pair.key.Reveal());
    };
    write_pair("one");
    const Client client = Make({.host = server_->url(""),
                                .bearer_token_file = folder_.Write("token", "a"),
                                .tls = {.cert_file = folder_.Path("cert"),
                                        .key_file = folder_.Path("key"),
                                        .ca_data = server_->authority().certificate()},
                                .close_connections_on_rotation = close});
    auto watch = client.Stream(Context(), {.absolute_path = "/watch"});
    ASSERT_THAT(watch, IsOk());
    const std::shared_ptr<Exchange> events = server_.Held();
    // Another token alone closes nothing.
    folder_.Write("token", "b");
    clock_.Step(absl::Minutes(1));
    EXPECT_THAT(Ask(client), IsOkAndHolds("Bearer b, one"));
    events->Write("first");
    EXPECT_THAT(watch->body->Read(Context()), IsOkAndHolds("first"));

    write_pair("two");
    clock_.Step(absl::Minutes(5));
    EXPECT_THAT(Ask(client), IsOkAndHolds("Bearer b, two"));
    if (close) {
      const absl::Status ended = watch->body->Read(Context()).status();
      EXPECT_TRUE(httpclient::IsConnectionLost(ended)) << ended;
    }
    events->Write("second");
    if (!close) {
      EXPECT_THAT(watch->body->Read(Context()), IsOkAndHolds("second"));
    }
  }
}

// Authorities, certificate and token change while requests are in flight: no request is disturbed.
// behaviour.md: TR-4, TR-5
TEST_F(ClientNetworkTest, RotationDropsNothing) {
  const CertificateAuthority next = *CertificateAuthority::Make("next");
  const std::string now = server_->authority().certificate();
  const auto write_pair = [&](const std::string& name) {
    const Certificate pair = *server_->authority().Issue({.common_name = name});
    folder_.Write("cert", pair.certificate);
    folder_.Write("key", pair.key.Reveal());
  };
  write_pair("one");
  const Client client = Make({.host = server_->url(""),
                              .bearer_token_file = folder_.Write("token", "a"),
                              .tls = {.cert_file = folder_.Path("cert"),
                                      .key_file = folder_.Path("key"),
                                      .ca_file = folder_.Write("ca", now)}});
  base::ThreadGroup held{Context()};
  held.Go("held", [&](const Context&) { return Ask(client, "/held").status(); });
  const std::shared_ptr<Exchange> answer = server_.Held();
  auto watch = client.Stream(Context(), {.absolute_path = "/watch"});
  ASSERT_THAT(watch, IsOk());
  const std::shared_ptr<Exchange> events = server_.Held();

  std::atomic<bool> stop = false;
  std::atomic<int> requests = 0;
  base::ThreadGroup busy{Context()};
  for (int i = 0; i < 4; ++i) {
    busy.Go("busy", [&](const Context&) {
      while (!stop) {
        const auto got = Ask(client);
        if (!got.ok()) return got.status();
        ++requests;
      }
      return absl::OkStatus();
    });
  }
  const auto let_pass = [&requests] {
    const int before = requests;
    while (requests < before + 20) {
    }
  };
  const auto rotate = [&](const std::string& authorities, const std::string& name) {
    folder_.Write("ca", authorities);
    folder_.Write("token", name);
    write_pair(name);
    clock_.Step(absl::Minutes(5));
    let_pass();
    EXPECT_THAT(Ask(client), IsOkAndHolds(absl::StrCat("Bearer ", name, ", ", name)));
  };
  let_pass();
  rotate(next.certificate() + now, "two");
  rotate(absl::StrCat("# comment\n", now), "three");
  rotate(now + next.certificate(), "four");
  stop = true;
  EXPECT_THAT(busy.Wait(), IsOk());

  // From now on the server's certificate is not trusted. Open connections continue.
  folder_.Write("ca", next.certificate());
  clock_.Step(absl::Minutes(5));
  EXPECT_THAT(Ask(client), StatusIs(absl::StatusCode::kUnauthenticated));
  events->Write("event");
  EXPECT_THAT(watch->body->Read(Context()), IsOkAndHolds("event"));
  answer->Respond({.body = "late"});
  EXPECT_THAT(held.Wait(), IsOk());
}

}  // namespace
}  // namespace kube::rest

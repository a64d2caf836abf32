// A webhook server on real sockets: certificates of files and self-signed ones, their rotation, and
// the end.

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/metric_members.h"
#include "apimachinery/base/prometheus.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/wait.h"
#include "clientset/rest/testing/test_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/certificates/certificate_authority.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/http_transport.h"
#include "webhook/admission_types.h"
#include "webhook/self_signed.h"
#include "webhook/server.h"
#include "webhook/server_options.h"
#include "webhook/testing/dog_conversions.h"
#include "webhook/testing/dogs.client.kube.h"
#include "webhook/testing/dogs.kube.h"

namespace kube::webhook {
namespace {

using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;
using certificates::Certificate;
using certificates::CertificateAuthority;
using testing::HasSubstr;

Context Soon() { return WithTimeout(Context(), absl::Seconds(60)); }

constexpr char kReview[] =
    R"({"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"u1",)"
    R"("kind":{"group":"","version":"v1","kind":"Pod"},"resource":{"group":"","version":"v1",)"
    R"("resource":"pods"},"operation":"CONNECT","userInfo":{}}})";

// Sends reviews, each on a connection of its own unless `keeps` is set.
class Caller {
 public:
  explicit Caller(bool keeps = false) : keeps_(keeps) {}

  // Returns the HTTP code. The connection trusts `ca`, and shows `client` unless it is null.
  absl::StatusOr<int> Post(const std::string& url, const std::string& ca,
                           const Certificate* client = nullptr) {
    if (!keeps_) transport_->CloseIdleConnections();
    httpclient::ConnectionOptions options = {.ca_certificates = ca};
    if (client != nullptr) {
      options.client_certificate = client->certificate;
      options.client_key = client->key;
    }
    httpclient::HttpRequest request = {.method = "POST", .url = url};
    request.headers.Set("content-type", "application/json");
    request.body = std::make_shared<const std::string>(kReview);
    request.connection = std::make_shared<const httpclient::ConnectionOptions>(std::move(options));
    KUBE_ASSIGN_OR_RETURN(httpclient::HttpResponse response,
                          transport_->RoundTrip(Soon(), std::move(request)));
    while (true) {
      KUBE_ASSIGN_OR_RETURN(const std::string piece, response.body->Read(Soon()));
      if (piece.empty()) return response.status;
    }
  }

 private:
  const bool keeps_;
  const std::shared_ptr<httpclient::HttpTransport> transport_ = *httpclient::MakeHttpTransport({});
};

Certificate Issue(const CertificateAuthority& authority) {
  absl::StatusOr<Certificate> issued = authority.Issue({.ip_addresses = {"127.0.0.1"}});
  EXPECT_THAT(issued, IsOk());
  return *std::move(issued);
}

class ServerSocketsTest : public testing::Test {
 protected:
  ~ServerSocketsTest() override { Stop(); }

  static void Await(const std::function<bool()>& condition) {
    EXPECT_THAT(base::PollUntil(
                    Soon(), absl::Milliseconds(2), base::FirstPoll::kAtOnce,
                    [&condition](const Context&) -> absl::StatusOr<bool> { return condition(); }),
                IsOk());
  }

  ServerOptions FileOptions() {
    return {.address = "127.0.0.1",
            .port = 0,
            .certificate_folder = folder_.Path("."),
            .certificate_interval = absl::Milliseconds(5),
            .metrics = registry_};
  }

  // The files are replaced one after the other, so for a moment they do not match.
  void WriteFiles(const Certificate& certificate) {
    for (const auto& [name, text] :
         {std::pair<std::string, absl::string_view>("tls.crt", certificate.certificate),
          std::pair<std::string, absl::string_view>("tls.key", certificate.key.Reveal())}) {
      folder_.Write(absl::StrCat(name, ".new"), text);
      std::filesystem::rename(folder_.Path(absl::StrCat(name, ".new")), folder_.Path(name));
    }
  }

  void Make(ServerOptions options) {
    server_ = std::make_unique<Server>(std::move(options));
    server_->Handle("/allow", [](const Context&, const RawAdmissionRequest&) { return Allowed(); });
  }
  void Begin() {
    const auto run = [this](const Context& ctx) { EXPECT_THAT(server_->Run(ctx), IsOk()); };
    ASSERT_THAT(thread_.Start(Context(), "webhooks", run), IsOk());
  }
  void Start(ServerOptions options) {
    Make(std::move(options));
    Begin();
    ASSERT_THAT(server_->WaitUntilStarted(Soon()), IsOk());
  }
  void Stop() {
    thread_.RequestStop();
    thread_.Join();
  }

  std::string Url() const { return absl::StrCat(server_->url(), "/allow"); }

  // Returns how often files were read.
  uint64_t Reads() {
    return base::NewCounter(*registry_, {.name = "certwatcher_read_certificate_total",
                                         .help = "Total number of certificate reads"})
        .Value();
  }

  const log::LogCapture quiet_;
  const rest::TestFolder folder_;
  const std::shared_ptr<base::PrometheusRegistry> registry_ =
      std::make_shared<base::PrometheusRegistry>();
  const CertificateAuthority authority_ = *CertificateAuthority::Make("one");
  const CertificateAuthority other_ = *CertificateAuthority::Make("two");
  std::unique_ptr<Server> server_;
  base::Thread thread_;
};

// behaviour.md: WH-3
TEST_F(ServerSocketsTest, FilesNeedNotExistYet) {
  Make(FileOptions());
  EXPECT_THAT(server_->CheckStarted(),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr("has not been started")));
  Begin();
  Await([this] {
    return absl::StrContains(server_->CheckStarted().message(), "waits for its certificate");
  });
  EXPECT_EQ(server_->port(), 0);
  WriteFiles(Issue(authority_));
  EXPECT_THAT(server_->WaitUntilStarted(Soon()), IsOk());
  EXPECT_THAT(server_->CheckStarted(), IsOk());
  EXPECT_NE(server_->port(), 0);
  EXPECT_THAT(Caller().Post(Url(), authority_.certificate()), IsOkAndHolds(200));
  Stop();
  EXPECT_THAT(server_->CheckStarted(), StatusIs(absl::StatusCode::kUnavailable));
  EXPECT_EQ(server_->url(), "");
}

TEST_F(ServerSocketsTest, WithoutFiles_TheEndOfTheContextIsNoError) {
  Make(FileOptions());
  EXPECT_THAT(server_->Run(WithTimeout(Context(), absl::Milliseconds(10))), IsOk());
}

// behaviour.md: WH-4
TEST_F(ServerSocketsTest, ClientAuthority_OnlyItsClientsAreAnswered_AndItIsReloaded) {
  WriteFiles(Issue(authority_));
  folder_.Write("ca.crt", authority_.certificate());
  ServerOptions options = FileOptions();
  options.client_ca_name = "ca.crt";
  Start(std::move(options));
  const Certificate known = Issue(authority_);
  const Certificate unknown = Issue(other_);
  EXPECT_THAT(Caller().Post(Url(), authority_.certificate(), &known), IsOkAndHolds(200));
  EXPECT_FALSE(Caller().Post(Url(), authority_.certificate(), &unknown).ok());
  EXPECT_FALSE(Caller().Post(Url(), authority_.certificate()).ok());
  folder_.Write("ca.crt", other_.certificate());
  Await([&] { return Caller().Post(Url(), authority_.certificate(), &unknown).ok(); });
}

// behaviour.md: WH-2
TEST_F(ServerSocketsTest, SpeaksHttp2IfTheClientWantsIt) {
  const auto certificates = SelfSignedCertificates::Make({});
  ASSERT_THAT(certificates, IsOk());
  Start({.address = "127.0.0.1", .port = 0, .certificate_source = *certificates});
  const std::shared_ptr<httpclient::HttpTransport> transport = *httpclient::MakeHttpTransport({});
  const struct {
    httpclient::HttpVersion wanted;
    int version;
  } kRows[] = {{httpclient::HttpVersion::kHttp1, 1}, {httpclient::HttpVersion::kHttp2Only, 2}};
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.version);
    httpclient::HttpRequest request = {.method = "POST", .url = Url()};
    request.headers.Set("content-type", "application/json");
    request.body = std::make_shared<const std::string>(kReview);
    request.connection =
        std::make_shared<const httpclient::ConnectionOptions>(httpclient::ConnectionOptions{
            .ca_certificates = (*certificates)->ca_certificate(), .http_version = row.wanted});
    const absl::StatusOr<httpclient::HttpResponse> response =
        transport->RoundTrip(Soon(), std::move(request));
    ASSERT_THAT(response.status(), IsOk());
    EXPECT_EQ(response->status, 200);
    EXPECT_EQ(response->http_version, row.version);
  }
}

TEST_F(ServerSocketsTest, SelfSigned_TheAuthorityIsKnownBeforeItRuns) {
  Make({.address = "127.0.0.1",
        .port = 0,
        .self_signed = SelfSignedOptions{.dns_names = {"hooks.default.svc"}},
        .metrics = registry_});
  const absl::StatusOr<std::string> ca = server_->CaCertificate();
  ASSERT_THAT(ca, IsOk());
  Begin();
  ASSERT_THAT(server_->WaitUntilStarted(Soon()), IsOk());
  EXPECT_THAT(Caller().Post(Url(), *ca), IsOkAndHolds(200));
  EXPECT_FALSE(Caller().Post(Url(), authority_.certificate()).ok());
}

// Callers that send reviews without a pause, and count those that fail.
class Load {
 public:
  Load(std::string url, std::string ca) : url_(std::move(url)), ca_(std::move(ca)) {
    for (int i = 0; i < 3; ++i) {
      threads_.push_back(std::make_unique<base::Thread>());
      const bool keeps = i == 0;
      const absl::Status started = threads_.back()->Start(
          Context(), "caller", [this, keeps](const Context& ctx) { Work(ctx, keeps); });
      EXPECT_THAT(started, IsOk());
    }
  }
  ~Load() { Stop(); }

  void Stop() {
    for (const auto& thread : threads_) thread->RequestStop();
    for (const auto& thread : threads_) thread->Join();
  }
  int64_t answered() const { return answered_; }
  int64_t failed() const { return failed_; }

 private:
  void Work(const Context& ctx, bool keeps) {
    Caller caller(keeps);
    while (!ctx.done()) {
      const absl::StatusOr<int> code = caller.Post(url_, ca_);
      if (code.ok() && *code == 200) {
        ++answered_;
      } else {
        ++failed_;
        ADD_FAILURE() << "a request was lost: " << code.status();
      }
    }
  }

  const std::string url_;
  const std::string ca_;
  std::atomic<int64_t> answered_ = 0;
  std::atomic<int64_t> failed_ = 0;
  // Declared last: the threads use all of the above.
  std::vector<std::unique_ptr<base::Thread>> threads_;
};

// behaviour.md: CR-4, WH-13
TEST_F(ServerSocketsTest, FilesRotateUnderLoad_NoRequestIsLost) {
  WriteFiles(Issue(authority_));
  Start(FileOptions());
  Load load(Url(), absl::StrCat(authority_.certificate(), other_.certificate()));
  for (int i = 0; i < 10; ++i) {
    WriteFiles(Issue(i % 2 == 0 ? other_ : authority_));
    const uint64_t reads = Reads();
    const int64_t answered = load.answered();
    Await([&] { return Reads() > reads + 1 && load.answered() > answered + 3; });
  }
  load.Stop();
  EXPECT_EQ(load.failed(), 0);
  // The newest certificate is served, and no other.
  EXPECT_THAT(Caller().Post(Url(), authority_.certificate()), IsOkAndHolds(200));
  EXPECT_FALSE(Caller().Post(Url(), other_.certificate()).ok());
}

// behaviour.md: WH-2
TEST_F(ServerSocketsTest, SelfSignedOnesAreRenewedUnderLoad_NoRequestIsLost) {
  const auto certificates = SelfSignedCertificates::Make({});
  ASSERT_THAT(certificates, IsOk());
  Start({.address = "127.0.0.1", .port = 0, .certificate_source = *certificates});
  Load load(Url(), (*certificates)->ca_certificate());
  for (int i = 0; i < 10; ++i) {
    EXPECT_THAT((*certificates)->Renew(), IsOk());
    const int64_t answered = load.answered();
    Await([&] { return load.answered() > answered + 3; });
  }
  load.Stop();
  EXPECT_EQ(load.failed(), 0);
}

// behaviour.md: WH-7
TEST_F(ServerSocketsTest, Stop_RequestsInWorkAreAnswered) {
  const auto certificates = SelfSignedCertificates::Make({});
  ASSERT_THAT(certificates, IsOk());
  Make({.address = "127.0.0.1", .port = 0, .certificate_source = *certificates});
  base::Event begun;
  base::Event go_on;
  server_->Handle("/slow", [&begun, &go_on](const Context&, const RawAdmissionRequest&) {
    begun.Set();
    EXPECT_THAT(go_on.Wait(Soon()), IsOk());
    return Allowed();
  });
  Begin();
  ASSERT_THAT(server_->WaitUntilStarted(Soon()), IsOk());
  base::Thread caller;
  const std::string url = absl::StrCat(server_->url(), "/slow");
  const std::string ca = (*certificates)->ca_certificate();
  ASSERT_THAT(
      caller.Start(Context(), "caller",
                   [&](const Context&) { EXPECT_THAT(Caller().Post(url, ca), IsOkAndHolds(200)); }),
      IsOk());
  ASSERT_THAT(begun.Wait(Soon()), IsOk());
  thread_.RequestStop();
  go_on.Set();
  caller.Join();
  thread_.Join();
}

// Otherwise a function that reads an object of another version would wait for itself.
TEST_F(ServerSocketsTest, AdmissionsThatBlock_DoNotDelayConversions) {
  const auto certificates = SelfSignedCertificates::Make({});
  ASSERT_THAT(certificates, IsOk());
  Make({.address = "127.0.0.1", .port = 0, .certificate_source = *certificates, .threads = 1});
  server_->Converts<tests::dogs::Dog, tests::dogs::OldDog>(FromOldDog, ToOldDog);
  std::string convert_url;
  const std::string ca = (*certificates)->ca_certificate();
  server_->Handle("/reads", [&convert_url, &ca](const Context&, const RawAdmissionRequest&) {
    // The review is of no conversion, so the answer is an error; but there is one.
    EXPECT_THAT(Caller().Post(convert_url, ca), IsOk());
    return Allowed();
  });
  Begin();
  ASSERT_THAT(server_->WaitUntilStarted(Soon()), IsOk());
  convert_url = absl::StrCat(server_->url(), "/convert");
  EXPECT_THAT(Caller().Post(absl::StrCat(server_->url(), "/reads"), ca), IsOkAndHolds(200));
}

// behaviour.md: WH-9
TEST_F(ServerSocketsTest, APortThatIsTaken_EndsRun) {
  const auto certificates = SelfSignedCertificates::Make({});
  ASSERT_THAT(certificates, IsOk());
  Start({.address = "127.0.0.1", .port = 0, .certificate_source = *certificates});
  Server other(ServerOptions{
      .address = "127.0.0.1", .port = server_->port(), .certificate_source = *certificates});
  EXPECT_THAT(other.Run(Soon()), StatusIs(absl::StatusCode::kFailedPrecondition));
}

}  // namespace
}  // namespace kube::webhook

// The certificates of a webhook server and the caBundle of its configuration are rotated while a
// real API server asks it: no write fails.
//
// The order is that of cert-manager and of AddCaBundle: the API server trusts the next authority
// before the first certificate of it is shown, and forgets the old one after that. Each state of
// the configuration has a URL of its own, so a request to it shows that the API server has read
// that state. With another bundle the API server makes new connections, so each certificate is
// checked.
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/substitute.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "clientset/dynamic/dynamic_client.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/rest/client.h"
#include "envtest/manifests.h"
#include "envtest/testing/eventually.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/certificates/certificate_authority.h"
#include "net/certificates/certificate_source.h"
#include "tests/integration/real_server.h"
#include "webhook/admission_types.h"
#include "webhook/server.h"
#include "webhook/server_options.h"

namespace kube::integration {
namespace {

namespace corev1 = api::core::v1;
using base::IsOk;
using base::MutexLock;
using certificates::CertificateAuthority;
using certificates::ServerCertificates;

constexpr int kRotations = 5;
// The configuration has a first state, and two in each rotation.
constexpr size_t kStates = 1 + 2 * kRotations;
constexpr int kWriters = 4;
// How many requests must have come in a state before the next one.
constexpr int64_t kInEachState = 20;

// The parameters are the name, the namespace, the URL and the bundle.
constexpr char kConfiguration[] = R"(
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: $0}
webhooks:
- name: rotation.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  failurePolicy: Fail
  namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: $1}}
  rules:
  - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}
  clientConfig:
    url: $2
    caBundle: $3
)";

// The server's certificate, which the test replaces.
class Certificates final : public certificates::CertificateSource {
 public:
  std::shared_ptr<const ServerCertificates> Current() const override ABSL_LOCKS_EXCLUDED(mutex_) {
    MutexLock lock(mutex_);
    return current_;
  }

  absl::Status Show(const CertificateAuthority& authority) ABSL_LOCKS_EXCLUDED(mutex_) {
    KUBE_ASSIGN_OR_RETURN(certificates::Certificate issued,
                          authority.Issue({.ip_addresses = {"127.0.0.1"}}));
    auto made = std::make_shared<const ServerCertificates>(ServerCertificates{
        .certificate_chain = std::move(issued.certificate), .private_key = std::move(issued.key)});
    MutexLock lock(mutex_);
    current_ = std::move(made);
    return absl::OkStatus();
  }

 private:
  mutable base::Mutex mutex_;
  std::shared_ptr<const ServerCertificates> current_ ABSL_GUARDED_BY(mutex_);
};

// Writers that create one ConfigMap after another, until they are stopped.
class Load {
 public:
  Load(const rest::Client& client, std::string namespace_name)
      : maps_(client, std::move(namespace_name)) {}

  absl::Status Start() {
    for (int i = 0; i < kWriters; ++i) {
      threads_.push_back(std::make_unique<base::Thread>());
      KUBE_RETURN_IF_ERROR(threads_.back()->Start(
          Context(), "writer", [this, i](const Context& ctx) { Write(ctx, i); }));
    }
    return absl::OkStatus();
  }

  // Stops the writers, and returns the first error of a write.
  absl::Status Stop() ABSL_LOCKS_EXCLUDED(mutex_) {
    for (const auto& thread : threads_) thread->RequestStop();
    for (const auto& thread : threads_) thread->Join();
    MutexLock lock(mutex_);
    return first_error_;
  }

  int64_t written() const { return written_; }

 private:
  // The requests have contexts of their own, so that the last one is not interrupted.
  void Write(const Context& ctx, int writer) ABSL_LOCKS_EXCLUDED(mutex_) {
    for (int i = 0; !ctx.done(); ++i) {
      corev1::ConfigMap map;
      map.metadata.name = absl::StrCat("map-", writer, "-", i);
      const absl::Status created = maps_.Create(Soon(), map).status();
      ++written_;
      MutexLock lock(mutex_);
      first_error_.Update(created);
    }
  }

  const corev1::ConfigMapClient maps_;
  std::atomic<int64_t> written_ = 0;
  base::Mutex mutex_;
  absl::Status first_error_ ABSL_GUARDED_BY(mutex_);
  // Declared last: the threads use all of the above.
  std::vector<std::unique_ptr<base::Thread>> threads_;
};

class WebhookRotationTest : public testing::Test {
 protected:
  // Starts the server, which allows everything and counts.
  void StartServer() {
    for (size_t state = 0; state < kStates; ++state) {
      server_.Handle(absl::StrCat("/state-", state),
                     [this, state](const Context&, const webhook::RawAdmissionRequest&) {
                       ++asked_[state];
                       return webhook::Allowed();
                     });
    }
    const auto run = [this](const Context& ctx) { EXPECT_THAT(server_.Run(ctx), IsOk()); };
    ASSERT_THAT(thread_.Start(Context(), "webhooks", run), IsOk());
    ASSERT_THAT(server_.WaitUntilStarted(Soon()), IsOk());
  }

  // Writes a state of the configuration, with the authorities of `bundle`.
  absl::Status Configure(size_t state, absl::string_view bundle) {
    const std::string url = absl::StrCat(server_.url(), "/state-", state);
    const std::string manifest =
        absl::Substitute(kConfiguration, name_, namespace_, url, absl::Base64Escape(bundle));
    return envtest::InstallManifests(Soon(), client_, {.manifest = manifest}).status();
  }

  // Waits until the API server asks in this state.
  absl::Status Await(size_t state) {
    const auto check = [this, state]() -> absl::Status {
      if (asked_[state] >= kInEachState) return absl::OkStatus();
      return absl::UnavailableError(
          absl::StrCat("state ", state, ": ", asked_[state].load(), " requests"));
    };
    return envtest::EventuallyOk(check, {.timeout = absl::Minutes(1)});
  }

  // Goes from one authority to another. `state` is the present one.
  absl::Status Rotate(size_t state, const CertificateAuthority& from,
                      const CertificateAuthority& to) {
    KUBE_RETURN_IF_ERROR(Configure(state + 1, absl::StrCat(from.certificate(), to.certificate())));
    KUBE_RETURN_IF_ERROR(Await(state + 1));
    KUBE_RETURN_IF_ERROR(certificates_->Show(to));
    KUBE_RETURN_IF_ERROR(Configure(state + 2, to.certificate()));
    return Await(state + 2);
  }

  absl::Status Delete() {
    return dynamic::DynamicClient(client_)
        .Resource({.group = "admissionregistration.k8s.io",
                   .version = "v1",
                   .resource = "validatingwebhookconfigurations"})
        .Delete(Soon(), name_);
  }

  const rest::Client client_ = ClientOf(ConfigOf());
  const std::string namespace_ = MakeNamespace(client_);
  const std::string name_ = absl::StrCat("rotation-", namespace_);
  const std::shared_ptr<Certificates> certificates_ = std::make_shared<Certificates>();
  std::array<std::atomic<int64_t>, kStates> asked_ = {};
  webhook::Server server_{webhook::ServerOptions{
      .address = "127.0.0.1", .port = 0, .certificate_source = certificates_}};
  // Declared last: it uses all of the above.
  base::Thread thread_;
};

// behaviour.md: WH-13
TEST_F(WebhookRotationTest, CertificatesAndBundlesRotateUnderLoad_NoWriteFails) {
  absl::StatusOr<CertificateAuthority> present = CertificateAuthority::Make("authority-0");
  ASSERT_THAT(present, IsOk());
  ASSERT_THAT(certificates_->Show(*present), IsOk());
  ASSERT_NO_FATAL_FAILURE(StartServer());
  ASSERT_THAT(Configure(0, present->certificate()), IsOk());

  Load load(client_, namespace_);
  ASSERT_THAT(load.Start(), IsOk());
  absl::Status rotated = Await(0);
  for (int i = 0; i < kRotations && rotated.ok(); ++i) {
    absl::StatusOr<CertificateAuthority> next =
        CertificateAuthority::Make(absl::StrCat("authority-", i + 1));
    ASSERT_THAT(next, IsOk());
    rotated = Rotate(2 * static_cast<size_t>(i), *present, *next);
    present = std::move(next);
  }
  EXPECT_THAT(load.Stop(), IsOk());
  EXPECT_THAT(Delete(), IsOk());
  EXPECT_THAT(rotated, IsOk());
  EXPECT_GE(load.written(), static_cast<int64_t>(kStates) * kInEachState);
}

}  // namespace
}  // namespace kube::integration

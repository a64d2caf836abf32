#include "clientset/certificate/client_certificate.h"

#include <memory>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "apiserver/handler.h"
#include "clientset/certificate/certificate_manager.h"
#include "clientset/certificate/key_pair.h"
#include "clientset/certificate/memory_store.h"
#include "clientset/certificate/testing/test_signer.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/rest/authenticator.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "envtest/in_process_transport.h"
#include "gtest/gtest.h"
#include "net/certificates/certificate_source.h"

namespace kube::certificate {
namespace {

using base::IsOk;
using base::IsOkAndHolds;
using Authentication = std::shared_ptr<const rest::Authentication>;

// A server with a signer, and a manager that is not started.
struct World {
  apiserver::ApiHandler server;
  const rest::Client client = *rest::MakeClient(envtest::InProcessConfig(server));
  TestSigner signer{client};
  const std::shared_ptr<CertificateManager> manager =
      *CertificateManager::Make({.client = [sender = client](const auto&) { return sender; },
                                 .request = {.common_name = "agent"},
                                 .signer_name = "example.com/test",
                                 .store = std::make_shared<MemoryStore>()});

  void Start() {
    ASSERT_THAT(signer.Start(Context()), IsOk());
    ASSERT_THAT(manager->Start(Context()), IsOk());
    ASSERT_THAT(manager->WaitForCurrent(WithTimeout(Context(), absl::Minutes(1))), IsOk());
  }
  void WaitForAnother(const std::shared_ptr<const KeyPair>& old) const {
    const absl::Status waited = base::PollUntilTimeout(
        Context(), absl::Seconds(1), absl::Hours(1), base::FirstPoll::kAtOnce,
        [&](const Context&) -> absl::StatusOr<bool> { return manager->Current() != old; });
    ASSERT_THAT(waited, IsOk());
  }
};

void Simulate(absl::FunctionRef<void(World&)> body) {
  base::SimRuntime sim;
  ASSERT_THAT(sim.Run([&body] {
    World world;
    body(world);
  }),
              IsOk());
}

TEST(ClientCertificate, RequestsShowTheCertificateOfTheirTime) {
  Simulate([](World& world) {
    rest::Config config = {.host = "https://localhost"};
    UseCertificateOf(world.manager, config);
    const absl::StatusOr<std::shared_ptr<rest::Authenticator>> authenticator =
        rest::MakeAuthenticator(config);
    ASSERT_THAT(authenticator.status(), IsOk());
    const Authentication none = *(*authenticator)->Get(Context());
    EXPECT_EQ(none->connection->client_certificate, "");

    world.Start();
    const std::shared_ptr<const KeyPair> first = world.manager->Current();
    const Authentication one = *(*authenticator)->Get(Context());
    EXPECT_EQ(one->connection->client_certificate, first->pem.certificate);
    EXPECT_TRUE(one->connection->client_key == first->pem.key);
    EXPECT_EQ(*(*authenticator)->Get(Context()), one);
    EXPECT_THAT((*authenticator)->Rejected(Context(), *one), IsOkAndHolds(false));

    world.WaitForAnother(first);
    EXPECT_THAT((*authenticator)->Rejected(Context(), *one), IsOkAndHolds(true));
    const Authentication two = *(*authenticator)->Get(Context());
    EXPECT_EQ(two->connection->client_certificate, world.manager->Current()->pem.certificate);
    EXPECT_NE(two->connection, one->connection);
  });
}

TEST(ClientCertificate, ServersShowTheNewestCertificate) {
  Simulate([](World& world) {
    const std::shared_ptr<certificates::CertificateSource> source =
        ServerCertificateOf(world.manager);
    EXPECT_EQ(source->Current(), nullptr);
    world.Start();
    const std::shared_ptr<const KeyPair> first = world.manager->Current();
    const std::shared_ptr<const certificates::ServerCertificates> shown = source->Current();
    ASSERT_NE(shown, nullptr);
    EXPECT_EQ(shown->certificate_chain, first->pem.certificate);
    EXPECT_TRUE(shown->private_key == first->pem.key);
    EXPECT_EQ(source->Current(), shown);
    world.WaitForAnother(first);
    EXPECT_EQ(source->Current()->certificate_chain, world.manager->Current()->pem.certificate);
    world.manager->Stop();
    // A certificate that has expired stays.
    ASSERT_THAT(base::SleepFor(Context(), absl::Hours(2)), IsOk());
    EXPECT_EQ(world.manager->Current(), nullptr);
    EXPECT_NE(source->Current(), nullptr);
  });
}

// The example of the header.
absl::StatusOr<std::string> UrlOf(const std::shared_ptr<CertificateManager>& manager,
                                  rest::Config config) {
  certificate::UseCertificateOf(manager, config);
  KUBE_ASSIGN_OR_RETURN(const kubernetes::Clientset client, kubernetes::Clientset::Make(config));
  return client.client().base_url();
}

TEST(ClientCertificate, MakesAClientset_AsInTheHeader) {
  Simulate([](World& world) {
    const rest::Config config = {.host = "localhost:6443",
                                 .transport = std::make_shared<rest::ScriptedTransport>()};
    EXPECT_THAT(UrlOf(world.manager, config), IsOkAndHolds(std::string("https://localhost:6443")));
  });
}

}  // namespace
}  // namespace kube::certificate

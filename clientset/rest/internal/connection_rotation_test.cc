#include "clientset/rest/internal/connection_rotation.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/transport.h"

namespace kube::rest::internal {
namespace {

using httpclient::ConnectionOptions;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Keeps the certificates whose connections were to be closed, with the authorities after a slash.
class Closed final : public httpclient::Transport {
 public:
  absl::StatusOr<httpclient::HttpResponse> RoundTrip(const Context&,
                                                     httpclient::HttpRequest) override {
    return absl::UnimplementedError("no requests are expected");
  }
  void CloseIdleConnections() override {}
  void CloseConnections(const ConnectionOptions& connection) override {
    closed.push_back(connection.client_certificate + "/" + connection.ca_certificates);
  }
  std::vector<std::string> Take() { return std::exchange(closed, {}); }

  std::vector<std::string> closed;
};

std::shared_ptr<const ConnectionOptions> Of(const std::string& certificate,
                                            const std::string& authorities = "") {
  return std::make_shared<const ConnectionOptions>(
      ConnectionOptions{.ca_certificates = authorities, .client_certificate = certificate});
}

class ConnectionRotationTest : public ::testing::Test {
 protected:
  const std::shared_ptr<Closed> transport_ = std::make_shared<Closed>();
  ConnectionRotation rotation_{transport_};
};

TEST_F(ConnectionRotationTest, TheFirstCertificate_ClosesNothing) {
  const auto none = Of("");
  const auto a = Of("a");
  for (const auto& each : {none, a, a}) rotation_.Use(each);
  EXPECT_THAT(transport_->Take(), IsEmpty());
}

TEST_F(ConnectionRotationTest, AnotherCertificate_ClosesTheConnectionsOfTheFormerOnce) {
  const auto a = Of("a");
  const auto b = Of("b");
  rotation_.Use(a);
  rotation_.Use(b);
  EXPECT_THAT(transport_->Take(), ElementsAre("a/"));
  // A request that is late does not bring the former certificate back.
  rotation_.Use(a);
  rotation_.Use(b);
  EXPECT_THAT(transport_->Take(), IsEmpty());
}

TEST_F(ConnectionRotationTest, OtherAuthorities_CloseNothingUntilTheCertificateChanges) {
  const auto one = Of("a", "one");
  const auto two = Of("a", "two");
  rotation_.Use(one);
  rotation_.Use(two);
  EXPECT_THAT(transport_->Take(), IsEmpty());
  rotation_.Use(Of("b", "two"));
  EXPECT_THAT(transport_->Take(), ElementsAre("a/one", "a/two"));
}

TEST_F(ConnectionRotationTest, ACertificateThatComesBack_IsNotTakenForALateRequest) {
  const auto a = Of("a");
  const auto b = Of("b");
  const auto again = Of("a");
  for (const auto& each : {a, b, again}) rotation_.Use(each);
  EXPECT_THAT(transport_->Take(), ElementsAre("a/", "a/", "b/"));
}

}  // namespace
}  // namespace kube::rest::internal

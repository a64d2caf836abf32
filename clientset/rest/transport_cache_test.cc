#include "clientset/rest/transport_cache.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "clientset/rest/request.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpclient/http_transport.h"
#include "net/httpclient/testing/test_server.h"
#include "net/httpserver/exchange.h"

namespace kube::rest {
namespace {

using base::IsOk;
using base::IsOkAndHolds;
using httpclient::HttpTransport;
using httpclient::TestServer;

// The example of the header.
absl::StatusOr<Client> MakeSharing(TransportCache& transports, const Config& config) {
  KUBE_ASSIGN_OR_RETURN(const rest::Config shared, transports.Share(config));
  return rest::MakeClient(shared);
}

// A server that says who asks.
class TransportCacheTest : public ::testing::Test {
 protected:
  Config ConfigOf(absl::string_view token) const {
    return {.host = server_.url(""),
            .bearer_token = base::Secret(std::string(token)),
            .tls = {.ca_data = server_.authority().certificate()}};
  }

  Client Make(const Config& config) { return TestServer::Value(MakeSharing(cache_, config)); }

  static absl::StatusOr<std::string> Ask(const Client& client) {
    absl::StatusOr<Result> result = client.Do(httpclient::Soon(), {.absolute_path = "/"});
    if (!result.ok()) return result.status();
    return std::move(result->body);
  }

  TestServer server_{[](const std::shared_ptr<httpserver::Exchange>& exchange) {
    exchange->Respond(
        {.body = std::string(exchange->request().headers.Get("authorization").value_or("nobody"))});
  }};
  TransportCache cache_;
};

TEST_F(TransportCacheTest, ClientsOfEqualConfigurations_ShareAConnection) {
  const Client jane = Make(ConfigOf("jane"));
  const Client joe = Make(ConfigOf("joe"));
  const std::shared_ptr<HttpTransport> transport = TestServer::Value(cache_.Get());
  for (int i = 0; i < 3; ++i) {
    EXPECT_THAT(Ask(jane), IsOkAndHolds("Bearer jane"));
    EXPECT_THAT(Ask(joe), IsOkAndHolds("Bearer joe"));
  }
  EXPECT_EQ(transport->statistics().opened_connections, 1);
}

TEST_F(TransportCacheTest, ClientsThatReachTheServerDifferently_ShareTheTransportOnly) {
  Config other = ConfigOf("joe");
  other.tls.server_name = "localhost";
  const Client jane = Make(ConfigOf("jane"));
  const Client joe = Make(other);
  const std::shared_ptr<HttpTransport> transport = TestServer::Value(cache_.Get());
  EXPECT_THAT(Ask(jane), IsOkAndHolds("Bearer jane"));
  EXPECT_THAT(Ask(joe), IsOkAndHolds("Bearer joe"));
  EXPECT_EQ(transport->statistics().opened_connections, 2);
}

TEST_F(TransportCacheTest, TheTransport_EndsWithItsLastClient) {
  std::weak_ptr<HttpTransport> first;
  {
    const Client jane = Make(ConfigOf("jane"));
    const Client joe = Make(ConfigOf("joe"));
    first = TestServer::Value(cache_.Get());
    EXPECT_FALSE(first.expired());
  }
  EXPECT_TRUE(first.expired());
  EXPECT_THAT(Ask(Make(ConfigOf("jane"))), IsOkAndHolds("Bearer jane"));
}

TEST_F(TransportCacheTest, AConfigurationWithATransport_KeepsIt) {
  Config config = ConfigOf("jane");
  config.transport = httpclient::MakeTransport();
  const absl::StatusOr<Config> shared = cache_.Share(config);
  ASSERT_THAT(shared, IsOk());
  EXPECT_EQ(shared->transport, config.transport);
}

}  // namespace
}  // namespace kube::rest

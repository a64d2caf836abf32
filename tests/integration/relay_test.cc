#include "tests/integration/relay.h"

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apiserver/api_server.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "clientset/typed/typed_client.h"
#include "envtest/environment.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpclient/transport_error.h"
#include "tests/integration/real_server.h"

namespace kube::integration {
namespace {

using base::IsOk;

TEST(Relay, ItsConnectionsAreLostWhenTheyAreToBe) {
  const auto server = apiserver::ApiServer::Start({.tls = false});
  ASSERT_THAT(server, IsOk());
  Relay relay((*server)->port());
  rest::Config config = envtest::ConfigOf(**server);
  config.host = absl::StrCat("http://127.0.0.1:", relay.port());
  const typed::TypedClient<api::core::v1::ConfigMap, api::core::v1::ConfigMapList> maps(
      ClientOf(config), kConfigMaps);
  auto watcher = maps.Watch(Soon());
  ASSERT_THAT(watcher, IsOk());
  relay.Cut();
  // After what it had received.
  const Context soon = Soon();
  auto event = (*watcher)->Next(soon);
  while (event.ok() && event->has_value()) event = (*watcher)->Next(soon);
  EXPECT_FALSE(soon.done());
  EXPECT_THAT(maps.List(Soon()), IsOk());

  const auto ask = [&] {
    return maps.client().Do(Soon(), {.absolute_path = "/version", .max_retries = 0}).status();
  };
  for (int i = 0; i < 2; ++i) {
    relay.Close();
    EXPECT_FALSE(ask().ok());  // maybe by the connection that is being lost
    const auto error = httpclient::TransportErrorOf(ask());
    ASSERT_TRUE(error.has_value());
    EXPECT_EQ(error->kind, httpclient::TransportErrorKind::kConnect);
    EXPECT_FALSE(error->maybe_sent);
    relay.Open();
    EXPECT_THAT(ask(), IsOk());
  }
}

}  // namespace
}  // namespace kube::integration

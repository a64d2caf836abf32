// HTTP to servers in pods, through local ports and without them.

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "clientset/portforward/differential/fixture.h"
#include "clientset/portforward/forwarder.h"
#include "clientset/portforward/listeners.h"
#include "clientset/portforward/pod_dialer.h"
#include "clientset/portforward/port_spec.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::portforward {
namespace {

using base::IsOk;
using base::IsOkAndHolds;

absl::StatusOr<std::string> Get(const Context& ctx, const rest::Config& config,
                                const std::string& path) {
  KUBE_ASSIGN_OR_RETURN(const rest::Client client, rest::MakeClient(config));
  KUBE_ASSIGN_OR_RETURN(const rest::Result result, client.Do(ctx, {.absolute_path = path}));
  return result.body;
}

class LocalPortTest : public WayTest {
 protected:
  absl::StatusOr<std::shared_ptr<Forwarder>> ConnectShared() const { return Connect(); }
};
INSTANTIATE_TEST_SUITE_P(Ways, LocalPortTest, testing::ValuesIn(AllWays()), NameOfWay);

TEST_P(LocalPortTest, LeadsToThePod) {
  const auto forwarder = ConnectShared();
  ASSERT_THAT(forwarder, IsOk());
  const auto listeners = Listen(ctx_, *forwarder, {"127.0.0.1"}, {absl::StrCat(":", kHttp)});
  ASSERT_THAT(listeners, IsOk());
  ASSERT_EQ((*listeners)->ports().size(), 1u);
  rest::Config config;
  config.host = absl::StrCat("http://127.0.0.1:", (*listeners)->ports().front().local);
  base::ThreadGroup group(ctx_);
  for (int i = 0; i < 20; ++i) {
    group.Go("client", [&, i](const Context& ctx) {
      const std::string path = absl::StrCat("/page/", i);
      EXPECT_THAT(Get(ctx, config, path), IsOkAndHolds(absl::StrCat("GET ", path, "\n")));
      return absl::OkStatus();
    });
  }
  EXPECT_THAT(group.Wait(), IsOk());
}

TEST_P(LocalPortTest, APortOnWhichNothingListensEndsNothingElse) {
  const auto forwarder = ConnectShared();
  ASSERT_THAT(forwarder, IsOk());
  const auto listeners = Listen(ctx_, *forwarder, {"127.0.0.1"},
                                {absl::StrCat(":", kHttp), absl::StrCat(":", kRefused)},
                                {.on_error = [](const ForwardedPort&, const absl::Status&) {}});
  ASSERT_THAT(listeners, IsOk());
  ASSERT_EQ((*listeners)->ports().size(), 2u);
  rest::Config http;
  http.host = absl::StrCat("http://127.0.0.1:", (*listeners)->ports()[0].local);
  rest::Config refused;
  refused.host = absl::StrCat("http://127.0.0.1:", (*listeners)->ports()[1].local);
  // It tries again and again.
  EXPECT_FALSE(Get(WithTimeout(ctx_, absl::Seconds(1)), refused, "/").ok());
  EXPECT_THAT(Get(ctx_, http, "/a"), IsOkAndHolds("GET /a\n"));
}

TEST_P(LocalPortTest, IsNotNeededByAnHttpClient) {
  const auto forwarder = ConnectShared();
  ASSERT_THAT(forwarder, IsOk());
  rest::Config config;
  config.host = "http://localhost:80";
  config.dialer = PodDialer(*forwarder);
  EXPECT_THAT(Get(ctx_, config, "/without"), IsOkAndHolds("GET /without\n"));
}

}  // namespace
}  // namespace kube::portforward

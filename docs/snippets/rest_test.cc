// The code in docs/rest.md, which //docs:snippets_test compares.
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/predicates.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "clientset/rest/request.h"
#include "clientset/rest/testing/scripted_client.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/transport.h"

namespace kube {
namespace {

using ::kube::base::IsOk;
using ::kube::base::IsOkAndHolds;

absl::StatusOr<std::string> ServerVersion(
    const Context& ctx, const std::string& token,
    std::shared_ptr<httpclient::Transport> transport = nullptr) {
  rest::Config config;
  config.host = "https://10.0.0.1:6443";
  config.bearer_token = base::Secret(token);
  config.tls.ca_file = "";  // the system's authorities
  config.transport = std::move(transport);
  KUBE_ASSIGN_OR_RETURN(rest::Client client, rest::MakeClient(config));
  KUBE_ASSIGN_OR_RETURN(rest::Result result, client.Do(ctx, {.absolute_path = "/version"}));
  return result.body;
}

absl::Status DeletePod(const Context& ctx, const rest::Client& client) {
  const absl::Status status = client
                                  .Do(ctx, {.verb = "DELETE",
                                            .resource = {"", "v1", "pods"},
                                            .namespace_name = "prod",
                                            .name = "web-0",
                                            .timeout = absl::Seconds(30)})
                                  .status();
  return errors::IsNotFound(status) ? absl::OkStatus() : status;
}

class Stamp final : public httpclient::Transport {
 public:
  explicit Stamp(std::shared_ptr<httpclient::Transport> next) : next_(std::move(next)) {}
  absl::StatusOr<httpclient::HttpResponse> RoundTrip(const Context& ctx,
                                                     httpclient::HttpRequest request) override {
    request.headers.Set("x-team", "blue");
    return next_->RoundTrip(ctx, std::move(request));
  }
  void CloseIdleConnections() override { next_->CloseIdleConnections(); }

 private:
  const std::shared_ptr<httpclient::Transport> next_;
};

rest::Config Stamped(rest::Config config) {
  rest::Wrap(config, [](std::shared_ptr<httpclient::Transport> next) {
    return std::make_shared<Stamp>(std::move(next));
  });
  return config;
}

TEST(RestGuideTest, AsksForTheVersion) {
  auto transport = std::make_shared<rest::ScriptedTransport>();
  transport->Expect({.path = "/version", .headers = {{"authorization", "Bearer abc"}}},
                    rest::JsonReply("{}"));
  EXPECT_THAT(ServerVersion(Context(), "abc", transport), IsOkAndHolds("{}"));
}

TEST(RestGuideTest, DeletesAPodThatIsGone) {
  auto transport = std::make_shared<rest::ScriptedTransport>();
  transport->Expect({.method = "DELETE", .path = "/api/v1/namespaces/prod/pods/web-0"},
                    rest::StatusReply(404, "NotFound", "pods \"web-0\" not found"));
  const rest::Client client = rest::MakeScriptedClient(transport, Stamped({}));
  EXPECT_THAT(DeletePod(Context(), client), IsOk());
  EXPECT_THAT(transport->Verify(), IsOk());
  EXPECT_EQ(transport->requests()[0].Header("x-team"), "blue");
}

}  // namespace
}  // namespace kube

#include "clientset/rest/testing/scripted_client.h"

#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/context.h"
#include "clientset/rest/authenticator.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/transport.h"

namespace kube::rest {

namespace {

class NoCredentials final : public Authenticator {
 public:
  absl::StatusOr<std::shared_ptr<const Authentication>> Get(const Context&) override {
    return authentication_;
  }
  absl::StatusOr<bool> Rejected(const Context&, const Authentication&) override { return false; }

 private:
  const std::shared_ptr<const Authentication> authentication_ = std::make_shared<Authentication>(
      Authentication{.connection = std::make_shared<httpclient::ConnectionOptions>()});
};

}  // namespace

Client MakeScriptedClient(std::shared_ptr<httpclient::Transport> transport, Config config) {
  if (config.host.empty()) config.host = "http://localhost";
  config.transport = std::move(transport);
  absl::StatusOr<Client> client = MakeClient(config, std::make_shared<NoCredentials>());
  KUBE_CHECK_OK(client.status());
  return *std::move(client);
}

}  // namespace kube::rest

#ifndef ENVTEST_WEBHOOK_HOST_H_
#define ENVTEST_WEBHOOK_HOST_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/admissionregistration/v1/types.kube.h"
#include "api/apiextensions/v1/types.kube.h"
#include "apiserver/handler.h"
#include "net/httpserver/exchange.h"
#include "net/httpserver/server.h"
#include "net/httpserver/thread_pool_handler.h"

namespace kube::envtest {

// Options of WebhookHost::Listen.
struct WebhookHostOptions {
  // The address of this machine to listen on. (controller-runtime: `LocalServingHost`)
  std::string address = "127.0.0.1";
  // Zero, the default, takes any free port. (controller-runtime: `LocalServingPort`)
  uint16_t port = 0;
  // The name or address by which API servers reach this machine; it is in the URLs and in the
  // certificate. Empty, the default, means `address`. (controller-runtime:
  // `LocalServingHostExternalName`)
  std::string host = {};
};

// Serves the webhooks of an operator to the API server of a test, and writes where they are into
// the configurations that the API server gets. (controller-runtime: the local server of
// `envtest.WebhookInstallOptions`)
//
//   const auto host = WebhookHost::InProcess(handler, server);
//   const auto installed = InstallWebhooks(Context(), client, *host, {.paths = {kFolder}});
//   ASSERT_THAT(installed, IsOk());
//
// InstallWebhooks and InstallCrds call Redirect; tests with configurations of their own call it
// themselves. The handler may block, as that of webhook::Server does: it is called on threads that
// only wait for its answer. It must outlive the host, and so must the API server of InProcess; the
// destructor ends calls that are running. Thread-compatible.
class WebhookHost {
 private:
  class Calls;
  // Makes the constructor usable by Listen and InProcess only.
  struct Key {
    explicit Key() = default;
  };

 public:
  // Listens over HTTPS, with a certificate of a new authority: for API servers that are programs,
  // and for the embedded one behind a port. Uses the real clock. Returns the errors of
  // httpserver::Server::Start, such as FAILED_PRECONDITION if the port is taken.
  static absl::StatusOr<std::unique_ptr<WebhookHost>> Listen(
      httpserver::Handler& handler, const WebhookHostOptions& options = {});

  // Lets the embedded server call the handler without sockets and certificates, with the requests
  // that it would send over the network; also under SimRuntime.
  static std::unique_ptr<WebhookHost> InProcess(httpserver::Handler& handler,
                                                apiserver::ApiHandler& server);

  WebhookHost(Key, httpserver::Handler& handler, apiserver::ApiHandler* server);
  ~WebhookHost();
  WebhookHost(const WebhookHost&) = delete;
  WebhookHost& operator=(const WebhookHost&) = delete;

  // Leads a webhook to the handler, at the path that it names. After Listen, a reference to a
  // service becomes a URL of this host with the certificate of its authority. After InProcess the
  // reference stays, and the embedded server calls the handler for it. A configuration with a URL
  // stays as it is: it leads elsewhere.
  void Redirect(api::admissionregistration::v1::WebhookClientConfig& config);
  void Redirect(api::apiextensions::v1::WebhookClientConfig& config);

  // Returns the stanza of a definition whose objects the handler converts at `path`.
  api::apiextensions::v1::CustomResourceConversion Conversion(absl::string_view path = "/convert");

  // Return the base URL, such as "https://127.0.0.1:40123", and the certificate of its authority in
  // PEM; both are empty after InProcess.
  const std::string& url() const { return url_; }
  const std::string& ca_certificate() const { return ca_certificate_; }

 private:
  // A service's path that the embedded server has a function for.
  struct Route {
    std::string namespace_name = {};
    std::string service = {};
    std::string path = {};
  };

  template <typename ConfigT>
  void RedirectAny(ConfigT& config);
  void Serve(Route route);

  std::string url_;
  std::string ca_certificate_;
  apiserver::ApiHandler* const api_;
  const std::shared_ptr<Calls> calls_;
  std::vector<Route> routes_;
  // Set by Listen. The threads of the pool call the handler until they have ended.
  std::unique_ptr<httpserver::ThreadPoolHandler> pool_;
  std::unique_ptr<httpserver::Server> server_;
};

}  // namespace kube::envtest

#endif  // ENVTEST_WEBHOOK_HOST_H_

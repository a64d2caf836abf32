#ifndef CLIENTSET_REST_INTERNAL_TRANSPORT_TESTING_H_
#define CLIENTSET_REST_INTERNAL_TRANSPORT_TESTING_H_

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/context.h"
#include "clientset/rest/http_message.h"
#include "clientset/rest/http_transport.h"
#include "net/certificates/certificate_authority.h"
#include "net/httpserver/exchange.h"
#include "net/httpserver/server.h"

// What the tests of the transport have in common.
namespace kube::rest::internal {

inline Context Soon() { return WithTimeout(Context(), absl::Seconds(30)); }

class FunctionHandler final : public httpserver::Handler {
 public:
  using Function = std::function<void(std::shared_ptr<httpserver::Exchange>)>;
  explicit FunctionHandler(Function function) : function_(std::move(function)) {}
  void Handle(std::shared_ptr<httpserver::Exchange> exchange) override {
    function_(std::move(exchange));
  }

 private:
  const Function function_;
};

// A server with a certificate for 127.0.0.1 and "localhost" unless told otherwise.
class TestServer {
 public:
  explicit TestServer(FunctionHandler::Function function, httpserver::ServerOptions options = {},
                      bool tls = true, certificates::CertificateOptions certificate = Local())
      : authority_(Value(certificates::CertificateAuthority::Make("test-ca"))),
        handler_(std::move(function)) {
    if (tls) {
      certificates::Certificate issued = Value(authority_.Issue(certificate));
      if (!options.tls) options.tls.emplace();
      options.tls->certificate_chain = issued.certificate;
      options.tls->private_key = issued.key;
      if (options.tls->client_auth != httpserver::ClientAuth::kNone) {
        options.tls->client_ca = authority_.certificate();
      }
    }
    server_ = Value(httpserver::Server::Start(options, handler_));
  }

  static certificates::CertificateOptions Local() {
    return {.common_name = "server", .dns_names = {"localhost"}, .ip_addresses = {"127.0.0.1"}};
  }

  httpserver::Server& server() { return *server_; }
  const certificates::CertificateAuthority& authority() const { return authority_; }
  std::string url(const std::string& target = "/") const { return server_->url() + target; }
  // Trusts the server's authority.
  ConnectionOptions connection() const { return {.ca_certificates = authority_.certificate()}; }

  template <typename T>
  static T Value(absl::StatusOr<T> result) {
    KUBE_CHECK(result.ok()) << result.status();
    return *std::move(result);
  }

 private:
  certificates::CertificateAuthority authority_;
  FunctionHandler handler_;
  std::unique_ptr<httpserver::Server> server_;
};

inline std::shared_ptr<HttpTransport> MakeTransport(const HttpTransportOptions& options = {}) {
  return TestServer::Value(MakeHttpTransport(options));
}

// The rest of the body.
inline absl::StatusOr<std::string> ReadAll(const Context& ctx, HttpResponse& response) {
  std::string all;
  while (true) {
    absl::StatusOr<std::string> piece = response.body->Read(ctx);
    if (!piece.ok()) return piece.status();
    if (piece->empty()) return all;
    all += *piece;
  }
}

// Sends a request and reads all of the answer.
inline absl::StatusOr<std::string> Get(HttpTransport& transport, HttpRequest request) {
  const Context ctx = Soon();
  absl::StatusOr<HttpResponse> response = transport.RoundTrip(ctx, std::move(request));
  if (!response.ok()) return response.status();
  return ReadAll(ctx, *response);
}

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_TRANSPORT_TESTING_H_

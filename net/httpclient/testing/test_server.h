#ifndef NET_HTTPCLIENT_TESTING_TEST_SERVER_H_
#define NET_HTTPCLIENT_TESTING_TEST_SERVER_H_

#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/context.h"
#include "net/certificates/certificate_authority.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/http_transport.h"
#include "net/httpclient/transport.h"
#include "net/httpserver/exchange.h"
#include "net/httpserver/server.h"

// Helpers for tests of the transport. A failure in them aborts the test program.
namespace kube::httpclient {

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

// A server with an authority of its own, which has issued its certificate; by default for 127.0.0.1
// and "localhost".
class TestServer {
 public:
  explicit TestServer(FunctionHandler::Function function, httpserver::ServerOptions options = {},
                      bool tls = true,
                      const certificates::CertificateOptions& certificate = Local());

  static certificates::CertificateOptions Local();

  httpserver::Server& server() { return *server_; }
  const certificates::CertificateAuthority& authority() const { return authority_; }
  std::string url(absl::string_view target = "/") const {
    return absl::StrCat(server_->url(), target);
  }
  // Returns options that trust the server's authority.
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

// Returns a context with a timeout that only a hanging test exceeds.
Context Soon();

std::shared_ptr<HttpTransport> MakeTransport(const HttpTransportOptions& options = {});

// Reads the rest of the body.
absl::StatusOr<std::string> ReadAll(const Context& ctx, HttpResponse& response);

// Sends a request and reads the complete response, with a timeout as of Soon.
absl::StatusOr<std::string> Get(Transport& transport, HttpRequest request);

// The open descriptors and the threads of this process.
struct ProcessResources {
  int descriptors = 0;
  int threads = 0;

  friend bool operator==(const ProcessResources&, const ProcessResources&) = default;
};
ProcessResources CountProcessResources();
std::ostream& operator<<(std::ostream& out, const ProcessResources& resources);

}  // namespace kube::httpclient

#endif  // NET_HTTPCLIENT_TESTING_TEST_SERVER_H_

#include "net/httpclient/testing/test_server.h"

#include <filesystem>
#include <iterator>
#include <memory>
#include <ostream>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "net/certificates/certificate_authority.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/http_transport.h"
#include "net/httpclient/transport.h"
#include "net/httpserver/server.h"

namespace kube::httpclient {
namespace {

// Counts the entries, including the descriptor that is used for counting.
int CountEntries(const char* folder) {
  return static_cast<int>(std::distance(std::filesystem::directory_iterator(folder),
                                        std::filesystem::directory_iterator()));
}

}  // namespace

TestServer::TestServer(FunctionHandler::Function function, httpserver::ServerOptions options,
                       bool tls, const certificates::CertificateOptions& certificate)
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

certificates::CertificateOptions TestServer::Local() {
  return {.common_name = "server", .dns_names = {"localhost"}, .ip_addresses = {"127.0.0.1"}};
}

Context Soon() { return WithTimeout(Context(), absl::Seconds(30)); }

std::shared_ptr<HttpTransport> MakeTransport(const HttpTransportOptions& options) {
  return TestServer::Value(MakeHttpTransport(options));
}

absl::StatusOr<std::string> ReadAll(const Context& ctx, HttpResponse& response) {
  std::string all;
  while (true) {
    KUBE_ASSIGN_OR_RETURN(const std::string piece, response.body->Read(ctx));
    if (piece.empty()) return all;
    all += piece;
  }
}

absl::StatusOr<std::string> Get(Transport& transport, HttpRequest request) {
  const Context ctx = Soon();
  KUBE_ASSIGN_OR_RETURN(HttpResponse response, transport.RoundTrip(ctx, std::move(request)));
  return ReadAll(ctx, response);
}

ProcessResources CountProcessResources() {
  return {.descriptors = CountEntries("/proc/self/fd"), .threads = CountEntries("/proc/self/task")};
}

std::ostream& operator<<(std::ostream& out, const ProcessResources& resources) {
  return out << resources.descriptors << " descriptors, " << resources.threads << " threads";
}

}  // namespace kube::httpclient

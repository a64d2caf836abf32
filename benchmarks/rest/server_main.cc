// server FOLDER: the server of tools/bench rest, on net/httpserver, with TLS, HTTP/2 and 1.1.
//
// Writes FOLDER/ca.pem, prints its URL, and ends when its standard input ends. All bodies are
// prepared from FOLDER/R.protobuf_envelope and FOLDER/R.json (see benchmarks/codec/data):
//   a path that ends in "/web"   a ConfigMap
//   any other                    a PodList
//   with "watch=true"            an ADDED for each pod, then the end
// in protobuf if the client accepts it and in JSON otherwise. Ignores everything else in a request.
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/scheme/encoder.h"
#include "apimachinery/scheme/media_type.h"
#include "benchmarks/codec/records.h"
#include "benchmarks/rest/watch_bodies.h"
#include "net/certificates/certificate_authority.h"
#include "net/httpserver/exchange.h"
#include "net/httpserver/server.h"
#include "net/httpserver/thread_pool_handler.h"

namespace kube::benchmarks {
namespace {

// The responses in one format.
struct Bodies {
  std::string media_type = {};
  std::string config_map = {};
  Records records = {};
  std::string events = {};
};

absl::StatusOr<Bodies> MakeBodies(const std::string& file, scheme::Format format) {
  Bodies bodies = {.media_type = std::string(scheme::MediaTypeOf(format))};
  const api::core::v1::ConfigMap config_map = {
      .metadata = {.name = "web",
                   .namespace_ = "default",
                   .uid = "8d2f0f3e-6f0c-4a63-9c4e-8b0b1c4f7a11",
                   .resource_version = "1234567",
                   .labels = {{"app", "web"}, {"tier", "frontend"}}},
      .data = {{"log-level", "info"}, {"upstream", "http://backend.default.svc:8080"}}};
  KUBE_ASSIGN_OR_RETURN(bodies.config_map,
                        scheme::Encode({"", "v1", "ConfigMap"}, config_map, format));
  KUBE_ASSIGN_OR_RETURN(bodies.records, OpenRecords(file));
  for (absl::string_view pod : bodies.records.pods) {
    AppendEvent(format, "ADDED", pod, bodies.events);
  }
  return bodies;
}

class BenchHandler {
 public:
  BenchHandler(Bodies protobuf, Bodies json)
      : protobuf_(std::move(protobuf)), json_(std::move(json)) {}

  void operator()(httpserver::Exchange& exchange) const {
    const httpserver::Request& request = exchange.request();
    const bool protobuf = absl::StrContains(request.headers.Get("accept").value_or(""), "protobuf");
    const Bodies& bodies = protobuf ? protobuf_ : json_;
    const http::Headers headers = {{"content-type", bodies.media_type}};
    if (absl::EndsWith(request.path(), "/web")) {
      return exchange.Respond({.headers = headers, .body = bodies.config_map});
    }
    if (!absl::StrContains(request.query(), "watch=true")) {
      exchange.Start(200, headers);
      if (Stream(exchange, bodies.records.list)) exchange.Finish();
      return;
    }
    exchange.Start(200, {{"content-type", absl::StrCat(bodies.media_type, ";stream=watch")}});
    if (Stream(exchange, bodies.events)) exchange.Finish();
  }

 private:
  const Bodies protobuf_;
  const Bodies json_;
};

absl::Status Serve(const std::string& folder) {
  KUBE_ASSIGN_OR_RETURN(Bodies protobuf, MakeBodies(absl::StrCat(folder, "/R.protobuf_envelope"),
                                                    scheme::Format::kProtobuf));
  KUBE_ASSIGN_OR_RETURN(Bodies json,
                        MakeBodies(absl::StrCat(folder, "/R.json"), scheme::Format::kJson));
  KUBE_ASSIGN_OR_RETURN(auto authority, certificates::CertificateAuthority::Make("bench"));
  KUBE_ASSIGN_OR_RETURN(auto certificate, authority.Issue({.ip_addresses = {"127.0.0.1"}}));
  std::ofstream(absl::StrCat(folder, "/ca.pem")) << authority.certificate();

  auto bench = std::make_shared<const BenchHandler>(std::move(protobuf), std::move(json));
  httpserver::ThreadPoolHandler handler(
      [bench](httpserver::Exchange& exchange) { (*bench)(exchange); }, {.threads = 2});
  KUBE_RETURN_IF_ERROR(handler.Start(Context()));
  const httpserver::TlsOptions tls = {.certificate_chain = certificate.certificate,
                                      .private_key = certificate.key};
  KUBE_ASSIGN_OR_RETURN(auto server, httpserver::Server::Start(
                                         {.tls = tls, .max_concurrent_streams = 1000}, handler));
  std::cout << server->url() << std::endl;
  std::string line;
  std::getline(std::cin, line);
  return absl::OkStatus();
}

}  // namespace
}  // namespace kube::benchmarks

int main(int argc, char* argv[]) {
  if (argc != 2) {
    std::cerr << "usage: server FOLDER\n";
    return 2;
  }
  const absl::Status status = kube::benchmarks::Serve(argv[1]);
  if (status.ok()) return 0;
  std::cerr << "serve: " << status.message() << "\n";
  return 1;
}

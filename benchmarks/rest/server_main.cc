// server FOLDER: what tools/bench rest talks to, on net/httpserver: TLS, HTTP/2 and 1.1.
//
// Writes FOLDER/ca.pem, prints its URL, and ends when its standard input does. All bodies are made
// before that, of FOLDER/R.protobuf_envelope and FOLDER/R.json (see benchmarks/codec/data):
//   a path that ends in "/web"   a ConfigMap
//   any other                    a PodList
//   with "watch=true"            an ADDED for each pod, then the end
// in protobuf for those that accept it, else in JSON. It looks at nothing else of a request.
#include <algorithm>
#include <cstddef>
#include <cstdint>
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
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/scheme/encoder.h"
#include "apimachinery/scheme/media_type.h"
#include "benchmarks/codec/records.h"
#include "net/certificates/certificate_authority.h"
#include "net/httpserver/exchange.h"
#include "net/httpserver/server.h"
#include "net/httpserver/thread_pool_handler.h"

namespace kube::benchmarks {
namespace {

// Of a message of protobuf: a member that is bytes.
std::string Member(int number, absl::string_view bytes) {
  std::string out(1, static_cast<char>(number << 3 | 2));
  uint64_t size = bytes.size();
  for (; size >= 0x80; size >>= 7) out.push_back(static_cast<char>(size | 0x80));
  out.push_back(static_cast<char>(size));
  absl::StrAppend(&out, bytes);
  return out;
}

// An event of a watch: four bytes of length, and a WatchEvent.
std::string ProtobufEvent(absl::string_view object) {
  const std::string event = absl::StrCat(Member(1, "ADDED"), Member(2, Member(1, object)));
  std::string frame;
  for (int shift = 24; shift >= 0; shift -= 8) {
    frame.push_back(static_cast<char>(event.size() >> shift));
  }
  return absl::StrCat(frame, event);
}

std::string JsonEvent(absl::string_view object) {
  return absl::StrCat("{\"type\":\"ADDED\",\"object\":", object, "}\n");
}

// What is answered in one format.
struct Bodies {
  std::string media_type = {};
  std::string config_map = {};
  Records records = {};
  std::string events = {};
};

absl::StatusOr<Bodies> MakeBodies(const std::string& file, scheme::Format format,
                                  std::string (*event)(absl::string_view)) {
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
  for (absl::string_view pod : bodies.records.pods) absl::StrAppend(&bodies.events, event(pod));
  return bodies;
}

// Writes as fast as the client takes it.
void Stream(httpserver::Exchange& exchange, absl::string_view body) {
  constexpr size_t kPiece = size_t{256} << 10;
  constexpr size_t kAhead = size_t{4} << 20;
  for (; !body.empty(); body.remove_prefix(std::min(kPiece, body.size()))) {
    while (exchange.buffered_bytes() > kAhead) {
      if (!base::SleepFor(exchange.context(), absl::Microseconds(200)).ok()) return;
    }
    if (!exchange.Write(std::string(body.substr(0, kPiece)))) return;
  }
  exchange.Finish();
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
      return Stream(exchange, bodies.records.list);
    }
    exchange.Start(200, {{"content-type", absl::StrCat(bodies.media_type, ";stream=watch")}});
    Stream(exchange, bodies.events);
  }

 private:
  const Bodies protobuf_;
  const Bodies json_;
};

absl::Status Serve(const std::string& folder) {
  KUBE_ASSIGN_OR_RETURN(Bodies protobuf, MakeBodies(absl::StrCat(folder, "/R.protobuf_envelope"),
                                                    scheme::Format::kProtobuf, ProtobufEvent));
  KUBE_ASSIGN_OR_RETURN(
      Bodies json, MakeBodies(absl::StrCat(folder, "/R.json"), scheme::Format::kJson, JsonEvent));
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

// server FOLDER: the server of tools/bench informer, on net/httpserver, with TLS and HTTP/2 or 1.1.
//
// Writes FOLDER/kubeconfig, prints its URL, and ends when its standard input ends. Serves the pods
// of FOLDER/R.protobuf_envelope and FOLDER/R.json (see benchmarks/codec/data) for all namespaces,
// in protobuf if the client accepts it and in JSON otherwise:
//   /api/v1/pods                        the list, in one piece
//   …?watch=true&sendInitialEvents=true an ADDED for each pod, the bookmark, then the updates
//   …?watch=true                        the updates
//   /bench/start?events=K&rate=R        answers when a watch is ready for updates, and starts them:
//                                       K MODIFIED of different pods, R per second or (0) as fast
//                                       as the client reads, then an ADDED of a pod "bench-end"
// Ignores everything else in a request. Only one watch at a time gets updates.
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/codec/decode_protobuf.h"
#include "apimachinery/queryparams/values.h"
#include "apimachinery/scheme/encoder.h"
#include "apimachinery/scheme/media_type.h"
#include "apiserver/kubeconfig_text.h"
#include "benchmarks/codec/records.h"
#include "benchmarks/informer/pod_template.h"
#include "benchmarks/rest/watch_bodies.h"
#include "net/certificates/certificate_authority.h"
#include "net/httpserver/exchange.h"
#include "net/httpserver/server.h"
#include "net/httpserver/thread_pool_handler.h"

namespace kube::benchmarks {
namespace {

namespace corev1 = api::core::v1;

constexpr int64_t kFirstVersion = 2'000'000'000;  // version of lists; updates have later ones
// Distance between successive updated pods: a prime, so that each pod is updated in turn, in the
// same order for every client.
constexpr size_t kStride = 7919;
constexpr size_t kBatchBytes = size_t{64} << 10;

// The updates requested by /bench/start.
struct Updates {
  int64_t count = 0;
  double rate = 0;
};

// The data in one format.
class Pods {
 public:
  static absl::StatusOr<Pods> Make(scheme::Format format, const std::string& file,
                                   const std::vector<corev1::Pod>& pods) {
    Pods made;
    made.format_ = format;
    KUBE_ASSIGN_OR_RETURN(made.records_, OpenRecords(file));
    for (const corev1::Pod& pod : pods) {
      KUBE_ASSIGN_OR_RETURN(PodTemplate one, PodTemplate::Make(pod, format));
      made.templates_.push_back(std::move(one));
    }
    corev1::Pod mark = {.metadata = {.resource_version = absl::StrCat(kFirstVersion),
                                     .annotations = {{"k8s.io/initial-events-end", "true"}}}};
    corev1::Pod end = pods.front();
    end.metadata.name = "bench-end";
    KUBE_RETURN_IF_ERROR(made.AppendPod("BOOKMARK", mark, made.bookmark_));
    KUBE_RETURN_IF_ERROR(made.AppendPod("ADDED", end, made.end_));
    return made;
  }

  scheme::Format format() const { return format_; }
  absl::string_view list() const { return records_.list; }

  // Sends all pods and the bookmark. Returns false if the client has stopped reading.
  bool SendInitial(httpserver::Exchange& exchange) const {
    std::string batch;
    for (absl::string_view pod : records_.pods) {
      AppendEvent(format_, "ADDED", pod, batch);
      if (batch.size() < kBatchBytes) continue;
      if (!Stream(exchange, batch)) return false;
      batch.clear();
    }
    return Stream(exchange, absl::StrCat(batch, bookmark_));
  }

  // Sends the updates. Returns false if the client has stopped reading.
  bool Send(const Updates& updates, httpserver::Exchange& exchange) {
    const base::MonotonicTime start = base::Runtime::Real().Now();
    std::string batch;
    for (int64_t i = 0; i < updates.count; ++i) {
      if (updates.rate > 0) {
        const absl::Duration due = absl::Seconds(static_cast<double>(i) / updates.rate);
        if (!base::SleepUntil(exchange.context(), start + due).ok()) return false;
      }
      PodTemplate& pod = templates_[static_cast<size_t>(i) * kStride % templates_.size()];
      pod.Update(kFirstVersion + 1 + i, absl::ToUnixNanos(base::Runtime::Real().WallNow()));
      AppendEvent(format_, "MODIFIED", pod.bytes(), batch);
      if (updates.rate == 0 && batch.size() < kBatchBytes) continue;
      if (!Stream(exchange, batch)) return false;
      batch.clear();
    }
    return Stream(exchange, absl::StrCat(batch, end_));
  }

 private:
  absl::Status AppendPod(absl::string_view type, const corev1::Pod& pod, std::string& out) const {
    KUBE_ASSIGN_OR_RETURN(const std::string bytes, scheme::Encode({"", "v1", "Pod"}, pod, format_));
    AppendEvent(format_, type, absl::StripSuffix(bytes, "\n"), out);
    return absl::OkStatus();
  }

  scheme::Format format_ = scheme::Format::kJson;
  Records records_;
  std::vector<PodTemplate> templates_;
  std::string bookmark_;
  std::string end_;
};

// Hands updates over from /bench/start to a waiting watch. Thread-safe.
class Turnstile {
 public:
  // Blocks until a watch is waiting, and hands the updates over to it.
  absl::Status Start(const Context& ctx, const Updates& updates) ABSL_LOCKS_EXCLUDED(mutex_) {
    base::MutexLock lock(mutex_);
    KUBE_RETURN_IF_ERROR(changed_.Wait(
        ctx, mutex_, [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return waiting_ > 0; }));
    updates_.push_back(updates);
    changed_.NotifyAll();
    return absl::OkStatus();
  }

  // Blocks until there are updates to send.
  absl::StatusOr<Updates> Await(const Context& ctx) ABSL_LOCKS_EXCLUDED(mutex_) {
    base::MutexLock lock(mutex_);
    ++waiting_;
    changed_.NotifyAll();
    const absl::Status status = changed_.Wait(
        ctx, mutex_, [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return !updates_.empty(); });
    --waiting_;
    KUBE_RETURN_IF_ERROR(status);
    const Updates next = updates_.back();
    updates_.pop_back();
    return next;
  }

 private:
  base::Mutex mutex_;
  base::CondVar changed_;
  int waiting_ ABSL_GUARDED_BY(mutex_) = 0;
  std::vector<Updates> updates_ ABSL_GUARDED_BY(mutex_);
};

class BenchHandler {
 public:
  BenchHandler(Pods protobuf, Pods json) : protobuf_(std::move(protobuf)), json_(std::move(json)) {}

  void Handle(httpserver::Exchange& exchange) {
    const httpserver::Request& request = exchange.request();
    const queryparams::Values query = queryparams::ParseQuery(request.query());
    const auto value = [&query](absl::string_view name) -> std::string {
      const auto found = query.find(name);
      return found == query.end() || found->second.empty() ? "" : found->second[0];
    };
    if (request.path() == "/bench/start") {
      Updates updates;
      if (!absl::SimpleAtoi(value("events"), &updates.count) ||
          !absl::SimpleAtod(value("rate"), &updates.rate)) {
        return exchange.Respond({.status = 400});
      }
      return StartUpdates(updates, exchange);
    }
    const bool accepts = absl::StrContains(request.headers.Get("accept").value_or(""), "protobuf");
    Pods& pods = accepts ? protobuf_ : json_;
    const std::string media_type(scheme::MediaTypeOf(pods.format()));
    if (value("watch") != "true") {
      exchange.Start(200, {{"content-type", media_type}});
      if (Stream(exchange, pods.list())) exchange.Finish();
      return;
    }
    exchange.Start(200, {{"content-type", absl::StrCat(media_type, ";stream=watch")}});
    if (value("sendInitialEvents") == "true" && !pods.SendInitial(exchange)) return;
    while (true) {
      const absl::StatusOr<Updates> updates = turnstile_.Await(exchange.context());
      if (!updates.ok() || !pods.Send(*updates, exchange)) return;
    }
  }

 private:
  void StartUpdates(const Updates& updates, httpserver::Exchange& exchange) {
    const Context ctx = WithTimeout(exchange.context(), absl::Seconds(20));
    if (!turnstile_.Start(ctx, updates).ok()) return exchange.Respond({.status = 503});
    exchange.Respond({.headers = {{"content-type", "application/json"}}, .body = "{}"});
  }

  Pods protobuf_;
  Pods json_;
  Turnstile turnstile_;
};

absl::Status Serve(const std::string& folder) {
  const std::string protobuf_file = absl::StrCat(folder, "/R.protobuf_envelope");
  KUBE_ASSIGN_OR_RETURN(const Records records, OpenRecords(protobuf_file));
  std::vector<corev1::Pod> decoded;
  for (absl::string_view record : records.pods) {
    KUBE_ASSIGN_OR_RETURN(corev1::Pod pod, codec::DecodeKubernetesProtobuf<corev1::Pod>(record));
    decoded.push_back(std::move(pod));
  }
  KUBE_ASSIGN_OR_RETURN(Pods protobuf,
                        Pods::Make(scheme::Format::kProtobuf, protobuf_file, decoded));
  KUBE_ASSIGN_OR_RETURN(
      Pods json, Pods::Make(scheme::Format::kJson, absl::StrCat(folder, "/R.json"), decoded));
  decoded.clear();
  KUBE_ASSIGN_OR_RETURN(auto authority, certificates::CertificateAuthority::Make("bench"));
  KUBE_ASSIGN_OR_RETURN(auto certificate, authority.Issue({.ip_addresses = {"127.0.0.1"}}));

  BenchHandler bench(std::move(protobuf), std::move(json));
  httpserver::ThreadPoolHandler handler(
      [&bench](httpserver::Exchange& exchange) { bench.Handle(exchange); }, {.threads = 4});
  KUBE_RETURN_IF_ERROR(handler.Start(Context()));
  const httpserver::TlsOptions tls = {.certificate_chain = certificate.certificate,
                                      .private_key = certificate.key};
  KUBE_ASSIGN_OR_RETURN(auto server, httpserver::Server::Start({.tls = tls}, handler));
  std::ofstream(absl::StrCat(folder, "/kubeconfig"))
      << apiserver::KubeconfigText(server->url(), authority.certificate(), "token");
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

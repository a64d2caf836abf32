// embed_in_service [--kubeconfig FILE]: a service with its own threads, logs and metrics uses one
// client for all threads, with a deadline for each request, an additional request header and its
// own metrics registry.
//
//   8 threads asked 25 times each: 200 answers
//   rest_client_requests_total{code="200",…} 200
#include <atomic>
#include <iostream>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/prometheus.h"
#include "apimachinery/base/random.h"
#include "apimachinery/base/status.h"
#include "clientset/clientcmd/flags.h"
#include "clientset/clientcmd/load_config.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/rest/config.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/transport.h"

namespace corev1 = kube::api::core::v1;

namespace {

constexpr int kThreads = 8;
constexpr int kQuestions = 25;

// Gives each request an id that also appears in the server's audit log.
class RequestIds final : public kube::httpclient::Transport {
 public:
  explicit RequestIds(std::shared_ptr<kube::httpclient::Transport> next) : next_(std::move(next)) {}

  absl::StatusOr<kube::httpclient::HttpResponse> RoundTrip(
      const kube::Context& ctx, kube::httpclient::HttpRequest request) override {
    request.headers.Set("audit-id", kube::base::RandomString(16));
    return next_->RoundTrip(ctx, std::move(request));
  }
  void CloseIdleConnections() override { next_->CloseIdleConnections(); }

 private:
  const std::shared_ptr<kube::httpclient::Transport> next_;
};

// Runs on each thread of the service, whatever kind of thread it uses.
int Ask(const corev1::NamespaceClient& namespaces) {
  int answers = 0;
  for (int i = 0; i < kQuestions; ++i) {
    const kube::Context ctx = kube::WithTimeout(kube::Context(), absl::Seconds(10));
    const absl::Status status = namespaces.Get(ctx, "default").status();
    if (status.ok()) ++answers;
    if (!status.ok()) std::cerr << status.message() << "\n";
  }
  return answers;
}

absl::Status Run() {
  KUBE_ASSIGN_OR_RETURN(kube::rest::Config config,
                        kube::clientcmd::LoadDefaultConfig(kube::clientcmd::FlagOptions()));
  auto metrics = std::make_shared<kube::base::PrometheusRegistry>();
  config.metrics = metrics;
  kube::rest::Wrap(config, [](std::shared_ptr<kube::httpclient::Transport> next) {
    return std::make_shared<RequestIds>(std::move(next));
  });
  KUBE_ASSIGN_OR_RETURN(const auto client, kube::kubernetes::Clientset::Make(config));
  const corev1::NamespaceClient namespaces = client.CoreV1().Namespaces();

  std::atomic<int> answers = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&namespaces, &answers] { answers += Ask(namespaces); });
  }
  for (std::thread& thread : threads) thread.join();

  std::cout << kThreads << " threads asked " << kQuestions << " times each: " << answers
            << " answers\n";
  const std::string text = metrics->Render();
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    if (absl::StartsWith(line, "rest_client_requests_total{")) std::cout << line << "\n";
  }
  if (answers != kThreads * kQuestions) return absl::UnavailableError("not all were answered");
  return absl::OkStatus();
}

}  // namespace

int main(int argc, char** argv) {
  kube::clientcmd::ParseCommandLine(argc, argv);
  const absl::Status status = Run();
  if (!status.ok()) std::cerr << status.message() << "\n";
  return status.ok() ? 0 : 1;
}

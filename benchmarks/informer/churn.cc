#include "benchmarks/informer/churn.h"

#include <cstdint>
#include <filesystem>
#include <iterator>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/wait.h"
#include "apiserver/api_server.h"
#include "benchmarks/informer/process.h"
#include "clientset/rest/client.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/typed_client.h"
#include "envtest/environment.h"
#include "informers/event_handler.h"
#include "informers/shared_informer.h"
#include "informers/shared_informer_factory_core.h"

namespace kube::benchmarks {
namespace {

namespace corev1 = kube::api::core::v1;
using ConfigMaps = typed::TypedClient<corev1::ConfigMap, corev1::ConfigMapList>;

constexpr typed::Resource kConfigMaps = {
    .version = "v1", .plural = "configmaps", .kind = "ConfigMap", .built_in = true};
constexpr typed::Resource kSecrets = {
    .version = "v1", .plural = "secrets", .kind = "Secret", .built_in = true};

constexpr int64_t kNewFactoryEvery = 10;
constexpr absl::Duration kPatience = absl::Minutes(1);

ChurnSample Measure(int64_t rounds) {
  return {
      .rounds = rounds,
      .heap_bytes = HeapBytes(),
      .rss_kb = ProcessStatus("VmRSS"),
      .threads = ProcessStatus("Threads"),
      .descriptors = std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {}) - 1};
}

absl::Status CreateObjects(const apiserver::ApiServer& server, int64_t objects) {
  KUBE_ASSIGN_OR_RETURN(rest::Client client, rest::MakeClient(envtest::ConfigOf(server)));
  const ConfigMaps maps = ConfigMaps(client, kConfigMaps).Namespace("default");
  const auto secrets =
      typed::TypedClient<corev1::Secret, corev1::SecretList>(client, kSecrets).Namespace("default");
  for (int64_t i = 0; i < objects; ++i) {
    const corev1::ConfigMap map = {.metadata = {.name = absl::StrCat("map-", i)},
                                   .data = {{"key", absl::StrCat("value-", i)}}};
    KUBE_RETURN_IF_ERROR(maps.Create(Context(), map).status());
    const corev1::Secret secret = {.metadata = {.name = absl::StrCat("secret-", i)}};
    KUBE_RETURN_IF_ERROR(secrets.Create(Context(), secret).status());
  }
  return absl::OkStatus();
}

// Adds two informers to the factory, and removes them when they have synced.
absl::Status Round(informers::SharedInformerFactoryCore& factory) {
  auto& maps = factory.InformerFor<corev1::ConfigMap, corev1::ConfigMapList>(kConfigMaps);
  auto& secrets = factory.InformerFor<corev1::Secret, corev1::SecretList>(kSecrets);
  KUBE_RETURN_IF_ERROR(
      maps.AddEventHandler({.on_add = [](const informers::AddEvent<corev1::ConfigMap>&) {}})
          .status());
  KUBE_RETURN_IF_ERROR(
      secrets.AddEventHandler({.on_add = [](const informers::AddEvent<corev1::Secret>&) {}})
          .status());
  KUBE_RETURN_IF_ERROR(factory.Start(Context()));
  KUBE_RETURN_IF_ERROR(factory.WaitForCacheSync(WithTimeout(Context(), kPatience)));
  factory.Remove(maps);
  factory.Remove(secrets);
  return absl::OkStatus();
}

// Waits until the server has noticed that the watches of the removed informers are over.
absl::Status AwaitNoWatches(apiserver::ApiServer& server) {
  return base::PollUntilTimeout(Context(), absl::Milliseconds(5), kPatience,
                                base::FirstPoll::kAtOnce,
                                [&server](const Context&) -> absl::StatusOr<bool> {
                                  return server.handler().watches() == 0;
                                });
}

// Waits until the process has no more threads than before, or does not seem to get there: the
// kernel may count a thread for a moment after it was joined.
void AwaitThreads(int64_t at_most) {
  base::PollUntilTimeout(Context(), absl::Milliseconds(1), absl::Seconds(1),
                         base::FirstPoll::kAtOnce,
                         [at_most](const Context&) -> absl::StatusOr<bool> {
                           return ProcessStatus("Threads") <= at_most;
                         })
      .IgnoreError();
}

}  // namespace

absl::StatusOr<std::vector<ChurnSample>> ChurnInformers(const ChurnOptions& options) {
  if (options.rounds <= 0 || options.sample_every <= 0) {
    return absl::InvalidArgumentError("churn informers: no rounds");
  }
  apiserver::ApiServerOptions server_options = {.tls = false};
  server_options.handler.max_logged_requests = 10;
  KUBE_ASSIGN_OR_RETURN(const std::unique_ptr<apiserver::ApiServer> server,
                        apiserver::ApiServer::Start(server_options));
  KUBE_RETURN_IF_ERROR(CreateObjects(*server, options.objects));
  KUBE_ASSIGN_OR_RETURN(rest::Client client, rest::MakeClient(envtest::ConfigOf(*server)));
  std::vector<ChurnSample> samples;
  std::unique_ptr<informers::SharedInformerFactoryCore> factory;
  for (int64_t round = 1; round <= options.rounds; ++round) {
    if (factory == nullptr || round % kNewFactoryEvery == 0) {
      factory = std::make_unique<informers::SharedInformerFactoryCore>(client);
    }
    KUBE_RETURN_IF_ERROR(Round(*factory));
    if (round % options.sample_every != 0) continue;
    KUBE_RETURN_IF_ERROR(AwaitNoWatches(*server));
    if (!samples.empty()) AwaitThreads(samples.back().threads);
    samples.push_back(Measure(round));
    if (options.on_sample != nullptr) options.on_sample(samples.back());
  }
  return samples;
}

absl::Status CheckFlat(const std::vector<ChurnSample>& samples) {
  if (samples.size() < 5) return absl::InvalidArgumentError("too few samples");
  // The first rounds fill pools and caches.
  const ChurnSample& from = samples[samples.size() / 5];
  const ChurnSample& to = samples.back();
  if (to.threads > from.threads) {
    return absl::InternalError(
        absl::StrCat("threads have piled up: from ", from.threads, " to ", to.threads));
  }
  // A connection may just be opened or closed.
  if (to.descriptors > from.descriptors + 2) {
    return absl::InternalError(
        absl::StrCat("descriptors have piled up: from ", from.descriptors, " to ", to.descriptors));
  }
  if (to.heap_bytes > from.heap_bytes + from.heap_bytes / 10 + (int64_t{1} << 20)) {
    return absl::InternalError(absl::StrCat("the heap has grown: from ", from.heap_bytes, " to ",
                                            to.heap_bytes, " bytes"));
  }
  return absl::OkStatus();
}

}  // namespace kube::benchmarks

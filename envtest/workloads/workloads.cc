#include "envtest/workloads/workloads.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/backoff.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/wait.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "clientset/rest/warnings.h"
#include "envtest/workloads/container_restart.h"
#include "envtest/workloads/internal/cluster/cluster.h"
#include "envtest/workloads/internal/cluster/events.h"
#include "envtest/workloads/internal/cluster/outcome.h"
#include "envtest/workloads/internal/controllers.h"
#include "envtest/workloads/internal/nodes/container_restarts.h"
#include "envtest/workloads/internal/nodes/node_agent.h"
#include "envtest/workloads/workloads_options.h"

namespace kube::envtest {

namespace corev1 = api::core::v1;

namespace {

// Delays before failed writes are retried, unless something changes earlier.
constexpr base::Backoff kRetry = {
    .duration = absl::Milliseconds(50), .factor = 2, .steps = 1000, .cap = absl::Seconds(5)};

}  // namespace

struct Workloads::Impl {
  Impl(const rest::Client& client, WorkloadsOptions workloads_options)
      : options(std::move(workloads_options)),
        cluster(client, options.controllers, [this] { Wake(); }),
        events(client),
        controllers(cluster, events),
        nodes(cluster, events, options) {}

  void Wake() {
    {
      base::MutexLock lock(mutex);
      changed = true;
    }
    woken.NotifyAll();
  }

  // A single thread does everything, so that no plan is based on what another thread is changing.
  absl::Status Run(const Context& ctx) {
    base::Backoff backoff = kRetry;
    absl::Duration wait = absl::InfiniteDuration();
    while (true) {
      {
        const base::MonotonicTime until = base::Now() + wait;
        base::MutexLock lock(mutex);
        (void)woken.WaitUntil(ctx, mutex, until,
                              [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex) { return changed; });
        if (ctx.done()) return absl::OkStatus();
        changed = false;
      }
      wait = absl::InfiniteDuration();
      if (!cluster.synced()) continue;
      envtest::internal::Outcome outcome;
      if (options.controllers) controllers.Sync(ctx, outcome);
      nodes.Sync(ctx, outcome);
      wait = std::max(outcome.again(), absl::ZeroDuration());
      if (outcome.failed()) {
        wait = std::min(wait, backoff.Step());
      } else {
        backoff = kRetry;
      }
    }
  }

  const WorkloadsOptions options;
  base::Mutex mutex;
  base::CondVar woken;
  bool changed ABSL_GUARDED_BY(mutex) = false;
  envtest::internal::Cluster cluster;
  envtest::internal::Events events;
  envtest::internal::Controllers controllers;
  envtest::internal::NodeAgent nodes;
  // Declared last: the threads use everything above.
  base::ThreadGroup threads{Context()};
};

absl::StatusOr<std::unique_ptr<Workloads>> Workloads::Start(rest::Config config,
                                                            WorkloadsOptions options) {
  if (config.user_agent.empty()) config.user_agent = "envtest-workloads";
  // Endpoints are deprecated, which need not be told in each test.
  if (config.warning_handler == nullptr) config.warning_handler = rest::NoWarnings();
  KUBE_ASSIGN_OR_RETURN(const rest::Client client, rest::MakeClient(std::move(config)));
  auto impl = std::make_unique<Impl>(client, std::move(options));
  impl->cluster.Start(impl->threads);
  impl->threads.Go("workloads", [raw = impl.get()](const Context& ctx) { return raw->Run(ctx); });
  // If one thread could not be started, the others are stopped.
  if (impl->threads.context().done()) return impl->threads.Wait();
  return std::make_unique<Workloads>(Key(), std::move(impl));
}

absl::Status Workloads::RestartContainer(const Context& ctx, absl::string_view namespace_name,
                                         absl::string_view pod, absl::string_view container,
                                         const ContainerRestart& restart) {
  const auto pods = impl_->cluster.pods.client().Namespace(namespace_name);
  // Each step is a separate write, so that watchers see all of them.
  const auto write = [&](absl::FunctionRef<absl::Status(corev1::Pod&, absl::Time)> change) {
    const auto edit = [&](corev1::Pod& object) { return change(object, base::WallNow()); };
    return base::Annotate(pods.Edit(ctx, pod, edit, {.subresource = "status"}).status(),
                          "restart container");
  };
  KUBE_RETURN_IF_ERROR(write([&](corev1::Pod& object, absl::Time now) {
    return envtest::internal::EndContainer(object, container, restart, now);
  }));
  if (restart.back_off > absl::ZeroDuration()) {
    KUBE_RETURN_IF_ERROR(write([&](corev1::Pod& object, absl::Time now) {
      return envtest::internal::BackOffContainer(object, container, restart, now);
    }));
    KUBE_RETURN_IF_ERROR(base::SleepFor(ctx, restart.back_off), "restart container");
  }
  return write([&](corev1::Pod& object, absl::Time now) {
    return envtest::internal::StartContainerAgain(object, container, now);
  });
}

Workloads::Workloads(Key, std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Workloads::~Workloads() = default;

}  // namespace kube::envtest

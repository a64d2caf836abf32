#include "controller/manager/manager.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/metrics.h"
#include "apimachinery/base/prometheus.h"
#include "apimachinery/base/status.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "controller/cache/cache.h"
#include "controller/cache/required_access.h"
#include "controller/events/event_object.h"
#include "controller/events/record/event_broadcaster.h"
#include "controller/events/record/event_recorder.h"
#include "controller/manager/internal/endpoints.h"
#include "controller/manager/internal/manager_core.h"
#include "controller/manager/internal/own_access.h"
#include "controller/manager/internal/request_meter.h"
#include "controller/manager/managed_controller.h"
#include "controller/manager/manager_options.h"
#include "controller/manager/manager_status.h"
#include "controller/manager/runnable.h"
#include "net/httpclient/transport.h"

namespace kube::controller {
namespace {

// Checks the options and fills in what has no value.
absl::Status Complete(ManagerOptions& options) {
  if (options.name.empty()) return absl::InvalidArgumentError("make manager: it needs a name");
  const absl::Duration timeouts[] = {options.drain_timeout, options.stop_timeout};
  for (const absl::Duration timeout : timeouts) {
    if (timeout >= absl::ZeroDuration()) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("make manager \"", options.name, "\": negative drain or stop timeout"));
  }
  if (options.start_timeout <= absl::ZeroDuration()) {
    return absl::InvalidArgumentError(
        absl::StrCat("make manager \"", options.name, "\": start_timeout must be positive"));
  }
  if (options.registry == nullptr) options.registry = std::make_shared<base::PrometheusRegistry>();
  return absl::OkStatus();
}

}  // namespace

class Manager::Impl {
 public:
  explicit Impl(std::unique_ptr<internal::ManagerCore> made) : core(std::move(made)) {}

  // `meter` counts the requests of the clients, or is null.
  static absl::StatusOr<std::unique_ptr<Manager>> MakeManager(
      rest::Client client, ManagerOptions options, rest::Client lease_client,
      rest::Client review_client, std::shared_ptr<const internal::RequestMeter> meter) {
    const std::string name = options.name;
    KUBE_ASSIGN_OR_RETURN(
        std::unique_ptr<internal::ManagerCore> made,
        internal::ManagerCore::Make(std::move(client), std::move(options), std::move(lease_client),
                                    std::move(review_client), std::move(meter)),
        "make manager \"", name, "\"");
    return std::make_unique<Manager>(Key(), std::make_unique<Impl>(std::move(made)));
  }

  const std::unique_ptr<internal::ManagerCore> core;
};

absl::StatusOr<std::unique_ptr<Manager>> Manager::Make(const rest::Config& config,
                                                       ManagerOptions options) {
  KUBE_RETURN_IF_ERROR(Complete(options));
  rest::Config with_metrics = config;
  if (with_metrics.metrics == base::NoOpMetrics()) with_metrics.metrics = options.registry;
  const auto meter = std::make_shared<internal::RequestMeter>();
  rest::Wrap(with_metrics, [meter](std::shared_ptr<httpclient::Transport> below) {
    return internal::MakeMeteredTransport(std::move(below), meter);
  });
  KUBE_ASSIGN_OR_RETURN(rest::Client client, rest::MakeClient(with_metrics), "make manager \"",
                        options.name, "\"");
  rest::Client lease_client = client;
  if (options.leader_election.has_value()) {
    rest::Config unlimited = with_metrics;
    unlimited.qps = 0;
    unlimited.burst = 0;
    unlimited.rate_limiter = nullptr;
    KUBE_ASSIGN_OR_RETURN(lease_client, rest::MakeClient(unlimited), "make manager \"",
                          options.name, "\"");
  }
  rest::Client review_client = client;
  if (internal::ReviewsTokens(options)) {
    with_metrics.rate_limiter = nullptr;
    KUBE_ASSIGN_OR_RETURN(review_client, rest::MakeClient(with_metrics), "make manager \"",
                          options.name, "\"");
  }
  return Impl::MakeManager(std::move(client), std::move(options), std::move(lease_client),
                           std::move(review_client), meter);
}

absl::StatusOr<std::unique_ptr<Manager>> Manager::MakeWithClient(
    rest::Client client, ManagerOptions options, std::optional<rest::Client> lease_client) {
  KUBE_RETURN_IF_ERROR(Complete(options));
  rest::Client for_lease = lease_client.has_value() ? *std::move(lease_client) : client;
  rest::Client for_reviews = client;
  return Impl::MakeManager(std::move(client), std::move(options), std::move(for_lease),
                           std::move(for_reviews), nullptr);
}

Manager::Manager(Key, std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Manager::~Manager() = default;

absl::Status Manager::Run(const Context& ctx) { return impl_->core->Run(ctx); }

absl::Status Manager::Add(std::string name, std::function<absl::Status(const Context&)> run,
                          RunnableOptions options) {
  return impl_->core->Add(std::move(name), std::move(run), options);
}

void Manager::BeforeWork(std::function<absl::Status(const Context&)> init) {
  impl_->core->BeforeWork(std::move(init));
}

absl::Status Manager::Register(ManagedController& controller) {
  return impl_->core->Register(controller);
}

void Manager::Unregister(ManagedController& controller) { impl_->core->Unregister(controller); }

absl::StatusOr<Cache*> Manager::AddCluster(const rest::Config& config, ClusterOptions options) {
  rest::Config with_metrics = config;
  if (with_metrics.metrics == base::NoOpMetrics()) {
    with_metrics.metrics = impl_->core->options().registry;
  }
  KUBE_ASSIGN_OR_RETURN(rest::Client client, rest::MakeClient(with_metrics), "add cluster \"",
                        options.name, "\"");
  return AddCluster(std::move(client), std::move(options));
}

absl::StatusOr<Cache*> Manager::AddCluster(rest::Client client, ClusterOptions options) {
  return impl_->core->AddCluster(std::move(client), std::move(options.name),
                                 std::move(options.cache));
}

const std::string& Manager::name() const { return impl_->core->options().name; }
Cache& Manager::cache() { return impl_->core->cache(); }
const rest::Client& Manager::client() const { return impl_->core->client(); }
const ControllerDefaults& Manager::controllers() const {
  return impl_->core->options().controllers;
}
base::PrometheusRegistry& Manager::registry() { return *impl_->core->options().registry; }
webhook::Server& Manager::webhooks() { return impl_->core->webhooks(); }
record::EventRecorder& Manager::recorder() { return impl_->core->recorder(); }

std::unique_ptr<record::EventRecorder> Manager::NewRecorder(absl::string_view component,
                                                            events::ObjectKinds kinds) {
  api::core::v1::EventSource source;
  source.component = component;
  return impl_->core->broadcaster().NewRecorder(std::move(kinds), std::move(source));
}

void Manager::RequireAccess(RequiredAccess access) {
  impl_->core->cache().RequireAccess(std::move(access));
}

std::vector<RequiredAccess> Manager::RequiredRules() const {
  return internal::AllAccess(impl_->core->options(), impl_->core->webhooks().registrations(),
                             impl_->core->cache().required_access());
}

ManagerStatus Manager::status() const { return impl_->core->status(); }
std::string Manager::health_url() const { return impl_->core->endpoints().health_url(); }
std::string Manager::metrics_url() const { return impl_->core->endpoints().metrics_url(); }

}  // namespace kube::controller

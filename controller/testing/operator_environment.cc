#include "controller/testing/operator_environment.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apiserver/handler.h"
#include "clientset/rest/client.h"
#include "controller/manager/manager.h"
#include "controller/manager/manager_options.h"
#include "controller/manager/manager_status.h"
#include "envtest/crds.h"
#include "envtest/in_process_transport.h"
#include "envtest/service_account.h"
#include "envtest/webhook_host.h"
#include "envtest/webhooks.h"
#include "net/httpserver/exchange.h"
#include "webhook/manifests.h"
#include "webhook/registration.h"
#include "webhook/server.h"

namespace kube::controller {
namespace {

constexpr absl::Duration kPollInterval = absl::Milliseconds(10);
// How long each of the steps before and after the run of the manager may take.
constexpr absl::Duration kStepTimeout = absl::Minutes(1);

Context ForAStep() { return WithTimeout(Context(), kStepTimeout); }

ManagerOptions Completed(ManagerOptions options) {
  if (options.name.empty()) options.name = "operator";
  if (options.health.has_value() && options.health->port != 0) options.health.reset();
  options.webhooks.listen = false;
  options.webhooks.self_signed.reset();
  return options;
}

// Returns the first phase that does not run, and what it waits for; "" if all run. With `caches`
// the same for informers that have not synced.
std::string WhatIsMissing(const ManagerStatus& status, bool caches) {
  for (const PhaseStatus& phase : status.phases) {
    if (phase.state == "running") continue;
    return absl::StrCat("phase \"", phase.name, "\" is ", phase.state,
                        phase.waits_for.empty() ? "" : ", it waits for ", phase.waits_for);
  }
  for (const InformerStatus& informer : status.informers) {
    if (!caches || informer.synced) continue;
    return absl::StrCat("informer \"", informer.resource,
                        "\" has not synced: ", informer.why_not_synced);
  }
  return "";
}

}  // namespace

absl::StatusOr<std::unique_ptr<OperatorEnvironment>> OperatorEnvironment::Make(
    OperatorEnvironmentOptions options) {
  auto made = std::make_unique<OperatorEnvironment>(Key(), std::move(options));
  KUBE_RETURN_IF_ERROR(made->Connect(), "make operator environment");
  return made;
}

OperatorEnvironment::OperatorEnvironment(Key, OperatorEnvironmentOptions options)
    : options_(std::move(options)) {}

OperatorEnvironment::~OperatorEnvironment() { Stop().IgnoreError(); }

absl::Status OperatorEnvironment::Connect() {
  if (options_.environment == nullptr) {
    apiserver::HandlerOptions handler = options_.server;
    if (options_.account.has_value()) handler.authorization = apiserver::Authorization::kRbac;
    server_ = std::make_unique<apiserver::ApiHandler>(std::move(handler));
    admin_ = envtest::InProcessConfig(*server_);
  } else {
    admin_ = options_.environment->Config();
  }
  operator_ = admin_;
  if (options_.account.has_value()) {
    KUBE_ASSIGN_OR_RETURN(operator_,
                          envtest::ServiceAccountConfig(ForAStep(), admin_, *options_.account));
  }
  KUBE_ASSIGN_OR_RETURN(client_, rest::MakeClient(admin_));
  KUBE_ASSIGN_OR_RETURN(manager_, Manager::Make(operator_, Completed(options_.manager)));
  return absl::OkStatus();
}

absl::Status OperatorEnvironment::ServeWebhooks(httpserver::Handler& handler) {
  other_handler_ = true;
  return Serve(handler);
}

absl::Status OperatorEnvironment::Serve(httpserver::Handler& handler) {
  if (server_ != nullptr) {
    host_ = envtest::WebhookHost::InProcess(handler, *server_);
    return absl::OkStatus();
  }
  KUBE_ASSIGN_OR_RETURN(host_, envtest::WebhookHost::Listen(handler));
  return absl::OkStatus();
}

absl::StatusOr<envtest::CrdOptions> OperatorEnvironment::Definitions() const {
  envtest::CrdOptions crds = options_.crds;
  if (crds.webhooks == nullptr) crds.webhooks = host_.get();
  if (host_ == nullptr || other_handler_) return crds;
  KUBE_ASSIGN_OR_RETURN(envtest::CustomResourceDefinitions all,
                        envtest::ReadCrds(crds.paths, crds.manifest));
  all.insert(all.end(), crds.definitions.begin(), crds.definitions.end());
  for (const webhook::Registration& registered : manager_->webhooks().registrations()) {
    if (registered.kind != webhook::WebhookKind::kConversion) continue;
    const std::string name = absl::StrCat(registered.gvr.resource, ".", registered.gvr.group);
    const bool is_installed = std::any_of(all.begin(), all.end(), [&name](const auto& definition) {
      return definition.metadata.name == name;
    });
    if (is_installed) crds.converted.push_back(name);
  }
  return crds;
}

absl::StatusOr<envtest::WebhookOptions> OperatorEnvironment::Configurations() const {
  if (!options_.webhooks.empty() || other_handler_) return options_.webhooks;
  envtest::WebhookOptions derived;
  KUBE_ASSIGN_OR_RETURN(const std::vector<unstructured::Value> configurations,
                        webhook::WebhookConfigurations(manager_->webhooks().registrations()));
  for (const unstructured::Value& each : configurations) {
    KUBE_ASSIGN_OR_RETURN(const std::string json, unstructured::EncodeJson(each));
    absl::StrAppend(&derived.manifest, json, "\n");
  }
  return derived;
}

absl::Status OperatorEnvironment::Start() {
  if (started_) return absl::FailedPreconditionError("start operator: it was started before");
  started_ = true;
  if (host_ == nullptr && manager_->webhooks().has_webhooks()) {
    KUBE_RETURN_IF_ERROR(Serve(manager_->webhooks().handler()));
  }
  if (host_ == nullptr && !options_.webhooks.empty()) {
    return absl::FailedPreconditionError(
        "start operator: there are configurations of webhooks, but the operator has none");
  }
  KUBE_ASSIGN_OR_RETURN(const envtest::WebhookOptions webhooks, Configurations());
  KUBE_ASSIGN_OR_RETURN(const envtest::CrdOptions crds, Definitions());
  KUBE_ASSIGN_OR_RETURN(installed_crds_, envtest::InstallCrds(ForAStep(), client(), crds));
  KUBE_RETURN_IF_ERROR(thread_.Start(Context(), "manager", [this](const Context& ctx) {
    absl::Status end = manager_->Run(ctx);
    {
      base::MutexLock lock(mutex_);
      run_end_ = std::move(end);
    }
    run_ended_.Set();
  }));
  // The manager's webhooks refuse everything until the caches have synced.
  KUBE_RETURN_IF_ERROR(AwaitRunning(/*caches=*/!webhooks.empty()), "start operator");
  if (webhooks.empty()) return absl::OkStatus();
  KUBE_ASSIGN_OR_RETURN(installed_webhooks_,
                        envtest::InstallWebhooks(ForAStep(), client(), *host_, webhooks));
  return absl::OkStatus();
}

absl::Status OperatorEnvironment::AwaitRunning(bool caches) {
  if (options_.start_timeout <= absl::ZeroDuration()) return absl::OkStatus();
  std::string missing;
  const absl::Status waited =
      base::PollUntilTimeout(Context(), kPollInterval, options_.start_timeout,
                             base::FirstPoll::kAtOnce, [&](const Context&) -> absl::StatusOr<bool> {
                               if (run_ended_.IsSet()) {
                                 KUBE_RETURN_IF_ERROR(RunEnd());
                                 return absl::UnavailableError("the manager has ended");
                               }
                               missing = WhatIsMissing(manager_->status(), caches);
                               return missing.empty();
                             });
  if (!absl::IsDeadlineExceeded(waited) || run_ended_.IsSet()) return waited;
  return absl::DeadlineExceededError(absl::StrCat("the manager does not run after ",
                                                  absl::FormatDuration(options_.start_timeout),
                                                  ": ", missing));
}

absl::Status OperatorEnvironment::RunEnd() const {
  base::MutexLock lock(mutex_);
  return run_end_;
}

absl::Status OperatorEnvironment::Stop() {
  if (manager_ == nullptr) return absl::OkStatus();
  absl::Status result;
  // First, as a webhook that does not answer any more keeps everybody from writing.
  result.Update(envtest::UninstallWebhooks(ForAStep(), client(), installed_webhooks_));
  if (thread_.joinable()) {
    thread_.RequestStop();
    thread_.Join();
    result.Update(RunEnd());
  }
  if (options_.uninstall_crds) {
    result.Update(envtest::UninstallCrds(ForAStep(), client(), installed_crds_));
  }
  host_.reset();
  while (!operators_.empty()) operators_.pop_back();
  manager_.reset();
  return result;
}

}  // namespace kube::controller

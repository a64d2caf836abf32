#include "controller/testing/operator_environment.h"

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
#include "apiserver/handler.h"
#include "clientset/rest/client.h"
#include "controller/manager/manager.h"
#include "controller/testing/internal/operator_setup.h"
#include "envtest/crds.h"
#include "envtest/in_process_transport.h"
#include "envtest/service_account.h"
#include "envtest/webhook_host.h"
#include "envtest/webhooks.h"
#include "net/httpserver/exchange.h"
#include "webhook/registration.h"
#include "webhook/server.h"

namespace kube::controller {

using internal::ForAStep;
using internal::TestedManagerOptions;
using internal::WhatIsMissing;

namespace {

constexpr absl::Duration kPollInterval = absl::Milliseconds(10);

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
  KUBE_ASSIGN_OR_RETURN(manager_, Manager::Make(operator_, TestedManagerOptions(options_.manager)));
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
  return internal::DefinitionsOf(
      options_.crds, host_.get(),
      other_handler_ ? std::vector<webhook::Registration>() : manager_->webhooks().registrations());
}

absl::StatusOr<envtest::WebhookOptions> OperatorEnvironment::Configurations() const {
  if (!options_.webhooks.empty() || other_handler_) return options_.webhooks;
  return internal::ConfigurationsOf(manager_->webhooks().registrations());
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

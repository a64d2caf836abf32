#ifndef CONTROLLER_TESTING_OPERATOR_ENVIRONMENT_H_
#define CONTROLLER_TESTING_OPERATOR_ENVIRONMENT_H_

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/thread.h"
#include "apiserver/handler.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "controller/manager/manager.h"
#include "controller/manager/manager_options.h"
#include "envtest/crds.h"
#include "envtest/environment.h"
#include "envtest/service_account.h"
#include "envtest/webhook_host.h"
#include "envtest/webhooks.h"
#include "net/httpserver/exchange.h"

namespace kube::controller {

// Options of an OperatorEnvironment.
struct OperatorEnvironmentOptions {
  // The API server: an EmbeddedEnvironment or a ControlPlane, which must outlive this. Null, the
  // default: an embedded server in the process, without sockets, which also works under SimRuntime.
  envtest::Environment* environment = nullptr;
  // Options of that server in the process. With `account` its authorization is that of RBAC in any
  // case.
  apiserver::HandlerOptions server = {};
  // The definitions that Start installs. Those with a conversion webhook, and those for whose kind
  // the operator has registered a conversion, are converted by the operator.
  envtest::CrdOptions crds = {};
  // The configurations of webhooks that Start installs once the manager runs and its caches have
  // synced. They lead to what the operator has registered at Manager::webhooks, or to the handler
  // of ServeWebhooks. Default: those that webhook::WebhookConfigurations derives from what is
  // registered.
  envtest::WebhookOptions webhooks = {};
  // The manifests of the operator's service account and rights, such as those that the program
  // prints with --print-manifests. The operator then has these rights and no others, unless
  // `environment` is an embedded server without Authorization::kRbac, which grants everything.
  // Default: the operator is the administrator, and no right is missing.
  std::optional<envtest::ServiceAccountOptions> account = {};
  // The manager. The name is "operator" if it is empty. The health endpoint is off unless its port
  // is zero, because tests run side by side, and in a simulation there are no ports. The server of
  // Manager::webhooks does not listen: the API server calls it in the process, or an
  // envtest::WebhookHost listens for it, with certificates of its own, so `webhooks.self_signed` is
  // ignored.
  ManagerOptions manager = {};
  // Whether Stop deletes the definitions with all their objects, for servers that other tests use
  // afterwards. Default: no.
  bool uninstall_crds = false;
  // How long Start waits until the manager runs, with leadership and with caches that have synced
  // or cannot sync. Zero: Start does not wait. Default: 30 s.
  absl::Duration start_timeout = absl::Seconds(30);
};

// An API server, an operator with its manager, and a client, for one test: it starts them in the
// right order, and ends them in the right order. (kubebuilder: `suite_test.go`, with
// `envtest.Environment` and `mgr.Start` in a goroutine)
//
//   auto test = OperatorEnvironment::Make({.crds = {.paths = {kCrds}}});
//   ASSERT_THAT(test, IsOk());
//   (*test)->Add<WebsiteOperator>();
//   ASSERT_THAT((*test)->Start(), IsOk());
//   const v1::WebsiteClient websites((*test)->client(), "default");
//   ASSERT_THAT(websites.Create(Context(), website), IsOk());
//   EXPECT_THAT(envtest::EventuallyGet(websites, "blog", IsReady()), IsOk());
//   EXPECT_THAT((*test)->Stop(), IsOk());
//
// The manager runs on a thread of its own. Destroyed before Stop, it stops and drops the errors.
// Thread-compatible. Under SimRuntime it is made and destroyed inside SimRuntime::Run.
class OperatorEnvironment {
 private:
  // Makes the constructor usable by Make only.
  struct Key {
    explicit Key() = default;
  };

 public:
  // Starts the embedded server if there is no other one, applies the account's manifests, and makes
  // the manager. Blocks. Returns the errors of ServiceAccountConfig and of Manager::Make.
  static absl::StatusOr<std::unique_ptr<OperatorEnvironment>> Make(
      OperatorEnvironmentOptions options = {});

  OperatorEnvironment(Key, OperatorEnvironmentOptions options);
  ~OperatorEnvironment();
  OperatorEnvironment(const OperatorEnvironment&) = delete;
  OperatorEnvironment& operator=(const OperatorEnvironment&) = delete;

  // Returns the server in the process, for rules, faults and the log of requests; null if the
  // options have an environment.
  apiserver::ApiHandler* server() { return server_.get(); }
  // Return a client of the administrator, and the configuration of it.
  const rest::Client& client() const { return *client_; }
  const rest::Config& admin_config() const { return admin_; }
  // Returns the configuration of the operator: that of its service account, or of the
  // administrator.
  const rest::Config& operator_config() const { return operator_; }
  // Returns the manager. Valid until Stop.
  Manager& manager() { return *manager_; }

  // Makes an OperatorT(manager(), arguments...) that lives until Stop, and returns it. Call it
  // before Start.
  template <typename OperatorT, typename... Args>
  OperatorT& Add(Args&&... arguments) {
    auto made = std::make_shared<OperatorT>(manager(), std::forward<Args>(arguments)...);
    OperatorT& result = *made;
    operators_.push_back(std::move(made));
    return result;
  }

  // Leads webhooks to this handler instead of that of Manager::webhooks: in the process, or over
  // HTTPS if the options have an environment. The options must then have the configurations. The
  // handler must live until Stop; it may block. Call it before Start. Returns the errors of
  // WebhookHost::Listen.
  absl::Status ServeWebhooks(httpserver::Handler& handler);

  // Installs the definitions, runs the manager, waits until it runs, and installs the
  // configurations of webhooks. Blocks. Call it once. Returns the errors of InstallCrds,
  // InstallWebhooks and webhook::WebhookConfigurations; FAILED_PRECONDITION if there are
  // configurations and no webhooks; the error of Manager::Run if that has ended already; and
  // DEADLINE_EXCEEDED, with the phase or the informer and what it waits for, if the manager does
  // not run within start_timeout. Call Stop after an error, too.
  absl::Status Start();

  // Deletes the configurations of webhooks, ends the manager and waits until it has ended, deletes
  // the definitions if they are to be, and destroys the webhook host, the operators and the
  // manager. The server in the process stays. Blocks. Returns what Manager::Run has returned, or
  // the errors of the deletions. A second call returns OK.
  absl::Status Stop() ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  absl::Status Connect();
  absl::Status Serve(httpserver::Handler& handler);
  absl::StatusOr<envtest::CrdOptions> Definitions() const;
  absl::StatusOr<envtest::WebhookOptions> Configurations() const;
  absl::Status AwaitRunning(bool caches);
  absl::Status RunEnd() const ABSL_LOCKS_EXCLUDED(mutex_);

  const OperatorEnvironmentOptions options_;
  std::unique_ptr<apiserver::ApiHandler> server_;
  rest::Config admin_;
  rest::Config operator_;
  std::optional<rest::Client> client_;  // set by Make
  std::unique_ptr<Manager> manager_;
  std::vector<std::shared_ptr<void>> operators_;
  std::unique_ptr<envtest::WebhookHost> host_;
  envtest::WebhookConfigurations installed_webhooks_;
  envtest::CustomResourceDefinitions installed_crds_;
  bool started_ = false;
  bool other_handler_ = false;  // whether ServeWebhooks was called
  mutable base::Mutex mutex_;
  absl::Status run_end_ ABSL_GUARDED_BY(mutex_);
  base::Event run_ended_;
  base::Thread thread_;
};

}  // namespace kube::controller

#endif  // CONTROLLER_TESTING_OPERATOR_ENVIRONMENT_H_

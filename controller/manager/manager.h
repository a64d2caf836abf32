#ifndef CONTROLLER_MANAGER_MANAGER_H_
#define CONTROLLER_MANAGER_MANAGER_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/prometheus.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "controller/cache/cache.h"
#include "controller/cache/cache_options.h"
#include "controller/cache/required_access.h"
#include "controller/events/event_object.h"
#include "controller/events/record/event_recorder.h"
#include "controller/manager/managed_controller.h"
#include "controller/manager/manager_options.h"
#include "controller/manager/manager_status.h"
#include "controller/manager/runnable.h"
#include "webhook/server.h"

namespace kube::controller {

// Options of Manager::AddCluster.
struct ClusterOptions {
  // Name of the cluster in the status, in metrics and in messages. Not empty, and unique.
  std::string name = {};
  CacheOptions cache = {};
};

// Runs controllers and what they need: caches, leader election, events, health and metrics
// endpoints. It starts them in the right order and ends them in the right order.
// (controller-runtime: `manager.Manager`)
//
//   KUBE_ASSIGN_OR_RETURN(const std::unique_ptr<kube::controller::Manager> manager,
//                         kube::controller::Manager::Make(config, {.name = "website-operator"}));
//   KUBE_RETURN_IF_ERROR(manager->Add("janitor", CleanUpEachHour));
//   const WebsiteOperator websites(*manager);  // its controllers register themselves
//   return manager->Run(ctx);
//
// The start: health and metrics endpoints, webhooks and functions of Phase::kServers; functions of
// Phase::kBeforeCaches; the watches of all controllers that are warm or need no leadership;
// functions of Phase::kAlways and the controllers that need no leadership; the election;
// BeforeWork; functions of Phase::kLeader and all other controllers. Each controller takes its
// first key as soon as its own watches have synced, and waits for no other.
//
// Readiness: /readyz fails until the watches that start before leadership, and all others that run
// by then, have synced, and says which have not. Once it has answered OK, a watch or a controller
// that is added later does not take that back while it syncs: the status page names it meanwhile.
// A controller that could not start, earlier or later, makes it fail.
//
// The end: /readyz fails; no controller takes a key any more, and functions of Phase::kLeader are
// told to end; after `drain_timeout` the contexts of reconciles are done; the lease is released as
// soon as the last work of the leader has ended; everything else ends in the reverse order of the
// start, events are written, and the health endpoints end last. What was never started is not
// started at the end.
//
// Controllers and whatever the functions use must outlive Run, and controllers must be destroyed
// before the manager. Nothing is process-wide, so a program can have several managers.
//
// Thread-safe, except for the destructor. Works in a simulation without endpoints.
class Manager {
 private:
  class Impl;
  // Makes the constructor usable by Make only.
  struct Key {
    explicit Key() = default;
  };

 public:
  // Makes a manager. Sends nothing and does not block. The client's metrics are those of the
  // registry, unless config.metrics is set. The lease has a client of its own, without a rate
  // limit, and so have token reviews of the metrics endpoint, with the rate limit of `config`.
  // Returns INVALID_ARGUMENT for invalid options, and the errors of rest::MakeClient.
  // (controller-runtime: `manager.New`)
  static absl::StatusOr<std::unique_ptr<Manager>> Make(const rest::Config& config,
                                                       ManagerOptions options = {});
  // Makes a manager with clients that exist. If `lease_client` is not set, `client` is used for the
  // lease too: then other requests must not be able to delay it. Token reviews use `client`, too,
  // so anybody who reaches the metrics endpoint can use up its rate limit, if it has one. The
  // status does not say how many requests are sent, because nobody counts them.
  static absl::StatusOr<std::unique_ptr<Manager>> MakeWithClient(
      rest::Client client, ManagerOptions options = {},
      std::optional<rest::Client> lease_client = {});

  Manager(Key, std::unique_ptr<Impl> impl);
  // Waits for whatever did not end within Run's time limits. A program for which status() still has
  // a runnable that is "stopping" after Run should therefore end with std::_Exit, as RunOperator
  // does.
  ~Manager();
  Manager(const Manager&) = delete;
  Manager& operator=(const Manager&) = delete;

  // Runs everything and blocks until `ctx` is done or something fails, and then until all has
  // ended, for drain_timeout + stop_timeout at most. Call it once. (controller-runtime: `Start`)
  //
  // * OK: `ctx` was done, and all ended in time.
  // * DEADLINE_EXCEEDED: something has not ended in time; the message says what, and in which keys.
  // * ABORTED: leadership was lost. Contexts ended at once, without drain_timeout. End the program.
  // * Other codes: the first error of a function, with its name, which has ended all others; the
  //   message then also names what has not ended in time. Or, when `ctx` was done, the error of
  //   controllers that could not start: the server's, or DEADLINE_EXCEEDED after start_timeout.
  //   They do not end Run unless ManagerOptions::fail_fast is set.
  //
  // Returns ALREADY_EXISTS without starting anything if two controllers have the same name, the
  // errors of webhook::Server::CheckRegistrations, and FAILED_PRECONDITION if it was called before.
  absl::Status Run(const Context& ctx);

  // Adds a function that runs on a thread of its own, from the start of its phase until its context
  // is done. If the phase has started, it starts now. An error of it ends Run, and so does OK
  // unless `may_end`. Returns ALREADY_EXISTS if the phase has a function of this name, and
  // FAILED_PRECONDITION once the manager is ending. (controller-runtime: `Add`, `Runnable`)
  absl::Status Add(std::string name, std::function<absl::Status(const Context&)> run,
                   RunnableOptions options = {});

  // Adds a function that is called once as leader, when the watches that start before leadership
  // have synced or failed, and before any work: to migrate objects, for example. Several are called
  // in the order of their registration. An error ends Run. Call it before Run. (controller-runtime
  // has none)
  void BeforeWork(std::function<absl::Status(const Context&)> init);

  // Adds a controller, which Controller<T> does by itself; it starts now if its phase has started.
  // Returns ALREADY_EXISTS if the name is in use: Run fails with the same error. Returns
  // FAILED_PRECONDITION once the manager is ending.
  absl::Status Register(ManagedController& controller);
  // Ends the controller and blocks until it does not run. Must not be called by one of its
  // reconciles.
  void Unregister(ManagedController& controller);

  // Makes a cache of another cluster, which ends with that of the manager's own and is among the
  // checks of /readyz. The pointer is never null and valid as long as the manager. Returns
  // INVALID_ARGUMENT without a name, ALREADY_EXISTS for one that is in use, FAILED_PRECONDITION
  // once the manager is ending, and the errors of rest::MakeClient.
  // (controller-runtime: `cluster.New` and `Add`)
  absl::StatusOr<Cache*> AddCluster(const rest::Config& config, ClusterOptions options);
  absl::StatusOr<Cache*> AddCluster(rest::Client client, ClusterOptions options);

  const std::string& name() const;
  // Returns the cache of the manager's cluster. (controller-runtime: `GetCache`)
  Cache& cache();
  // Returns the client of the manager's cluster, which reads from the server. Clients of kinds are
  // made of it: corev1::ConfigMapClient(manager.client(), "prod"), or
  // kubernetes::Clientset(manager.client()). (controller-runtime: `GetAPIReader`)
  const rest::Client& client() const;
  const ControllerDefaults& controllers() const;
  base::PrometheusRegistry& registry();

  // Returns the server of the program's webhooks, which every replica serves. Until the watches of
  // the manager's own cluster have synced that start before leadership and are those of
  // controllers or were started before Run, admission webhooks answer 503, so they may read the
  // cache. Watches that have failed do not count, and after start_timeout no watch does: a
  // controller that cannot start must not refuse all writes. Conversions are served before the
  // watches start. /readyz has the check "webhooks". If the options say `self_signed`, with names
  // of configurations, the manager writes the authority into these and into the definitions of the
  // kinds that are converted, and that check fails until it was written once, or nothing of these
  // names exists. (controller-runtime: `GetWebhookServer`)
  webhook::Server& webhooks();

  // Returns a recorder of events of core/v1 by the component name(), for references and objects
  // that contain their kind. Events are written from the start of Run on.
  record::EventRecorder& recorder();
  // Returns a recorder of another component, for objects of `kinds` too.
  // (controller-runtime: `GetEventRecorderFor`)
  std::unique_ptr<record::EventRecorder> NewRecorder(absl::string_view component,
                                                     events::ObjectKinds kinds = {});

  // Notes a right that the program needs in the manager's cluster, for requests that neither a
  // watch nor a writer sends: those of client(), for example. Does not block. (controller-gen: the
  // marker `kubebuilder:rbac`)
  void RequireAccess(RequiredAccess access);
  // Returns all rights that the program needs in the manager's cluster: those of RequireAccess, of
  // watches, writers and controllers, and what the manager itself needs with its options, for
  // events, the lease and the readers of its metrics. Does not block. manifests::RolesOf makes
  // roles of them, and RunOperator prints these with --print-manifests. What a program declares
  // only after its start, such as watches that it adds while it runs, is missing in what it prints.
  std::vector<RequiredAccess> RequiredRules() const;

  // Returns what the manager does now: phases, controllers, informers, leader. Does not wait for
  // any of them.
  ManagerStatus status() const;

  // Return the base URLs of the endpoints, or "" before they listen and after they have ended.
  std::string health_url() const;
  std::string metrics_url() const;

 private:
  const std::unique_ptr<Impl> impl_;
};

}  // namespace kube::controller

#endif  // CONTROLLER_MANAGER_MANAGER_H_

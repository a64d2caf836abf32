#ifndef CONTROLLER_MANAGER_INTERNAL_MANAGER_CORE_H_
#define CONTROLLER_MANAGER_INTERNAL_MANAGER_CORE_H_

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "clientset/rest/client.h"
#include "controller/cache/cache.h"
#include "controller/cache/cache_options.h"
#include "controller/events/record/event_broadcaster.h"
#include "controller/events/record/event_recorder.h"
#include "controller/leaderelection/healthz_adaptor.h"
#include "controller/manager/internal/controller_run.h"
#include "controller/manager/internal/endpoints.h"
#include "controller/manager/internal/leadership.h"
#include "controller/manager/internal/phases.h"
#include "controller/manager/internal/request_meter.h"
#include "controller/manager/internal/runnable_group.h"
#include "controller/manager/managed_controller.h"
#include "controller/manager/manager_options.h"
#include "controller/manager/manager_status.h"
#include "controller/manager/runnable.h"
#include "webhook/server.h"

namespace kube::controller::internal {

// What is behind Manager: its phases, and a group of threads for each. manager_steps.cc has the
// phases in their order; the rest is in manager_core.cc.
//
// Run's thread goes through the phases. Everything else, also what can fail, runs on threads of
// groups: the first failure is remembered and ends the context of Run.
//
// Thread-safe, except for the destructor.
class ManagerCore {
 public:
  // `options` have a name and a registry. `review_client` reviews the tokens of those who read the
  // metrics. `meter` counts the requests of the clients, or is null. Returns the errors of
  // Manager::MakeWithClient.
  static absl::StatusOr<std::unique_ptr<ManagerCore>> Make(
      rest::Client client, ManagerOptions options, rest::Client lease_client,
      rest::Client review_client, std::shared_ptr<const RequestMeter> meter);

  // Use Make.
  ManagerCore(rest::Client client, ManagerOptions options, rest::Client review_client,
              std::shared_ptr<const RequestMeter> meter);
  ~ManagerCore();
  ManagerCore(const ManagerCore&) = delete;
  ManagerCore& operator=(const ManagerCore&) = delete;

  // As those of Manager.
  absl::Status Run(const Context& ctx) ABSL_LOCKS_EXCLUDED(mutex_);
  absl::Status Add(std::string name, std::function<absl::Status(const Context&)> run,
                   RunnableOptions options) ABSL_LOCKS_EXCLUDED(mutex_);
  void BeforeWork(std::function<absl::Status(const Context&)> init) ABSL_LOCKS_EXCLUDED(mutex_);
  absl::Status Register(ManagedController& controller) ABSL_LOCKS_EXCLUDED(mutex_);
  void Unregister(ManagedController& controller) ABSL_LOCKS_EXCLUDED(mutex_);
  absl::StatusOr<Cache*> AddCluster(rest::Client client, std::string name, CacheOptions options)
      ABSL_LOCKS_EXCLUDED(mutex_);
  ManagerStatus status() const ABSL_LOCKS_EXCLUDED(mutex_);

  const ManagerOptions& options() const { return options_; }
  const rest::Client& client() const { return client_; }
  Cache& cache() { return *cache_; }
  webhook::Server& webhooks() { return *webhooks_; }
  record::EventRecorder& recorder() { return *recorder_; }
  record::EventBroadcaster& broadcaster() { return broadcaster_; }
  const Endpoints& endpoints() const { return endpoints_; }

 private:
  using Runs = std::vector<std::shared_ptr<ControllerRun>>;
  struct Cluster {
    std::string name;
    std::unique_ptr<Cache> cache;
  };
  // How far a stop has come; set by the thread of Run.
  struct StopTimes {
    Context drain = {};    // reconciles end by themselves until this is done
    Context workers = {};  // and have ended when this is done
  };

  absl::Status MakeLeadership(rest::Client lease_client);
  CacheOptions WithMetrics(CacheOptions options) const;
  std::function<void(const absl::Status&)> FailFunction();

  // manager_steps.cc
  std::vector<PhaseSteps> Steps();
  void AddOwnMembers();
  absl::Status StartServers(const Context& ctx);
  absl::Status StartBeforeCaches(const Context& ctx);
  absl::Status StartInformers() ABSL_LOCKS_EXCLUDED(mutex_);
  absl::Status StartAlways();
  absl::Status Elect(const Context& ctx);
  absl::Status DoBeforeWork(const Context& ctx) ABSL_LOCKS_EXCLUDED(mutex_);
  absl::Status StopWorkers(RunnableGroup& group, const Context& ctx);
  absl::Status StopElection(const Context& ctx);
  void ShutdownCaches(const Context& ctx) ABSL_LOCKS_EXCLUDED(mutex_);
  absl::Status WriteEvents(const Context& ctx);
  absl::Status AddWebhookServer();
  // Lets admission webhooks answer as soon as their caches have synced, and after start_timeout in
  // any case.
  absl::Status AwaitWebhookCaches(const Context& ctx) ABSL_LOCKS_EXCLUDED(mutex_);
  // Writes the authority of self-signed certificates again and again until `ctx` is done.
  absl::Status KeepCaBundles(const Context& ctx) ABSL_LOCKS_EXCLUDED(mutex_);
  // Remembers the first success for CheckWebhooks.
  void NoteAuthority(const absl::Status& written) ABSL_LOCKS_EXCLUDED(mutex_);

  RunnableGroup& GroupOf(Phase phase);
  // Adds both members of the controller, or none.
  absl::Status AddMembers(const std::shared_ptr<ControllerRun>& run);
  void Forget(const ManagedController& controller) ABSL_LOCKS_EXCLUDED(mutex_);
  // Remembers the first error and ends the context of Run.
  void Fail(const absl::Status& error) ABSL_LOCKS_EXCLUDED(mutex_);
  void LoseLeadership(const absl::Status& error) ABSL_LOCKS_EXCLUDED(mutex_);
  absl::Status BeginRun(const Context& ctx) ABSL_LOCKS_EXCLUDED(mutex_);
  absl::Status End() ABSL_LOCKS_EXCLUDED(mutex_);
  // Remembers what admission webhooks wait for.
  void NoteDeclared() ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns the error that Run returns.
  absl::Status Outcome(const absl::Status& stopped) const ABSL_LOCKS_EXCLUDED(mutex_);
  absl::Status CheckInformers() const ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns UNAVAILABLE until the webhook server listens and its authority has been written.
  absl::Status CheckWebhooks() const ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns UNAVAILABLE while watches that were declared before Run may still sync. Those of other
  // clusters, and those that have failed, do not count: they would refuse all writes in the
  // cluster.
  absl::Status CheckWebhookCaches() const ABSL_LOCKS_EXCLUDED(mutex_);
  Runs AllRuns() const ABSL_LOCKS_EXCLUDED(mutex_);
  // Never null; caches live as long as the manager.
  std::vector<Cache*> AllCaches() const ABSL_LOCKS_EXCLUDED(mutex_);
  LeaderStatus StatusOfLeader() const ABSL_LOCKS_EXCLUDED(mutex_);

  const ManagerOptions options_;
  const rest::Client client_;
  const std::shared_ptr<const RequestMeter> meter_;  // may be null
  const std::unique_ptr<Cache> cache_;
  record::EventBroadcaster broadcaster_;
  const std::unique_ptr<record::EventRecorder> recorder_;
  const std::shared_ptr<leaderelection::HealthzAdaptor> watch_dog_;  // null without election
  std::unique_ptr<Leadership> leadership_;           // set by Make; null without election
  const std::unique_ptr<webhook::Server> webhooks_;  // never null
  Endpoints endpoints_;

  mutable base::Mutex mutex_;
  absl::Status setup_error_ ABSL_GUARDED_BY(mutex_);
  absl::Status first_error_ ABSL_GUARDED_BY(mutex_);
  bool run_called_ ABSL_GUARDED_BY(mutex_) = false;
  bool informers_started_ ABSL_GUARDED_BY(mutex_) = false;
  // /readyz has been OK, and watches that are added later do not change that.
  mutable bool was_ready_ ABSL_GUARDED_BY(mutex_) = false;
  // What was declared before Run: controllers whose watches start early, and watches by their keys.
  Runs webhook_runs_ ABSL_GUARDED_BY(mutex_);
  std::set<std::string> webhook_watches_ ABSL_GUARDED_BY(mutex_);
  // Admission webhooks are answered, and watches that fail later do not change that.
  bool webhooks_ready_ ABSL_GUARDED_BY(mutex_) = false;
  // OK once the authority has been written, or if it has no targets.
  absl::Status authority_error_ ABSL_GUARDED_BY(mutex_);
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  bool lost_leadership_ ABSL_GUARDED_BY(mutex_) = false;
  absl::Time started_ ABSL_GUARDED_BY(mutex_) = absl::InfinitePast();
  Runs runs_ ABSL_GUARDED_BY(mutex_);
  std::vector<Cluster> clusters_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::function<absl::Status(const Context&)>> before_work_functions_
      ABSL_GUARDED_BY(mutex_);
  // The context of Run, which the first failure ends. Set by BeginRun, before run_called_, and not
  // changed afterwards. It is cancelled without the lock.
  std::optional<CancelScope> running_;

  // Set by the thread of Run alone.
  Context base_;     // that of Run without its end: contexts of groups are below it
  Context leading_;  // done when leadership ends
  StopTimes stop_;

  // The threads of the phases, in the order of their start.
  RunnableGroup servers_;
  RunnableGroup events_;
  RunnableGroup before_caches_;
  RunnableGroup informers_;  // ends the caches
  RunnableGroup watches_;    // wait for the watches of controllers
  RunnableGroup always_;
  RunnableGroup always_controllers_;
  RunnableGroup election_;
  RunnableGroup before_work_;
  RunnableGroup leader_;
  Phases phases_;
};

}  // namespace kube::controller::internal

#endif  // CONTROLLER_MANAGER_INTERNAL_MANAGER_CORE_H_

#ifndef CONTROLLER_MANAGER_MANAGER_OPTIONS_H_
#define CONTROLLER_MANAGER_MANAGER_OPTIONS_H_

#include <memory>
#include <optional>
#include <string>

#include "absl/time/time.h"
#include "apimachinery/base/prometheus.h"
#include "controller/cache/cache_options.h"
#include "controller/health/health_server.h"
#include "controller/leaderelection/leader_elector.h"
#include "controller/leaderelection/run_as_leader.h"
#include "controller/metrics/metrics_server.h"
#include "webhook/server_options.h"

namespace kube::controller {

// Leader election of a Manager. (controller-runtime: `LeaderElectionID`, `LeaseDuration` …)
struct LeaseOptions {
  // The lease. Its namespace must be set: RunOperator takes that of the pod. The name is that of
  // the manager if it is empty, and the identity the host name and a random suffix.
  leaderelection::LeaseName lease = {};
  // Durations and so on. The manager sets `release_on_cancel`, `watch_dog`, unless it is set, and
  // `metrics`.
  leaderelection::LeaderElectionOptions election = {};
};

// What controllers have if their own options say nothing. (controller-runtime:
// `config.Controller`)
struct ControllerDefaults {
  // Number of keys that one controller reconciles at the same time. Default: 1.
  int workers = 1;
  // Time after which the context of a reconcile is done. Zero turns that off. Default: 5 minutes.
  absl::Duration reconcile_timeout = absl::Minutes(5);
  // How long a key waits at most until the stores have what its last reconcile wrote. Zero turns
  // that off. Default: 10 s.
  absl::Duration own_writes_timeout = absl::Seconds(10);
};

// Options of a Manager. (controller-runtime: `manager.Options`)
struct ManagerOptions {
  // Name of the program: of its lease, its events and the field manager of its writes. Not empty.
  std::string name = {};
  // Version of the program, for the status page. Default: none.
  std::string version = {};

  // Default: no leader election. Set it if more than one replica can run at a time, also for the
  // moment of a rollout. RunOperator elects only with --leader-elect, whether this is set or not,
  // and takes the durations from the flags.
  std::optional<LeaseOptions> leader_election = {};

  // The health endpoints; nullopt turns them off. Default: port 8081, as in kubebuilder's programs.
  // The manager adds the check "informers" to `readyz` and, with leader election, "leaderElection"
  // to `livez` and `healthz`.
  std::optional<kube::health::HealthServerOptions> health =
      kube::health::HealthServerOptions{.port = 8081};
  // The metrics endpoint, which also has the status of the manager at /debug/status and
  // /debug/status.json. Default: off.
  std::optional<kube::metrics::MetricsOptions> metrics = {};

  // The server of Manager::webhooks, which runs only if a webhook is registered before Run.
  // Default: port 9443, and certificates of files. Its metrics are those of `registry`, unless they
  // are set. (controller-runtime: `WebhookServer`)
  webhook::ServerOptions webhooks = {};

  // Namespaces, defaults and resync of the watches. Its metrics are those of `registry`, unless
  // they are set.
  CacheOptions cache = {};
  ControllerDefaults controllers = {};

  // How long the start of a controller waits for what may still come, such as a resource that is
  // not defined yet; not for what is forbidden. Default: 2 minutes.
  absl::Duration start_timeout = absl::Minutes(2);
  // Whether a controller that cannot start ends the whole program, so that it is started again.
  // Default: the other controllers run on, /readyz and the status say which one does not, and Run
  // returns the error at its end.
  bool fail_fast = false;

  // How long reconciles that run at the end may take to end by themselves; their contexts are done
  // afterwards. Default: 15 s. (controller-runtime: none, contexts are done at once)
  absl::Duration drain_timeout = absl::Seconds(15);
  // How long everything may take to end after that. Keep the sum below the pod's
  // terminationGracePeriodSeconds, which is 30 by default. Default: 10 s.
  // (controller-runtime: `GracefulShutdownTimeout`)
  absl::Duration stop_timeout = absl::Seconds(10);

  // Holds the metrics of everything in the manager. Default: a registry of its own.
  std::shared_ptr<base::PrometheusRegistry> registry = nullptr;
};

}  // namespace kube::controller

#endif  // CONTROLLER_MANAGER_MANAGER_OPTIONS_H_

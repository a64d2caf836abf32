#ifndef CONTROLLER_MANAGER_MANAGER_STATUS_H_
#define CONTROLLER_MANAGER_MANAGER_STATUS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"

// How a manager does, at one moment: plain values, which status_page.h renders. Times are of the
// day; the time absl::InfinitePast() means that it is not known or has not come. Keys are
// "namespace/name", or only the name of a cluster-scoped object.
namespace kube::controller {

// A step of the start or the end of a manager.
struct PhaseStatus {
  std::string name = {};  // "servers", "caches", "leader"
  // "waiting", "starting", "running", "stopping" or "ended".
  std::string state = {};
  absl::Time since = absl::InfinitePast();
  // What it waits for; empty if for nothing.
  std::string waits_for = {};
};

// A function that a manager runs beside its controllers.
struct RunnableStatus {
  std::string name = {};
  std::string phase = {};
  std::string state = {};
  absl::Time since = absl::InfinitePast();
  // What it returned, if it has ended with an error.
  std::string error = {};
};

// An informer of one resource, in one namespace or in all.
struct InformerStatus {
  std::string resource = {};        // "deployments.apps/v1"
  std::string selector = {};        // empty: all objects
  std::string namespace_name = {};  // empty: all namespaces
  bool synced = false;
  // Why it has not synced, in the words of the server. Empty if it has.
  std::string why_not_synced = {};
  int64_t objects = 0;
  // The name of its cache: that of the cluster (Manager::AddCluster), empty for the manager's own.
  std::string cluster = {};
  // When the server last sent a list, an event or a bookmark.
  absl::Time last_event = absl::InfinitePast();
};

// What one worker of a controller does.
struct WorkerStatus {
  // Empty: the worker waits for a key.
  std::string key = {};
  absl::Time since = absl::InfinitePast();
  // The innermost step of the reconcile (AnyRequest::Step), such as "apply deployments
  // \"prod/web\""; empty if it is in none.
  std::string where = {};
};

// A key that waits to be taken, and for how long; zero if that is not known.
struct QueuedKey {
  std::string key = {};
  absl::Duration age = absl::ZeroDuration();
};

// Keys of a controller that wait. Those in work count as neither ready nor delayed.
struct QueueStatus {
  int64_t ready = 0;
  int64_t delayed = 0;  // wait for their time, such as that of a back-off
  int64_t parked = 0;   // wait until the cache has seen the controller's last write
  int64_t in_work = 0;
  // The ready key that has waited longest, and for how long. Empty if no key is ready.
  std::string oldest_key = {};
  absl::Duration oldest_age = absl::ZeroDuration();
  // The ready keys that have waited longest, oldest_key being the first of them; ten at most.
  std::vector<QueuedKey> oldest_keys = {};
};

// An error that a reconcile has returned.
struct ReconcileError {
  std::string key = {};
  absl::Time time = absl::InfinitePast();
  std::string message = {};
  // How often the key has failed in a row.
  int64_t failures = 0;
};

struct ControllerStatus {
  std::string name = {};
  std::string kind = {};  // "Website.example.com/v1"
  // Whether it hands out keys.
  bool running = false;
  // What it waits for if it does not run, such as "informer pods: list pods: forbidden …".
  std::string waits_for = {};
  QueueStatus queue = {};
  // A reconcile has the same index from its beginning to its end.
  std::vector<WorkerStatus> workers = {};
  // The newest first.
  std::vector<ReconcileError> last_errors = {};
  int64_t reconciles = 0;
  int64_t failed_reconciles = 0;
};

struct LeaderStatus {
  // Whether leaders are elected. If not, the manager works alone, and leads.
  bool elected = false;
  bool leads = false;
  absl::Time since = absl::InfinitePast();
  std::string lease = {};   // "namespace/name"
  std::string holder = {};  // the identity of the one that leads, if it is known
  std::string identity = {};
  // How often this program has written the lease as its holder since it started, the first time
  // included, and when it did so last.
  int64_t renewals = 0;
  absl::Time last_renewal = absl::InfinitePast();
};

// The requests of one verb to one resource.
struct RequestRateStatus {
  // The verb of the API, such as "list" or "watch"; for what is not a resource, that of HTTP in
  // lower case. "other" for all kinds of requests that came after the first hundred kinds.
  std::string verb = {};
  // "pods", "deployments.apps", "pods/log", or the beginning of a path, such as "/version".
  std::string resource = {};
  // In the last minute, and since the manager was made.
  double per_second = 0;
  int64_t requests = 0;
};

// A part of the memory of the process, as the system counts it. What the objects of one informer
// take cannot be told, because objects share their parts.
struct MemoryStatus {
  // "process, resident": all that is in RAM, libraries and files included. "process, anonymous":
  // the part of it that the program has allocated. "process, files": the part that files can give
  // back, such as the program itself. "process, swapped": what is not in RAM for now. "process,
  // peak resident": the most that was in RAM.
  std::string what = {};
  int64_t bytes = 0;
};

struct ManagerStatus {
  std::string name = {};
  std::string version = {};
  // When these values were taken; ages on the page are measured from here.
  absl::Time now = absl::InfinitePast();
  absl::Time started = absl::InfinitePast();
  LeaderStatus leader = {};
  std::vector<PhaseStatus> phases = {};
  std::vector<RunnableStatus> runnables = {};
  std::vector<InformerStatus> informers = {};
  std::vector<ControllerStatus> controllers = {};
  // Requests to the API server in the last minute, per second: those of Manager::client(), of the
  // caches, the election, events and token reviews, each attempt counted. Nothing if the manager
  // was made with a client of the caller (Manager::MakeWithClient).
  std::optional<double> requests_per_second = {};
  // The same by verb and resource, the busiest first. A watch counts when it begins.
  std::vector<RequestRateStatus> request_rates = {};
  // Empty where the system does not tell (/proc/self/status).
  std::vector<MemoryStatus> memory = {};
};

}  // namespace kube::controller

#endif  // CONTROLLER_MANAGER_MANAGER_STATUS_H_

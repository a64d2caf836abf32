#ifndef CONTROLLER_LEADERELECTION_TESTING_LEASE_CLUSTER_H_
#define CONTROLLER_LEADERELECTION_TESTING_LEASE_CLUSTER_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/thread_group.h"
#include "apiserver/handler.h"
#include "clientset/kubernetes/coordination/v1/client.h"
#include "envtest/in_process_transport.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/transport.h"

namespace kube::leaderelection {

// An API server that records the holders of the lease in the order of the writes, so that the
// beliefs of candidates can be checked. For one simulation with one lease.
class LeaseCluster {
 public:
  // Create it in the simulation. Requests are executed with the clocks of the creating thread.
  LeaseCluster();
  ~LeaseCluster();

  // Executes a request at once.
  absl::StatusOr<httpclient::HttpResponse> Execute(httpclient::HttpRequest request)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // Executes a request after `delay`, whatever the sender does.
  void ExecuteLater(absl::Duration delay, httpclient::HttpRequest request);

  // Returns a client that sends through `transport`.
  api::coordination::v1::LeaseClient ClientOf(std::shared_ptr<httpclient::Transport> transport);

  // Returns the version of the write with which `identity` acquired the lease the last time, or 0.
  int64_t HeldSince(const std::string& identity) const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  void Note(const std::string& lease_json) ABSL_LOCKS_EXCLUDED(mutex_);

  base::Runtime& runtime_;
  apiserver::ApiHandler server_;
  envtest::InProcessTransport transport_;
  mutable base::Mutex mutex_;
  // Holders by resource version.
  std::map<int64_t, std::string> ledger_ ABSL_GUARDED_BY(mutex_);
  base::ThreadGroup couriers_;
};

// Faults of a link; durations are measured by the sender's clock.
struct LinkFaults {
  // Maximum of the random latency in each direction.
  absl::Duration latency = absl::Milliseconds(20);
  // Probability of a slow request, and the maximum of its latency.
  double slow = 0;
  absl::Duration slow_latency = absl::ZeroDuration();
  // Probabilities: the request is lost; its response is lost; the request arrives up to `lateness`
  // after its sender was told that it was lost.
  double lose_request = 0;
  double lose_answer = 0;
  double late = 0;
  absl::Duration lateness = absl::Seconds(30);
};

// The connection of one candidate to the server. The sender of a lost message learns of it at once,
// or never, until its context is done.
class UnreliableLink final : public httpclient::Transport {
 public:
  // `cluster` must outlive this.
  UnreliableLink(LeaseCluster& cluster, base::Runtime& true_time)
      : cluster_(cluster), true_time_(true_time) {}

  absl::StatusOr<httpclient::HttpResponse> RoundTrip(const Context& ctx,
                                                     httpclient::HttpRequest request) override;
  void CloseIdleConnections() override {}

  void SetFaults(const LinkFaults& faults) ABSL_LOCKS_EXCLUDED(mutex_);
  // Drops everything until then.
  void CutUntil(base::MonotonicTime true_time) ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  bool IsCut() const ABSL_LOCKS_EXCLUDED(mutex_);

  LeaseCluster& cluster_;
  base::Runtime& true_time_;
  mutable base::Mutex mutex_;
  LinkFaults faults_ ABSL_GUARDED_BY(mutex_);
  base::MonotonicTime cut_until_ ABSL_GUARDED_BY(mutex_);
};

// For simulations: uniformly distributed values from the simulation's seed.
bool Chance(double probability);
absl::Duration UpTo(absl::Duration most);

}  // namespace kube::leaderelection

#endif  // CONTROLLER_LEADERELECTION_TESTING_LEASE_CLUSTER_H_

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

// An API server that keeps a ledger of who held the lease, in the order in which that came to be
// true: what candidates believe is measured by it. For one simulation with one lease.
class LeaseCluster {
 public:
  // Create it in the simulation. Requests are answered by the clocks of the thread that does.
  LeaseCluster();
  ~LeaseCluster();

  // Does a request, here and now.
  absl::StatusOr<httpclient::HttpResponse> Execute(httpclient::HttpRequest request)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // The same after `delay`, whatever the sender does.
  void ExecuteLater(absl::Duration delay, httpclient::HttpRequest request);

  // Clients that send through `transport`.
  api::coordination::v1::LeaseClient ClientOf(std::shared_ptr<httpclient::Transport> transport);

  // The version of the write since which `identity` has held the lease, the last time; 0: never.
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

// What a link does to each request; durations by the sender's clock.
struct LinkFaults {
  // Each way takes up to so long, at random.
  absl::Duration latency = absl::Milliseconds(20);
  // Instead, with this probability, up to so long.
  double slow = 0;
  absl::Duration slow_latency = absl::ZeroDuration();
  // With these probabilities: the request is lost; its answer is; the request arrives up to
  // `lateness` after its sender was told that it is lost.
  double lose_request = 0;
  double lose_answer = 0;
  double late = 0;
  absl::Duration lateness = absl::Seconds(30);
};

// How one candidate reaches the server. Of what is lost the sender hears at once, or never, which
// ends with its context.
class UnreliableLink final : public httpclient::Transport {
 public:
  // `cluster` outlives this.
  UnreliableLink(LeaseCluster& cluster, base::Runtime& true_time)
      : cluster_(cluster), true_time_(true_time) {}

  absl::StatusOr<httpclient::HttpResponse> RoundTrip(const Context& ctx,
                                                     httpclient::HttpRequest request) override;
  void CloseIdleConnections() override {}

  void SetFaults(const LinkFaults& faults) ABSL_LOCKS_EXCLUDED(mutex_);
  // Nothing comes through until then.
  void CutUntil(base::MonotonicTime true_time) ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  bool IsCut() const ABSL_LOCKS_EXCLUDED(mutex_);

  LeaseCluster& cluster_;
  base::Runtime& true_time_;
  mutable base::Mutex mutex_;
  LinkFaults faults_ ABSL_GUARDED_BY(mutex_);
  base::MonotonicTime cut_until_ ABSL_GUARDED_BY(mutex_);
};

// For simulations: uniform, from the simulation's seed.
bool Chance(double probability);
absl::Duration UpTo(absl::Duration most);

}  // namespace kube::leaderelection

#endif  // CONTROLLER_LEADERELECTION_TESTING_LEASE_CLUSTER_H_

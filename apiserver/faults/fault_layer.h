#ifndef APISERVER_FAULTS_FAULT_LAYER_H_
#define APISERVER_FAULTS_FAULT_LAYER_H_

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/mutex.h"
#include "apiserver/fault_rule.h"
#include "apiserver/faults/faulty_exchange.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {

// What faults are put around. All of it is called without locks.
class FaultHost {
 public:
  virtual ~FaultHost() = default;

  virtual FaultSubject Describe(const httpserver::Request& request) = 0;
  // The answer of an error, in the form that the client reads.
  virtual httpserver::Response ErrorAnswer(const httpserver::Request& request,
                                           const absl::Status& error) = 0;
  virtual void Serve(std::shared_ptr<FaultyExchange> exchange) = 0;
  // A request that was not served because of these faults; code 0: nor answered.
  virtual void LogUnserved(FaultyExchange& exchange, absl::string_view faults, int code) = 0;
  // Watches are to look again what they may tell.
  virtual void WakeWatches() = 0;
};

// Between the carrier of requests and their server: counts what rules see, and does what they say.
// See Faults for the contract.
//
// Thread-safe.
class FaultLayer : public std::enable_shared_from_this<FaultLayer> {
 public:
  explicit FaultLayer(std::weak_ptr<FaultHost> host) : host_(std::move(host)) {}

  // ---- as Faults

  FaultId Add(FaultRule rule);
  void Remove(FaultId id);
  void Clear();
  FaultCount Count(FaultId id) const;
  std::vector<FaultCount> Counts() const;
  void CloseWatches();
  void BreakConnections();

  // ---- for the server

  // Serves it, if no rule is against that.
  void Handle(std::shared_ptr<httpserver::Exchange> inner);
  // Breaks off what nobody would end after it.
  void Close();

  // ---- for exchanges

  void Leave(int64_t id);
  FaultSubject Describe(const httpserver::Request& request) const;
  httpserver::Response ErrorAnswer(const FaultyExchange& exchange) const;
  int64_t Lag(FaultyExchange& exchange);
  std::optional<fault::Bookmarks> Bookmarks(FaultyExchange& exchange);
  // What becomes of an event; nothing, mostly.
  Fault OfEvent(FaultyExchange& exchange, absl::string_view namespace_name, absl::string_view name);

 private:
  struct Rule {
    FaultId id = 0;
    FaultRule rule = {};
    FaultCount count = {};
    uint64_t dice = 0;
  };
  // An exchange that lives.
  struct Open {
    std::weak_ptr<FaultyExchange> exchange = {};
    // What was chosen for it, of what is chosen once.
    std::map<FaultId, bool> chosen = {};
    bool partitioned = false;
    // It came in a partition: it has not been served.
    bool parked = false;
  };

  // Counts, and chooses.
  static bool Fires(Rule& rule);
  FaultPlan PlanOf(const FaultSubject& subject) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The first rule with such a fault that was chosen for this exchange and is still there.
  template <typename F>
  std::optional<F> Chosen(Open& open, const FaultSubject& subject)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  template <typename F>
  std::optional<F> InForce(FaultyExchange& exchange);
  std::vector<std::shared_ptr<FaultyExchange>> Exchanges() const;
  // Brings an exchange into a partition or out of it, as the rules say now; one that arrives, or
  // comes out and has not been served, goes on.
  void Partition(const std::shared_ptr<FaultyExchange>& exchange, bool arrives);
  // After a change of the rules.
  void Apply();
  // With its plan: first its delay, then the rest.
  void Go(const std::shared_ptr<FaultyExchange>& exchange);
  void Proceed(const std::shared_ptr<FaultyExchange>& exchange);

  const std::weak_ptr<FaultHost> host_;
  // So that requests cost next to nothing while there are none.
  std::atomic<bool> has_rules_ = false;

  mutable base::Mutex mutex_;
  int64_t next_id_ ABSL_GUARDED_BY(mutex_) = 1;
  std::vector<Rule> rules_ ABSL_GUARDED_BY(mutex_);
  std::map<int64_t, Open> open_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kube::apiserver::internal

#endif  // APISERVER_FAULTS_FAULT_LAYER_H_

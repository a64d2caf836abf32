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

// The server behind a FaultLayer. The layer calls it without holding locks.
class FaultHost {
 public:
  virtual ~FaultHost() = default;

  virtual FaultSubject Describe(const httpserver::Request& request) = 0;
  // Returns the response for an error, in the encoding that the client accepts.
  virtual httpserver::Response ErrorAnswer(const httpserver::Request& request,
                                           const absl::Status& error) = 0;
  virtual void Serve(std::shared_ptr<FaultyExchange> exchange) = 0;
  // Logs a request that was not served because of these faults. `code` is that of the response, or
  // zero if there was none.
  virtual void LogUnserved(FaultyExchange& exchange, absl::string_view faults, int code) = 0;
  // Lets watches check again what they may send, after a change of the rules.
  virtual void WakeWatches() = 0;
};

// Stands between the carrier of requests and their server: counts what rules match, and injects
// their faults. Faults has the contract.
//
// Thread-safe.
class FaultLayer : public std::enable_shared_from_this<FaultLayer> {
 public:
  explicit FaultLayer(std::weak_ptr<FaultHost> host) : host_(std::move(host)) {}

  // ---- the methods of Faults

  FaultId Add(FaultRule rule);
  void Remove(FaultId id);
  void Clear();
  FaultCount Count(FaultId id) const;
  std::vector<FaultCount> Counts() const;
  void CloseWatches(absl::string_view user_agent);
  void BreakConnections(absl::string_view user_agent);

  // ---- for the server

  // Serves a request, unless a rule prevents that.
  void Handle(std::shared_ptr<httpserver::Exchange> inner);
  // Aborts the exchanges that nobody holds but themselves. Call it before the server is destroyed.
  void Close();

  // ---- for exchanges

  void Leave(int64_t id);
  FaultSubject Describe(const httpserver::Request& request) const;
  httpserver::Response ErrorAnswer(const FaultyExchange& exchange) const;
  int64_t Lag(FaultyExchange& exchange);
  std::optional<fault::Bookmarks> Bookmarks(FaultyExchange& exchange);
  // Returns the fault of the first rule that fires for an event, usually none.
  Fault OfEvent(FaultyExchange& exchange, absl::string_view namespace_name, absl::string_view name);

 private:
  struct Rule {
    FaultId id = 0;
    FaultRule rule = {};
    FaultCount count = {};
    uint64_t dice = 0;
  };
  // An exchange that has not been destroyed.
  struct Open {
    std::weak_ptr<FaultyExchange> exchange = {};
    // By rule: whether it applies to this exchange. Set once, for rules whose fault lasts.
    std::map<FaultId, bool> chosen = {};
    bool partitioned = false;
    // Whether it arrived in a partition, and thus has not been served yet.
    bool parked = false;
  };

  // Counts a match, and decides whether the rule fires.
  static bool Fires(Rule& rule);
  // `wants_upgrade` says whether the request may switch protocols.
  FaultPlan PlanOf(const FaultSubject& subject, bool wants_upgrade)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Returns the fault of type F that is in force for this exchange, by the first rule that was
  // chosen for it.
  template <typename F>
  std::optional<F> Chosen(Open& open, const FaultSubject& subject)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  template <typename F>
  std::optional<F> InForce(FaultyExchange& exchange);
  // Returns the open exchanges of requests whose User-Agent begins with this; all if it is empty.
  std::vector<std::shared_ptr<FaultyExchange>> Exchanges(absl::string_view user_agent = "") const;
  // Moves an exchange into a partition or out of it, as the rules now say. Serves it if it has just
  // arrived, or if it has waited in the partition since it arrived.
  void Partition(const std::shared_ptr<FaultyExchange>& exchange, bool arrives);
  // Applies a change of the rules to open exchanges.
  void Apply();
  // Carries out the plan of an exchange: waits for its delay, then calls Proceed.
  void Go(const std::shared_ptr<FaultyExchange>& exchange);
  void Proceed(const std::shared_ptr<FaultyExchange>& exchange);

  const std::weak_ptr<FaultHost> host_;
  // Makes requests cost almost nothing extra while no rules are set.
  std::atomic<bool> has_rules_ = false;

  mutable base::Mutex mutex_;
  int64_t next_id_ ABSL_GUARDED_BY(mutex_) = 1;
  std::vector<Rule> rules_ ABSL_GUARDED_BY(mutex_);
  std::map<int64_t, Open> open_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kube::apiserver::internal

#endif  // APISERVER_FAULTS_FAULT_LAYER_H_

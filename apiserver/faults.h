#ifndef APISERVER_FAULTS_H_
#define APISERVER_FAULTS_H_

#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "apiserver/fault_rule.h"

namespace kube::apiserver {

namespace internal {
class FaultLayer;
}  // namespace internal

// The fault rules of one server; ApiHandler::faults() returns it.
//
//   const FaultId down = server.faults().Add({.user = "jane", .fault = fault::Drop{}});
//   ...
//   server.faults().Remove(down);
//
// Rules are evaluated in the order in which they were added. For each request, delays add up; the
// first Error or Drop that fires decides, and later rules are not evaluated. Of several
// BreakConnection the smallest number of bytes counts. For each event of a
// watch, the first rule that fires decides. Partition, Lag and Bookmarks are decided once for each
// request, also for watches that were open when the rule was added, and hold until the request ends
// or the rule is removed.
//
// Rules are evaluated before the request is authorized. Nothing fails below HTTP: TCP, TLS and
// framing stay intact (see net/httpserver/testing/faults.h for those), and HTTP/2 pings are
// answered during a partition. Under SimRuntime the same seed gives the same faults in each run.
//
// A cheap copyable handle, which may outlive the server: its methods then have no effect.
// Thread-safe.
class Faults {
 public:
  // Appends a rule.
  FaultId Add(FaultRule rule);
  // Removes a rule. Requests that its Partition held back continue on the calling thread. Does
  // nothing if the rule does not exist.
  void Remove(FaultId id);
  // Removes all rules.
  void Clear();

  // Returns how often the rule has matched and fired since it was added. Returns zeros if it does
  // not exist.
  FaultCount Count(FaultId id) const;
  // Returns the counts of all rules, in their order.
  std::vector<FaultCount> Counts() const;

  // Ends all watches regularly, as if their timeout had passed. With `user_agent`, only those of
  // requests whose User-Agent begins with it.
  void CloseWatches(absl::string_view user_agent = "");
  // Aborts all open requests, including watches, and resets connections that have switched
  // protocols. With `user_agent`, only requests whose User-Agent begins with it.
  void BreakConnections(absl::string_view user_agent = "");

 private:
  friend class ApiHandler;
  explicit Faults(std::shared_ptr<apiserver::internal::FaultLayer> layer)
      : layer_(std::move(layer)) {}

  std::shared_ptr<apiserver::internal::FaultLayer> layer_;
};

}  // namespace kube::apiserver

#endif  // APISERVER_FAULTS_H_

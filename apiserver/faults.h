#ifndef APISERVER_FAULTS_H_
#define APISERVER_FAULTS_H_

#include <memory>
#include <utility>
#include <vector>

#include "apiserver/fault_rule.h"

namespace kube::apiserver {

namespace internal {
class FaultLayer;
}  // namespace internal

// What goes wrong at one server, by rules; of ApiHandler::faults().
//
//   const FaultId down = server.faults().Add({.user = "node-1", .fault = fault::Partition{}});
//   ... // node-1 hears nothing
//   server.faults().Remove(down);
//
// For each request the rules are asked in their order. Delays add up; the first Error or Drop that
// is chosen decides, and rules behind it are not asked. For each event the first one decides. A
// Partition, a Lag and Bookmarks are chosen once for each request, also for a watch that was open
// when the rule came, and hold while it is open and the rule is there.
//
// It decides about requests before they are authorized, and sees no connections: nothing fails in
// TCP, TLS or HTTP's framing (see net/httpserver/testing/faults.h), and pings are answered in a
// partition. Under SimRuntime each run of a seed fails in the same way.
//
// A handle: cheap to copy, and harmless when the server has gone. Thread-safe.
class Faults {
 public:
  // Behind those that are there.
  FaultId Add(FaultRule rule);
  // Its requests that wait in a Partition go on, on this thread. Nothing happens where it is gone.
  void Remove(FaultId id);
  // All rules.
  void Clear();

  // Since it was added; zeros for one that is gone.
  FaultCount Count(FaultId id) const;
  // Of all, in their order.
  std::vector<FaultCount> Counts() const;

  // Ends all watches, as at their timeout.
  void CloseWatches();
  // Breaks all requests off that are open, watches among them.
  void BreakConnections();

 private:
  friend class ApiHandler;
  explicit Faults(std::shared_ptr<apiserver::internal::FaultLayer> layer)
      : layer_(std::move(layer)) {}

  std::shared_ptr<apiserver::internal::FaultLayer> layer_;
};

}  // namespace kube::apiserver

#endif  // APISERVER_FAULTS_H_

#ifndef CONTROLLER_MANAGER_RUNNABLE_H_
#define CONTROLLER_MANAGER_RUNNABLE_H_

namespace kube::controller {

// When a function that was added to a Manager runs. The phases start in this order and end in the
// reverse order.
enum class Phase {
  kServers,       // with the health endpoints, before everything else: whatever must answer early
  kBeforeCaches,  // before the first informer, such as what answers for a conversion webhook
  kAlways,        // after the informers were started, in each replica
  kLeader,        // only while this program leads, with the controllers
};

// Options of Manager::Add.
struct RunnableOptions {
  // Default: kLeader, as in controller-runtime, since a function that writes must not run in two
  // replicas at once.
  Phase phase = Phase::kLeader;
  // Whether the function may return OK before its context is done. If not, which is the default,
  // that is an error and ends the program: a function that must run and does not is noticed.
  // (controller-runtime lets it end without a word.)
  bool may_end = false;
};

}  // namespace kube::controller

#endif  // CONTROLLER_MANAGER_RUNNABLE_H_

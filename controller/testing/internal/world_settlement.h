#ifndef CONTROLLER_TESTING_INTERNAL_WORLD_SETTLEMENT_H_
#define CONTROLLER_TESTING_INTERNAL_WORLD_SETTLEMENT_H_

#include <string>

namespace kube::controller::internal {

// How a world fares when its faults have ended.
enum class Settled {
  kYes,        // nothing changes any more
  kNotYet,     // something has still changed at the end of the time
  kTooBusy,    // the operator sends without end
  kNeverEnds,  // a reconcile, or a program that was told to end, does not end
};

struct Settlement {
  Settled settled = Settled::kYes;
  // What changes, or does not end.
  std::string message = {};
};

}  // namespace kube::controller::internal

#endif  // CONTROLLER_TESTING_INTERNAL_WORLD_SETTLEMENT_H_

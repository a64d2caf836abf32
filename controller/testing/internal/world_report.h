#ifndef CONTROLLER_TESTING_INTERNAL_WORLD_REPORT_H_
#define CONTROLLER_TESTING_INTERNAL_WORLD_REPORT_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "controller/testing/audit_finding.h"

namespace kube::controller::internal {

// What a run tells the world outside of its simulation, which may be stuck.
struct WorldReport {
  // The error of the start or of the scenario.
  absl::Status error;
  std::vector<AuditFinding> findings;
  // What led to the first finding, or to the error.
  std::string story;
  // The objects at the end, normalised; empty unless the run has come to its end.
  std::string end_state;
};

}  // namespace kube::controller::internal

#endif  // CONTROLLER_TESTING_INTERNAL_WORLD_REPORT_H_

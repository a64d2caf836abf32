#ifndef CONTROLLER_TESTING_AUDIT_FINDING_H_
#define CONTROLLER_TESTING_AUDIT_FINDING_H_

#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace kube::controller {

// The mistakes of operators that audits look for. audits.h says by which rule each one is found,
// except for kNotConverged and kOrderMatters, which only OperatorWorld finds.
enum class AuditKind {
  kWriteWithoutChange,   // writes that change nothing, again and again
  kUnconditionalUpdate,  // an update without the version that was read
  kLostFinalizer,        // a write removed somebody else's finalizer
  kStuckFinalizer,       // a deleted object waits for the operator
  kOrphan,               // an object outlived its owner
  kMissingOwner,         // a created object has no controller
  kMissingRight,         // a request was forbidden
  kUnusedRight,          // a right that no request needed
  kEventStorm,           // many events about one object
  kHotLoop,              // many requests about one object
  kWriterFight,          // two writers undo each other's writes
  kCreatedTwice,         // a stale read led to a second creation
  kReconcileNeverEnds,   // writes go on though nothing happens
  kNotConverged,         // the wanted state was not reached
  kOrderMatters,         // another order of events led elsewhere
};

// Returns the name of the kind, such as "WriteWithoutChange".
absl::string_view AuditKindName(AuditKind kind);

// A mistake that an audit has found, with the reason. A value.
struct AuditFinding {
  AuditKind kind = AuditKind::kNotConverged;
  // The object as "RESOURCE.GROUP NAMESPACE/NAME", such as "deployments.apps default/web" or
  // "nodes node-1". For rights "VERB RESOURCE.GROUP", such as "patch deployments.apps/status".
  // Empty if the finding is not about one object.
  std::string object = {};
  // Why this is a mistake, with the figures that led to it, and what to do about it.
  std::string message = {};
  // When it was noticed: the time of the last request that belongs to it. The infinite past if it
  // follows from a state or from rules, not from requests.
  absl::Time time = absl::InfinitePast();
  // The number of requests that belong to it. Zero if it does not follow from requests.
  size_t count = 0;
};

// Returns one line: "WriteWithoutChange: deployments.apps default/web: 6 writes in 1m changed ...".
std::string FindingText(const AuditFinding& finding);
// Returns a line for each finding, and the empty text for no findings, for messages of tests:
// `EXPECT_THAT(findings, IsEmpty()) << FindingsText(findings)`.
std::string FindingsText(const std::vector<AuditFinding>& findings);

// Print the name and the line.
std::ostream& operator<<(std::ostream& out, AuditKind kind);
std::ostream& operator<<(std::ostream& out, const AuditFinding& finding);

}  // namespace kube::controller

#endif  // CONTROLLER_TESTING_AUDIT_FINDING_H_

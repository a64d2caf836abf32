#ifndef CONTROLLER_TESTING_INTERNAL_AUDIT_SINK_H_
#define CONTROLLER_TESTING_INTERNAL_AUDIT_SINK_H_

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "controller/testing/audit_finding.h"
#include "controller/testing/audit_options.h"

namespace kube::controller::internal {

// Returns whether the options say that the finding must not be reported. Pure function.
bool IsAllowed(const AuditFinding& finding, const AuditOptions& options);

// Collects findings: one for each kind and object, and none that the options allow.
// Thread-compatible.
class AuditSink {
 public:
  // The options must outlive it.
  explicit AuditSink(const AuditOptions& options) : options_(options) {}

  // Adds a finding, or replaces that of the same kind and object if this one counts more.
  void Add(AuditFinding finding);
  // Returns all findings, sorted by time, kind and object.
  std::vector<AuditFinding> Findings() const;

 private:
  const AuditOptions& options_;
  std::map<std::pair<AuditKind, std::string>, AuditFinding> findings_;
};

}  // namespace kube::controller::internal

#endif  // CONTROLLER_TESTING_INTERNAL_AUDIT_SINK_H_

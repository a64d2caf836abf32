#include "controller/testing/audit_finding.h"

#include <ostream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace kube::controller {

absl::string_view AuditKindName(AuditKind kind) {
  switch (kind) {
    case AuditKind::kWriteWithoutChange:
      return "WriteWithoutChange";
    case AuditKind::kUnconditionalUpdate:
      return "UnconditionalUpdate";
    case AuditKind::kLostFinalizer:
      return "LostFinalizer";
    case AuditKind::kStuckFinalizer:
      return "StuckFinalizer";
    case AuditKind::kOrphan:
      return "Orphan";
    case AuditKind::kMissingOwner:
      return "MissingOwner";
    case AuditKind::kMissingRight:
      return "MissingRight";
    case AuditKind::kUnusedRight:
      return "UnusedRight";
    case AuditKind::kEventStorm:
      return "EventStorm";
    case AuditKind::kHotLoop:
      return "HotLoop";
    case AuditKind::kWriterFight:
      return "WriterFight";
    case AuditKind::kCreatedTwice:
      return "CreatedTwice";
    case AuditKind::kReconcileNeverEnds:
      return "ReconcileNeverEnds";
    case AuditKind::kNotConverged:
      return "NotConverged";
    case AuditKind::kOrderMatters:
      return "OrderMatters";
  }
  return "Unknown";
}

std::string FindingText(const AuditFinding& finding) {
  std::string text(AuditKindName(finding.kind));
  if (!finding.object.empty()) absl::StrAppend(&text, ": ", finding.object);
  return absl::StrCat(text, ": ", finding.message);
}

std::string FindingsText(const std::vector<AuditFinding>& findings) {
  std::string text;
  for (const AuditFinding& each : findings) absl::StrAppend(&text, FindingText(each), "\n");
  return text;
}

std::ostream& operator<<(std::ostream& out, AuditKind kind) {
  const absl::string_view name = AuditKindName(kind);
  return out << std::string(name);
}

std::ostream& operator<<(std::ostream& out, const AuditFinding& finding) {
  return out << FindingText(finding);
}

}  // namespace kube::controller

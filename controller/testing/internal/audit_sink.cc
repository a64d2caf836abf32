#include "controller/testing/internal/audit_sink.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "controller/testing/audit_finding.h"
#include "controller/testing/audit_options.h"

namespace kube::controller::internal {

bool IsAllowed(const AuditFinding& finding, const AuditOptions& options) {
  for (const AuditAllowance& each : options.ignore) {
    if (each.kind.has_value() && *each.kind != finding.kind) continue;
    if (each.object.empty() || each.object == finding.object) return true;
    if (absl::StartsWith(finding.object, absl::StrCat(each.object, " "))) return true;
  }
  return false;
}

void AuditSink::Add(AuditFinding finding) {
  if (IsAllowed(finding, options_)) return;
  const std::pair<AuditKind, std::string> key(finding.kind, finding.object);
  const auto it = findings_.find(key);
  if (it == findings_.end()) {
    findings_.emplace(key, std::move(finding));
  } else if (finding.count > it->second.count) {
    it->second = std::move(finding);
  }
}

std::vector<AuditFinding> AuditSink::Findings() const {
  std::vector<AuditFinding> findings;
  for (const auto& [key, finding] : findings_) findings.push_back(finding);
  // They are sorted by kind and object already.
  std::stable_sort(findings.begin(), findings.end(),
                   [](const AuditFinding& a, const AuditFinding& b) { return a.time < b.time; });
  return findings;
}

}  // namespace kube::controller::internal

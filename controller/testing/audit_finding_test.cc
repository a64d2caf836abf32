#include "controller/testing/audit_finding.h"

#include <cstddef>
#include <set>
#include <sstream>
#include <string>

#include "gtest/gtest.h"

namespace kube::controller {
namespace {

TEST(AuditFinding, EachKind_HasAName) {
  std::set<std::string> names;
  const int last = static_cast<int>(AuditKind::kOrderMatters);
  for (int kind = 0; kind <= last; ++kind) {
    names.insert(std::string(AuditKindName(static_cast<AuditKind>(kind))));
  }
  EXPECT_EQ(names.size(), static_cast<size_t>(last) + 1);
  EXPECT_EQ(names.count("Unknown"), 0u);
}

TEST(AuditFinding, TheText_HasTheKindTheObjectAndTheReason) {
  const AuditFinding finding = {
      .kind = AuditKind::kHotLoop, .object = "pods default/a", .message = "99 requests"};
  EXPECT_EQ(FindingText(finding), "HotLoop: pods default/a: 99 requests");
  EXPECT_EQ(FindingText({.kind = AuditKind::kNotConverged, .message = "no"}), "NotConverged: no");
  EXPECT_EQ(FindingsText({finding, finding}),
            "HotLoop: pods default/a: 99 requests\nHotLoop: pods default/a: 99 requests\n");
  EXPECT_EQ(FindingsText({}), "");
  std::ostringstream out;
  out << AuditKind::kOrphan << " " << finding;
  EXPECT_EQ(out.str(), "Orphan HotLoop: pods default/a: 99 requests");
}

}  // namespace
}  // namespace kube::controller

#include "controller/testing/internal/audit_sink.h"

#include <cstddef>

#include "absl/time/time.h"
#include "controller/testing/audit_finding.h"
#include "controller/testing/audit_options.h"
#include "gtest/gtest.h"

namespace kube::controller::internal {
namespace {

AuditFinding HotLoop(const char* object, size_t count, absl::Time time = absl::UnixEpoch()) {
  return {.kind = AuditKind::kHotLoop, .object = object, .time = time, .count = count};
}

TEST(AuditSink, OfEqualFindings_TheLargestIsKept) {
  const AuditOptions options;
  AuditSink sink(options);
  sink.Add(HotLoop("pods default/a", 2));
  sink.Add(HotLoop("pods default/a", 3));
  sink.Add(HotLoop("pods default/a", 1));
  ASSERT_EQ(sink.Findings().size(), 1u);
  EXPECT_EQ(sink.Findings()[0].count, 3u);
}

TEST(AuditSink, Findings_AreSortedByTime) {
  const AuditOptions options;
  AuditSink sink(options);
  sink.Add(HotLoop("a", 1, absl::UnixEpoch() + absl::Seconds(2)));
  sink.Add(HotLoop("b", 1, absl::UnixEpoch() + absl::Seconds(1)));
  ASSERT_EQ(sink.Findings().size(), 2u);
  EXPECT_EQ(sink.Findings()[0].object, "b");
}

TEST(AuditSink, AnAllowance_IsForWholeWords) {
  const AuditOptions options = {.ignore = {{.object = "pods"}, {.object = "maps default/a"}}};
  AuditSink sink(options);
  sink.Add(HotLoop("pods default/a", 1));
  sink.Add(HotLoop("maps default/a", 1));
  EXPECT_TRUE(sink.Findings().empty());
  sink.Add(HotLoop("pods.metrics.k8s.io default/a", 1));
  sink.Add(HotLoop("maps default/ab", 1));
  EXPECT_EQ(sink.Findings().size(), 2u);
}

TEST(AuditSink, AnAllowance_IsForItsKind) {
  const AuditOptions options = {.ignore = {{.kind = AuditKind::kOrphan}}};
  AuditSink sink(options);
  sink.Add(HotLoop("pods default/a", 1));
  sink.Add({.kind = AuditKind::kOrphan, .object = "pods default/a"});
  ASSERT_EQ(sink.Findings().size(), 1u);
  EXPECT_EQ(sink.Findings()[0].kind, AuditKind::kHotLoop);
}

}  // namespace
}  // namespace kube::controller::internal

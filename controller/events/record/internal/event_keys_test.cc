#include "controller/events/record/internal/event_keys.h"

#include <vector>

#include "api/core/v1/types.kube.h"
#include "gtest/gtest.h"

namespace kube::record::internal {
namespace {

namespace corev1 = api::core::v1;

// Which keys tell an event from one that differs in this.
struct Case {
  const char* name;
  void (*change)(corev1::Event&);
  bool event, spam, group, local;
};

TEST(EventKeys, Keys_EachChangedField_ChangesOnlyTheKeysThatContainIt) {
  const std::vector<Case> cases = {
      {"component", [](corev1::Event& e) { e.source.component = "x"; }, true, true, true, false},
      {"host", [](corev1::Event& e) { e.source.host = "x"; }, true, true, true, false},
      {"kind", [](corev1::Event& e) { e.involved_object.kind = "x"; }, true, true, true, false},
      {"namespace", [](corev1::Event& e) { e.involved_object.namespace_ = "x"; }, true, true, true,
       false},
      {"name", [](corev1::Event& e) { e.involved_object.name = "x"; }, true, true, true, false},
      {"uid", [](corev1::Event& e) { e.involved_object.uid = "x"; }, true, true, true, false},
      {"apiVersion", [](corev1::Event& e) { e.involved_object.api_version = "x"; }, true, true,
       true, false},
      {"fieldPath", [](corev1::Event& e) { e.involved_object.field_path = "x"; }, true, false,
       false, false},
      {"resourceVersion", [](corev1::Event& e) { e.involved_object.resource_version = "x"; }, false,
       false, false, false},
      {"type", [](corev1::Event& e) { e.type = "x"; }, true, true, true, false},
      {"reason", [](corev1::Event& e) { e.reason = "x"; }, true, false, true, false},
      {"message", [](corev1::Event& e) { e.message = "x"; }, true, false, false, true},
      {"controller", [](corev1::Event& e) { e.reporting_component = "x"; }, false, false, true,
       false},
      {"instance", [](corev1::Event& e) { e.reporting_instance = "x"; }, false, false, true, false},
      {"event's name", [](corev1::Event& e) { e.metadata.name = "x"; }, false, false, false, false},
      {"count", [](corev1::Event& e) { e.count = 7; }, false, false, false, false},
  };
  const corev1::Event event;
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    corev1::Event other;
    c.change(other);
    EXPECT_EQ(EventKey(event) != EventKey(other), c.event);
    EXPECT_EQ(SpamKey(event) != SpamKey(other), c.spam);
    EXPECT_EQ(AggregateByReason(event).group != AggregateByReason(other).group, c.group);
    EXPECT_EQ(AggregateByReason(event).local != AggregateByReason(other).local, c.local);
  }
}

TEST(EventKeys, Keys_TextMovedBetweenNeighbouringFields_Differ) {
  corev1::Event a;
  a.involved_object.namespace_ = "ab";
  a.involved_object.name = "c";
  corev1::Event b;
  b.involved_object.namespace_ = "a";
  b.involved_object.name = "bc";
  EXPECT_NE(EventKey(a), EventKey(b));
  EXPECT_NE(SpamKey(a), SpamKey(b));
  EXPECT_NE(AggregateByReason(a).group, AggregateByReason(b).group);
}

}  // namespace
}  // namespace kube::record::internal

#include "controller/events/record/testing/fake_recorder.h"

#include "api/core/v1/types.kinds.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "controller/events/record/event_recorder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::record {
namespace {

namespace corev1 = api::core::v1;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(FakeRecorder, Event_EachKind_IsKeptAsText) {
  FakeRecorder recorder;
  const corev1::Pod pod;
  recorder.Event(pod, kEventTypeNormal, "Created", "made 100%");
  recorder.Eventf(pod, kEventTypeWarning, "Failed", "%s after %d s", "timeout", 3);
  recorder.AnnotatedEventf(pod, {{"a", "b"}, {"c", "d"}}, "Odd", "R", "m");
  EXPECT_THAT(recorder.NextEvent(Context()), base::IsOkAndHolds("Normal Created made 100%"));
  EXPECT_THAT(recorder.TakeEvents(),
              ElementsAre("Warning Failed timeout after 3 s", "Odd R m map[a:b c:d]"));
  EXPECT_THAT(recorder.TakeEvents(), IsEmpty());
}

TEST(FakeRecorder, Event_FullBuffer_IsDroppedAndCounted) {
  FakeRecorder recorder({.buffer_size = 1});
  for (int i = 0; i < 3; ++i) recorder.Eventf(nullptr, kEventTypeNormal, "R", "%d", i);
  EXPECT_THAT(recorder.TakeEvents(), ElementsAre("Normal R 0"));
  EXPECT_EQ(recorder.dropped(), 2u);
}

TEST(FakeRecorder, IncludeObject_TextOfAnEvent_HasKindAndVersion) {
  FakeRecorder recorder({.kinds = {corev1::Kinds()}, .include_object = true});
  recorder.Event(corev1::Pod(), kEventTypeNormal, "R", "m");
  recorder.Event(nullptr, kEventTypeNormal, "R", "m");
  EXPECT_THAT(recorder.TakeEvents(),
              ElementsAre("Normal R m involvedObject{kind=Pod,apiVersion=v1}",
                          "Normal R m involvedObject{kind=unknown,apiVersion=unknown}"));
}

}  // namespace
}  // namespace kube::record

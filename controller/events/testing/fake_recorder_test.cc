#include "controller/events/testing/fake_recorder.h"

#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "controller/events/event_recorder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::events {
namespace {

using testing::ElementsAre;

TEST(FakeRecorder, Eventf_TextsAreKeptAndThoseBeyondTheBufferDropped) {
  FakeRecorder recorder(3);
  const api::core::v1::Pod pod;
  recorder.Eventf(pod, nullptr, kEventTypeNormal, "Scheduled", "Binding", "to node %s", "n1");
  recorder.Record(pod, pod, kEventTypeWarning, "Failed", "Binding", "100%");
  recorder.Eventf(pod, nullptr, "Odd", "R", "A", "m");
  recorder.Eventf(pod, nullptr, kEventTypeNormal, "One", "Too", "many");
  EXPECT_THAT(recorder.NextEvent(Context()), base::IsOkAndHolds("Normal Scheduled to node n1"));
  EXPECT_THAT(recorder.TakeEvents(), ElementsAre("Warning Failed 100%", "Odd R m"));
  EXPECT_EQ(recorder.dropped(), 1u);
}

}  // namespace
}  // namespace kube::events

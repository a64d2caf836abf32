#include "controller/reconcile/internal/attach_watch.h"

#include <string>

#include "controller/reconcile/cause.h"
#include "controller/triggers/trigger.h"
#include "gtest/gtest.h"

namespace kube::controller::internal {
namespace {

struct EventCase {
  std::string name;
  TriggerEvent::Type type;
  bool initial;
  bool resync;
  Cause::Type cause;
};

class CauseOfTest : public testing::TestWithParam<EventCase> {};

// behaviour.md: SRC-14
TEST_P(CauseOfTest, Type) {
  TriggerEvent event;
  event.type = GetParam().type;
  event.initial = GetParam().initial;
  event.resync = GetParam().resync;
  event.object = {.namespace_name = "prod", .name = "web"};
  event.new_version = "7";
  const Cause cause = CauseOf(event, "Website");
  EXPECT_EQ(cause.type, GetParam().cause);
  EXPECT_EQ(cause.kind, "Website");
  EXPECT_EQ(cause.object.ToString(), "prod/web");
  EXPECT_EQ(cause.new_version, "7");
}

INSTANTIATE_TEST_SUITE_P(
    Events, CauseOfTest,
    testing::Values(
        EventCase{"Added", TriggerEvent::Type::kAdded, false, false, Cause::Type::kAdded},
        EventCase{"InitialList", TriggerEvent::Type::kAdded, true, false,
                  Cause::Type::kInitialList},
        EventCase{"Updated", TriggerEvent::Type::kUpdated, false, false, Cause::Type::kUpdated},
        EventCase{"Resync", TriggerEvent::Type::kUpdated, false, true, Cause::Type::kResync},
        EventCase{"Deleted", TriggerEvent::Type::kDeleted, false, false, Cause::Type::kDeleted}),
    [](const testing::TestParamInfo<EventCase>& test) { return test.param.name; });

TEST(CauseOfKindTest, TheEventsOwnKindWins) {
  TriggerEvent event;
  event.kind = "Other";
  EXPECT_EQ(CauseOf(event, "Website").kind, "Other");
}

}  // namespace
}  // namespace kube::controller::internal

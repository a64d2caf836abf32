#include "controller/events/internal/event_name.h"

#include <string>

#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::events::internal {
namespace {

using testing::MatchesRegex;

constexpr char kUuid[] = "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}";

TEST(EventName, GenerateEventName_ObjectAndTime_JoinsNameAndHexTime) {
  const absl::Time time = absl::FromUnixNanos(0x187a5e1f0c2b3d44);
  EXPECT_EQ(GenerateEventName("web-0", time), "web-0.187a5e1f0c2b3d44");
  EXPECT_EQ(GenerateEventName("a.b", absl::UnixEpoch()), "a.b.0");
}

TEST(EventName, GenerateEventName_NotAValidName_IsAnotherUuidEachTime) {
  const absl::Time time = absl::FromUnixSeconds(1'700'000'000);
  for (const std::string& name :
       {std::string("system:node"), std::string("Upper"), std::string(""), std::string(250, 'a')}) {
    SCOPED_TRACE(name);
    EXPECT_THAT(GenerateEventName(name, time), MatchesRegex(kUuid));
    EXPECT_NE(GenerateEventName(name, time), GenerateEventName(name, time));
  }
}

TEST(EventName, IsEventType_NormalAndWarning_AreTheOnlyOnes) {
  EXPECT_TRUE(IsEventType("Normal"));
  EXPECT_TRUE(IsEventType("Warning"));
  EXPECT_FALSE(IsEventType("normal"));
  EXPECT_FALSE(IsEventType("Error"));
  EXPECT_FALSE(IsEventType(""));
}

}  // namespace
}  // namespace kube::events::internal

#include "apimachinery/watch/internal/any_event.h"

#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/queue.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/watch/event.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::watch::internal {
namespace {

using base::IsOk;
using base::StatusIs;
using Texts = Event<std::string>;

TEST(AnyEvent, ToAnyThenFromAny_SharesTheObject) {
  const Texts object = {.type = EventType::kDeleted,
                        .object = std::make_shared<const std::string>("a")};
  EXPECT_EQ(FromAny<std::string>(ToAny(object)).object, object.object) << "not a copy";
  EXPECT_EQ(FromAny<std::string>(ToAny(object)), object);
  const Texts error = {.type = EventType::kError, .error = absl::AbortedError("x")};
  EXPECT_EQ(FromAny<std::string>(ToAny(error)), error);
}

TEST(NextOf, NextOf_ClosedQueue_ReturnsItsEventsThenTheEnd) {
  EventQueue queue(2, base::WhenFull::kReject);
  ASSERT_THAT(queue.Push(Context(), {.type = EventType::kBookmark}), IsOk());
  queue.Close();
  EXPECT_THAT(NextOf(queue, WithTimeout(Context(), absl::ZeroDuration())),
              StatusIs(absl::StatusCode::kDeadlineExceeded));
  const absl::StatusOr<std::optional<Texts>> event = NextOf<std::string>(queue, Context());
  ASSERT_THAT(event, IsOk());
  ASSERT_TRUE(event->has_value());
  EXPECT_EQ((*event)->type, EventType::kBookmark);
  for (int i = 0; i < 2; ++i) {
    const absl::StatusOr<std::optional<Texts>> end = NextOf<std::string>(queue, Context());
    ASSERT_THAT(end, IsOk());
    EXPECT_FALSE(end->has_value());
  }
}

}  // namespace
}  // namespace kube::watch::internal

#include "apimachinery/watch/event.h"

#include <memory>
#include <optional>
#include <sstream>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/stream/watch_reader.h"
#include "apimachinery/errors/predicates.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::watch {
namespace {

namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;
using Frame = codec::WatchFrame<corev1::Pod, metav1::Status>;

TEST(EventType, HasTheNamesOfTheWire) {
  const struct {
    EventType type;
    const char* text;
  } kRows[] = {
      {EventType::kAdded, "ADDED"},     {EventType::kModified, "MODIFIED"},
      {EventType::kDeleted, "DELETED"}, {EventType::kBookmark, "BOOKMARK"},
      {EventType::kError, "ERROR"},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(ToString(row.type), row.text);
    EXPECT_EQ(ParseEventType(row.text), row.type);
    std::ostringstream out;
    out << row.type;
    EXPECT_EQ(out.str(), row.text);
  }
  EXPECT_EQ(ParseEventType("added"), std::nullopt);
  EXPECT_EQ(ParseEventType(""), std::nullopt);
}

TEST(EventOf, EventOf_FrameWithObject_HasTypeAndObject) {
  const auto pod = std::make_shared<const corev1::Pod>();
  const absl::StatusOr<Event<corev1::Pod>> event =
      EventOf<corev1::Pod>(Frame{.type = "MODIFIED", .object = pod});
  ASSERT_THAT(event, base::IsOk());
  EXPECT_EQ(event->type, EventType::kModified);
  EXPECT_EQ(event->object, pod);
  EXPECT_THAT(event->error, base::IsOk());
}

TEST(EventOf, EventOf_ErrorFrame_HasTheServersStatus) {
  const auto status = std::make_shared<const metav1::Status>(
      metav1::Status{.message = "too old", .reason = "Expired", .code = 410});
  const absl::StatusOr<Event<corev1::Pod>> event =
      EventOf<corev1::Pod>(Frame{.type = "ERROR", .status = status});
  ASSERT_THAT(event, base::IsOk());
  EXPECT_EQ(event->type, EventType::kError);
  EXPECT_EQ(event->object, nullptr);
  EXPECT_THAT(event->error, base::StatusIs(absl::StatusCode::kOutOfRange, "too old"));
  EXPECT_TRUE(errors::IsResourceExpired(event->error));
  // One that says nothing is an error all the same.
  EXPECT_THAT(EventOf<corev1::Pod>(Frame{.type = "ERROR"})->error,
              base::StatusIs(absl::StatusCode::kUnknown));
}

TEST(EventOf, EventOf_ErrorFrameWithoutStatus_IsUnexpectedObjectError) {
  const absl::StatusOr<Event<corev1::Pod>> event =
      EventOf<corev1::Pod>(Frame{.type = "ERROR", .unexpected_kind = "Pod"});
  ASSERT_THAT(event, base::IsOk());
  EXPECT_THAT(event->error, base::StatusIs(absl::StatusCode::kUnknown, "unexpected object: Pod"));
  EXPECT_TRUE(errors::IsUnexpectedObjectError(event->error));
}

TEST(EventOf, EventOf_UnknownType_IsInvalidArgument) {
  EXPECT_THAT(
      EventOf<corev1::Pod>(Frame{.type = "RENAMED"}),
      base::StatusIs(absl::StatusCode::kInvalidArgument, "got invalid watch event type: RENAMED"));
}

TEST(Event, Equality_ComparesTypeObjectAndError) {
  const auto pod = [](const char* name) {
    corev1::Pod object;
    object.metadata.name = name;
    return std::make_shared<const corev1::Pod>(object);
  };
  const Event<corev1::Pod> a = {.object = pod("a")};
  EXPECT_EQ(a, (Event<corev1::Pod>{.object = pod("a")}));
  EXPECT_FALSE(a == (Event<corev1::Pod>{.object = pod("b")}));
  EXPECT_FALSE(a == (Event<corev1::Pod>{.type = EventType::kDeleted, .object = pod("a")}));
  EXPECT_FALSE(a == Event<corev1::Pod>{});
  EXPECT_FALSE((Event<corev1::Pod>{.error = absl::AbortedError("x")}) == Event<corev1::Pod>{});
}

}  // namespace
}  // namespace kube::watch

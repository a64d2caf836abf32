#include "clientset/rest/second_attempt.h"

#include "absl/status/status.h"
#include "absl/strings/cord.h"
#include "gtest/gtest.h"

namespace kube::rest {
namespace {

TEST(WithFirstErrorTest, IsTheSecondErrorWithTheTextOfBoth) {
  absl::Status second = absl::NotFoundError("no such pod");
  second.SetPayload("a", absl::Cord("1"));
  absl::Status first = absl::PermissionDeniedError("no get");
  first.SetPayload("b", absl::Cord("2"));
  const absl::Status both = WithFirstError(second, first);
  EXPECT_EQ(both.code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(both.message(), "no such pod; before, by WebSocket: no get");
  EXPECT_EQ(both.GetPayload("a"), absl::Cord("1"));
  EXPECT_FALSE(both.GetPayload("b").has_value());
}

}  // namespace
}  // namespace kube::rest

#include "apimachinery/watch/watcher.h"

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/watch/event.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::watch {
namespace {

TEST(EmptyWatcher, Next_ReturnsTheEndOrTheContextsError) {
  EmptyWatcher<std::string> watcher;
  const absl::StatusOr<std::optional<Event<std::string>>> event = watcher.Next(Context());
  ASSERT_THAT(event, base::IsOk());
  EXPECT_FALSE(event->has_value());
  watcher.Stop();
  EXPECT_THAT(watcher.Next(WithTimeout(Context(), absl::ZeroDuration())),
              base::StatusIs(absl::StatusCode::kDeadlineExceeded));
}

}  // namespace
}  // namespace kube::watch

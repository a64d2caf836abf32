#include "apimachinery/watch/watcher.h"

#include <optional>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/watch/event.h"
#include "apimachinery/watch/testing/fake_watcher.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::watch {
namespace {

using api::core::v1::Pod;

TEST(EmptyWatcher, Next_ReturnsTheEndOrTheContextsError) {
  EmptyWatcher<std::string> watcher;
  const absl::StatusOr<std::optional<Event<std::string>>> event = watcher.Next(Context());
  ASSERT_THAT(event, base::IsOk());
  EXPECT_FALSE(event->has_value());
  watcher.Stop();
  EXPECT_THAT(watcher.Next(WithTimeout(Context(), absl::ZeroDuration())),
              base::StatusIs(absl::StatusCode::kDeadlineExceeded));
}

absl::Status Follow(const Context& ctx, Watcher<Pod>& watcher,
                    absl::FunctionRef<void(const Pod&)> handle) {
  while (true) {
    KUBE_ASSIGN_OR_RETURN(std::optional<Event<Pod>> event, watcher.Next(ctx));
    if (!event.has_value()) return absl::OkStatus();            // the watch has ended
    if (event->type == EventType::kError) return event->error;  // see errors::IsResourceExpired
    handle(*event->object);
  }
}

TEST(Watcher, GivesEventsUntilTheEndOrAnError_AsInTheHeader) {
  std::string names;
  const auto handle = [&names](const Pod& pod) {
    absl::StrAppend(&names, pod.metadata.name.view());
  };
  FakeWatcher<Pod> ends;
  ends.Add({.metadata = {.name = "a"}});
  ends.Stop();
  EXPECT_THAT(Follow(Context(), ends, handle), base::IsOk());
  FakeWatcher<Pod> fails;
  fails.Add({.metadata = {.name = "b"}});
  fails.Error(absl::OutOfRangeError("expired"));
  EXPECT_THAT(Follow(Context(), fails, handle), base::StatusIs(absl::StatusCode::kOutOfRange));
  EXPECT_EQ(names, "ab");
  FakeWatcher<Pod> silent;
  EXPECT_THAT(Follow(WithTimeout(Context(), absl::ZeroDuration()), silent, handle),
              base::StatusIs(absl::StatusCode::kDeadlineExceeded));
}

}  // namespace
}  // namespace kube::watch

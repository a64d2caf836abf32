#include "apimachinery/watch/filter.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/watch/event.h"
#include "apimachinery/watch/testing/fake_watcher.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::watch {
namespace {

using api::core::v1::Pod;
using base::IsOk;
using base::StatusIs;
using testing::ElementsAre;

// A watch needs no API types.
using Texts = FakeWatcher<std::string>;

std::vector<std::string> Drain(Watcher<std::string>& watcher) {
  std::vector<std::string> lines;
  while (true) {
    absl::StatusOr<std::optional<Event<std::string>>> event = watcher.Next(Context());
    EXPECT_THAT(event, IsOk());
    if (!event.ok() || !event->has_value()) return lines;
    lines.push_back((*event)->object ? *(*event)->object : std::string((*event)->error.message()));
  }
}

std::unique_ptr<Texts> Source() {
  auto source = std::make_unique<Texts>();
  for (const char* text : {"a", "drop", "b", "drop", "drop"}) source->Add(text);
  source->Error(absl::AbortedError("broken"));
  return source;
}

TEST(FilteredWatcher, Next_FilterDropsOrChangesEvents_ReturnsTheRest) {
  auto source = Source();
  Texts& texts = *source;
  FilteredWatcher<std::string> watcher(
      std::move(source), [](Event<std::string> event) -> std::optional<Event<std::string>> {
        if (!event.object) return event;
        if (*event.object == "drop") return std::nullopt;
        event.object = std::make_shared<const std::string>(*event.object + "!");
        return event;
      });
  watcher.Stop();
  EXPECT_TRUE(texts.IsStopped());
  EXPECT_THAT(Drain(watcher), ElementsAre("a!", "b!", "broken"));
}

TEST(FilteredWatcher, DropsPodsAndPassesErrorsAndBookmarks_AsInTheHeader) {
  auto pods = std::make_unique<FakeWatcher<Pod>>();
  pods->Add({.metadata = {.name = "dns", .namespace_ = "kube-system"}});
  pods->Add({.metadata = {.name = "web-0", .namespace_ = "prod"}});
  pods->Bookmark({.metadata = {.resource_version = "7"}});
  pods->Error(absl::AbortedError("broken"));
  pods->Stop();
  FilteredWatcher<Pod> users(std::move(pods), [](Event<Pod> event) -> std::optional<Event<Pod>> {
    // Passes errors, which have no object, and bookmarks, which have no namespace.
    if (event.object && event.object->metadata.namespace_ == "kube-system") return std::nullopt;
    return event;
  });
  for (const EventType want : {EventType::kAdded, EventType::kBookmark, EventType::kError}) {
    const absl::StatusOr<std::optional<Event<Pod>>> event = users.Next(Context());
    ASSERT_THAT(event, IsOk());
    ASSERT_TRUE(event->has_value());
    EXPECT_EQ((*event)->type, want);
  }
}

TEST(FilteredWatcher, Next_DoneContext_FailsWithoutAnEvent) {
  FilteredWatcher<std::string> watcher(
      std::make_unique<Texts>(), [](Event<std::string> event) { return std::optional(event); });
  EXPECT_THAT(watcher.Next(WithTimeout(Context(), absl::ZeroDuration())),
              StatusIs(absl::StatusCode::kDeadlineExceeded));
}

TEST(RecordingWatcher, Next_EachEvent_IsRecorded) {
  auto source = Source();
  Texts& texts = *source;
  RecordingWatcher<std::string> watcher(std::move(source));
  EXPECT_THAT(watcher.events(), ElementsAre());
  EXPECT_THAT(watcher.Next(Context()), IsOk());
  EXPECT_EQ(watcher.events().size(), 1u);
  watcher.Stop();
  EXPECT_TRUE(texts.IsStopped());
  EXPECT_EQ(Drain(watcher).size(), 5u);
  ASSERT_EQ(watcher.events().size(), 6u);
  EXPECT_EQ(*watcher.events()[2].object, "b");
  EXPECT_EQ(watcher.events()[5].type, EventType::kError);
}

}  // namespace
}  // namespace kube::watch

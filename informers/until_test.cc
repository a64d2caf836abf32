#include "informers/until.h"

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/watch/event.h"
#include "apimachinery/watch/watcher.h"
#include "clientset/dynamic/dynamic_client.h"
#include "gtest/gtest.h"
#include "informers/lister_watcher.h"
#include "informers/testing/test_cluster.h"

namespace kube::informers {
namespace {

using base::IsOk;
using base::StatusIs;
using unstructured::Unstructured;
using watch::EventType;
using Condition = EventCondition<ConfigMap>;

Condition Has(std::string value) {
  return [value](const watch::Event<ConfigMap>& event) -> absl::StatusOr<bool> {
    if (event.type == EventType::kError) return event.error;
    const String* v = event.object->data.find("v");
    return v != nullptr && *v == value;
  };
}

// Waits with these conditions while "a" becomes 1, 2, 3, and its watches end.
absl::StatusOr<std::optional<watch::Event<ConfigMap>>> Wait(
    const Context& ctx, const std::vector<Condition>& conditions) {
  absl::StatusOr<std::optional<watch::Event<ConfigMap>>> result;
  base::SimRuntime sim;
  const absl::Status end = sim.Run([&] {
    TestCluster cluster;
    const std::string version = absl::StrCat(cluster.server().revision());
    base::Thread writer;
    const absl::Status started = writer.Start(Context(), "writer", [&](const Context& thread_ctx) {
      cluster.Create("a", "0");
      for (int i = 1; i <= 3; ++i) {
        if (!base::SleepFor(thread_ctx, absl::Seconds(10)).ok()) return;
        cluster.transport().BreakStreams(absl::OkStatus());
        cluster.Set("a", absl::StrCat(i));
      }
    });
    EXPECT_THAT(started, IsOk());
    result = Until<ConfigMap>(WithTimeout(ctx, absl::Minutes(5)),
                              *MakeListerWatcher(cluster.config_maps()), version, conditions);
  });
  EXPECT_THAT(end, IsOk());
  return result;
}

TEST(Until, WaitsForOneConditionAfterTheOther) {
  const auto event = Wait(Context(), {Has("1"), Has("3")});
  ASSERT_THAT(event, IsOk());
  EXPECT_EQ(*(*event)->object->data.find("v"), "3");
}

TEST(Until, OneEventMayFulfilSeveral) {
  const auto event = Wait(Context(), {Has("1"), Has("1")});
  ASSERT_THAT(event, IsOk());
  EXPECT_EQ(*(*event)->object->data.find("v"), "1");
}

TEST(Until, WaitsForOneUnstructuredObject) {
  base::SimRuntime sim;
  const absl::Status end = sim.Run([] {
    TestCluster cluster;
    const std::string version = absl::StrCat(cluster.server().revision());
    cluster.Create("a");
    cluster.Create("b");
    const auto maps = dynamic::DynamicClient(cluster.config_maps().client())
                          .Resource({.version = "v1", .resource = "configmaps"})
                          .Namespace("default");
    const auto source = MakeListerWatcher(maps, {.field_selector = "metadata.name=b"});
    ASSERT_THAT(source, IsOk());
    const EventCondition<Unstructured> is_added =
        [](const watch::Event<Unstructured>& event) -> absl::StatusOr<bool> {
      return event.type == EventType::kAdded;
    };
    const auto event =
        Until<Unstructured>(WithTimeout(Context(), absl::Minutes(5)), *source, version, {is_added});
    ASSERT_THAT(event, IsOk());
    EXPECT_EQ((*event)->object->name(), "b");
  });
  EXPECT_THAT(end, IsOk());
}

TEST(Until, WithoutConditions) {
  const auto event = Wait(Context(), {});
  ASSERT_THAT(event, IsOk());
  EXPECT_FALSE(event->has_value());
}

TEST(Until, EndsWithTheErrorOfACondition) {
  const Condition fails = [](const watch::Event<ConfigMap>&) -> absl::StatusOr<bool> {
    return absl::DataLossError("no");
  };
  EXPECT_THAT(Wait(Context(), {Has("1"), fails}).status(),
              StatusIs(absl::StatusCode::kDataLoss, "no"));
}

TEST(Until, EndsWithItsContext) {
  EXPECT_THAT(Wait(Context(), {Has("7")}).status(), StatusIs(absl::StatusCode::kDeadlineExceeded));
}

TEST(UntilWithoutRetry, EndsWithTheWatch) {
  watch::EmptyWatcher<ConfigMap> watcher;
  EXPECT_THAT(UntilWithoutRetry<ConfigMap>(Context(), watcher, {Has("1")}).status(),
              StatusIs(absl::StatusCode::kUnavailable));
}

}  // namespace
}  // namespace kube::informers

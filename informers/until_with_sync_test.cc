#include "informers/until_with_sync.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/watch/event.h"
#include "gtest/gtest.h"
#include "informers/lister_watcher.h"
#include "informers/testing/test_cluster.h"
#include "informers/until.h"
#include "listers/lister.h"

namespace kube::informers {
namespace {

namespace corev1 = api::core::v1;
using base::IsOk;
using base::StatusIs;
using watch::EventType;
using Condition = EventCondition<ConfigMap>;
using Precondition = StoreCondition<ConfigMap>;
using Result = absl::StatusOr<std::optional<watch::Event<ConfigMap>>>;

Condition Has(std::string value) {
  return [value](const watch::Event<ConfigMap>& event) -> absl::StatusOr<bool> {
    const String* v = event.object->data.find("v");
    return event.type != EventType::kDeleted && v != nullptr && *v == value;
  };
}

Condition IsDeleted() {
  return [](const watch::Event<ConfigMap>& event) -> absl::StatusOr<bool> {
    return event.type == EventType::kDeleted;
  };
}

Precondition CountIs(size_t count) {
  return [count](const listers::Lister<ConfigMap>& maps) -> absl::StatusOr<bool> {
    return maps.List().size() == count;
  };
}

// Waits while "a" becomes 1, 2, 3 and is deleted, and its watches end. There is a "b", too.
Result Wait(const Precondition& precondition, const std::vector<Condition>& conditions) {
  Result result;
  base::SimRuntime sim;
  const absl::Status end = sim.Run([&] {
    TestCluster cluster;
    cluster.Create("a", "0");
    cluster.Create("b", "0");
    base::Thread writer;
    const absl::Status started = writer.Start(Context(), "writer", [&](const Context& ctx) {
      for (int i = 1; i <= 4; ++i) {
        if (!base::SleepFor(ctx, absl::Seconds(10)).ok()) return;
        cluster.transport().BreakStreams(absl::OkStatus());
        if (i == 4) {
          cluster.Delete("a");
        } else {
          cluster.Set("a", absl::StrCat(i));
        }
      }
    });
    EXPECT_THAT(started, IsOk());
    result = UntilWithSync<ConfigMap>(WithTimeout(Context(), absl::Minutes(5)),
                                      *MakeListerWatcher(cluster.config_maps()), precondition,
                                      conditions);
  });
  EXPECT_THAT(end, IsOk());
  return result;
}

TEST(UntilWithSync, WaitsForOneConditionAfterTheOther) {
  const Result event = Wait(nullptr, {Has("1"), Has("3"), IsDeleted()});
  ASSERT_THAT(event, IsOk());
  EXPECT_EQ((*event)->type, EventType::kDeleted);
  EXPECT_EQ((*event)->object->metadata.name, "a");
}

TEST(UntilWithSync, ObjectsOfTheListAreEvents) {
  const Result event = Wait(CountIs(0), {Has("0")});
  ASSERT_THAT(event, IsOk());
  EXPECT_EQ((*event)->type, EventType::kAdded);
}

TEST(UntilWithSync, ThePreconditionMaySuffice) {
  const Result event = Wait(CountIs(2), {Has("7")});
  ASSERT_THAT(event, IsOk());
  EXPECT_FALSE(event->has_value());
}

TEST(UntilWithSync, EndsWithTheErrorOfACondition) {
  const Precondition no_precondition = [](const listers::Lister<ConfigMap>&) {
    return absl::StatusOr<bool>(absl::DataLossError("no"));
  };
  EXPECT_THAT(Wait(no_precondition, {}).status(), StatusIs(absl::StatusCode::kDataLoss, "no"));
  const Condition no_condition = [](const watch::Event<ConfigMap>&) {
    return absl::StatusOr<bool>(absl::DataLossError("no"));
  };
  EXPECT_THAT(Wait(nullptr, {no_condition}).status(), StatusIs(absl::StatusCode::kDataLoss, "no"));
}

TEST(UntilWithSync, EndsWithItsContext) {
  EXPECT_THAT(Wait(nullptr, {Has("7")}).status(), StatusIs(absl::StatusCode::kDeadlineExceeded));
}

absl::Status WaitUntilGone(const Context& ctx, const ConfigMaps& maps) {
  const StoreCondition<corev1::ConfigMap> is_gone =
      [](const listers::Lister<corev1::ConfigMap>& listed) -> absl::StatusOr<bool> {
    return listed.List().size() == 0;
  };
  const EventCondition<corev1::ConfigMap> is_deleted =
      [](const watch::Event<corev1::ConfigMap>& event) -> absl::StatusOr<bool> {
    return event.type == watch::EventType::kDeleted;
  };
  KUBE_ASSIGN_OR_RETURN(const auto source,
                        MakeListerWatcher(maps, {.field_selector = "metadata.name=a"}));
  return UntilWithSync<corev1::ConfigMap>(ctx, source, is_gone, {is_deleted}).status();
}

TEST(UntilWithSync, WaitsUntilAnObjectIsGone_AsInTheHeader) {
  base::SimRuntime sim;
  const absl::Status end = sim.Run([] {
    TestCluster cluster;
    const Context ctx = WithTimeout(Context(), absl::Minutes(5));
    EXPECT_THAT(WaitUntilGone(ctx, cluster.config_maps()), IsOk());
    cluster.Create("a");
    base::Thread writer;
    const absl::Status started = writer.Start(Context(), "writer", [&](const Context& thread_ctx) {
      if (base::SleepFor(thread_ctx, absl::Seconds(10)).ok()) cluster.Delete("a");
    });
    EXPECT_THAT(started, IsOk());
    EXPECT_THAT(WaitUntilGone(ctx, cluster.config_maps()), IsOk());
  });
  EXPECT_THAT(end, IsOk());
}

// More objects than are kept for the reader: those that it has not read do not keep it from ending.
TEST(UntilWithSync, EndsWithEventsThatNobodyHasRead) {
  base::SimRuntime sim;
  const absl::Status end = sim.Run([] {
    TestCluster cluster;
    for (int i = 0; i < 300; ++i) cluster.Create(absl::StrCat("a", i));
    const Result event =
        UntilWithSync<ConfigMap>(WithTimeout(Context(), absl::Minutes(5)),
                                 *MakeListerWatcher(cluster.config_maps()), CountIs(300), {});
    ASSERT_THAT(event, IsOk());
    EXPECT_FALSE(event->has_value());
  });
  EXPECT_THAT(end, IsOk());
}

TEST(UntilWithSync, EndsWithAListThatCannotSucceed) {
  base::SimRuntime sim;
  const absl::Status end = sim.Run([] {
    const TypedListerWatcher<ConfigMap> source = {
        .any = MakeFailedListerWatcher(absl::InvalidArgumentError("bad selector"), "config maps")};
    const Result event = UntilWithSync<ConfigMap>(WithTimeout(Context(), absl::Minutes(5)), source,
                                                  nullptr, {Has("1")});
    EXPECT_THAT(event, StatusIs(absl::StatusCode::kInvalidArgument));
  });
  EXPECT_THAT(end, IsOk());
}

}  // namespace
}  // namespace kube::informers

#include "informers/delta_queue.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/sim_search.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "informers/apply_deltas.h"
#include "informers/delta.h"
#include "listers/indexer.h"

namespace kube::informers {
namespace {

namespace corev1 = kube::api::core::v1;
using base::IsOk;
using base::StatusIs;

std::shared_ptr<const corev1::Pod> Pod(absl::string_view name, int version = 0) {
  return std::make_shared<const corev1::Pod>(
      corev1::Pod{.metadata = {.name = name, .resource_version = absl::StrCat(version)}});
}

// "Added a Updated b", with "initial: " before.
std::string Pop(DeltaQueue<corev1::Pod>& queue) {
  std::vector<std::string> texts;
  const absl::Status status =
      queue.Pop(WithTimeout(Context(), absl::ZeroDuration()),
                [&](std::vector<Delta<corev1::Pod>> deltas, bool is_initial) {
                  if (is_initial) texts.push_back("initial:");
                  EXPECT_EQ(queue.HasSynced(), !is_initial);
                  for (const Delta<corev1::Pod>& d : deltas) {
                    texts.push_back(absl::StrCat(ToString(d.type), d.resource_version));
                    if (d.object != nullptr) texts.emplace_back(d.object->metadata.name);
                    for (const auto& o : d.objects) texts.emplace_back(o->metadata.name);
                  }
                  return absl::OkStatus();
                });
  return status.ok() ? absl::StrJoin(texts, " ")
                     : std::string(absl::StatusCodeToString(status.code()));
}

const Context kBackground;

// INF-10.
TEST(DeltaQueue, BatchesHaveEachKeyOnce) {
  DeltaQueue<corev1::Pod> queue({.max_batch = 3});
  ASSERT_THAT(queue.Add(kBackground, Pod("a")), IsOk());
  ASSERT_THAT(queue.Update(kBackground, Pod("b")), IsOk());
  ASSERT_THAT(queue.Delete(kBackground, Pod("a")), IsOk());
  ASSERT_THAT(queue.Add(kBackground, Pod("c")), IsOk());
  ASSERT_THAT(queue.Add(kBackground, Pod("d")), IsOk());
  ASSERT_THAT(queue.Add(kBackground, Pod("e")), IsOk());
  EXPECT_EQ(queue.length(), 6u);
  EXPECT_EQ(Pop(queue), "Added a Updated b");
  EXPECT_EQ(Pop(queue), "Deleted a Added c Added d");
  EXPECT_EQ(Pop(queue), "Added e");
  EXPECT_EQ(Pop(queue), "DEADLINE_EXCEEDED");
}

TEST(DeltaQueue, WhatIsAboutAllIsAlone) {
  DeltaQueue<corev1::Pod> queue;
  ASSERT_THAT(queue.Add(kBackground, Pod("a")), IsOk());
  ASSERT_THAT(queue.Replace(kBackground, {Pod("a"), Pod("b")}, "5"), IsOk());
  ASSERT_THAT(queue.Resync(kBackground), IsOk());
  ASSERT_THAT(queue.Resync(kBackground), IsOk());
  ASSERT_THAT(queue.Bookmark(kBackground, "6"), IsOk());
  ASSERT_THAT(queue.Update(kBackground, Pod("a")), IsOk());
  for (const char* batch :
       {"Added a", "ReplacedAll5 a b", "SyncAll", "SyncAll", "Bookmark6", "Updated a"}) {
    EXPECT_EQ(Pop(queue), batch);
  }
}

TEST(DeltaQueue, HasSyncedWhenTheFirstListIsProcessed) {
  DeltaQueue<corev1::Pod> queue;
  ASSERT_THAT(queue.Bookmark(kBackground, "1"), IsOk());
  ASSERT_THAT(queue.Resync(kBackground), IsOk());
  EXPECT_FALSE(queue.HasSynced());
  ASSERT_THAT(queue.Replace(kBackground, {}, "2"), IsOk());
  ASSERT_THAT(queue.Add(kBackground, Pod("a")), IsOk());
  for (const char* batch : {"initial: Bookmark1", "initial: SyncAll", "initial: ReplacedAll2"}) {
    EXPECT_FALSE(queue.HasSynced());
    EXPECT_EQ(Pop(queue), batch);
  }
  EXPECT_TRUE(queue.HasSynced());
  EXPECT_EQ(Pop(queue), "Added a");
}

TEST(DeltaQueue, HasSyncedAtOnceWithoutAList) {
  DeltaQueue<corev1::Pod> queue;
  EXPECT_FALSE(queue.HasSynced());
  ASSERT_THAT(queue.Delete(kBackground, Pod("a")), IsOk());
  EXPECT_TRUE(queue.HasSynced());
}

TEST(DeltaQueue, HandsOnTheErrorOfProcess) {
  DeltaQueue<corev1::Pod> queue;
  ASSERT_THAT(queue.Replace(kBackground, {}, "2"), IsOk());
  EXPECT_THAT(queue.Pop(kBackground, [](auto, bool) { return absl::InternalError("no"); }),
              StatusIs(absl::StatusCode::kInternal, "no"));
  EXPECT_TRUE(queue.HasSynced());
  EXPECT_EQ(queue.length(), 0u);
}

TEST(DeltaQueue, DrainsAfterClose) {
  DeltaQueue<corev1::Pod> queue;
  ASSERT_THAT(queue.Add(kBackground, Pod("a")), IsOk());
  queue.Close();
  EXPECT_THAT(queue.Add(kBackground, Pod("b")), StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_EQ(Pop(queue), "Added a");
  EXPECT_EQ(Pop(queue), "OUT_OF_RANGE");
}

TEST(DeltaQueue, ProducersWaitWhenItIsFull) {
  base::SimRuntime sim;
  ASSERT_THAT(sim.Run([] {
    DeltaQueue<corev1::Pod> queue({.max_length = 2});
    ASSERT_THAT(queue.Add(kBackground, Pod("a")), IsOk());
    ASSERT_THAT(queue.Add(kBackground, Pod("b")), IsOk());
    EXPECT_THAT(queue.Add(WithTimeout(kBackground, absl::Seconds(1)), Pod("c")),
                StatusIs(absl::StatusCode::kDeadlineExceeded));
    base::ThreadGroup group((Context()));
    group.Go("producer", [&](const Context& ctx) { return queue.Add(ctx, Pod("d")); });
    EXPECT_EQ(Pop(queue), "Added a Added b");
    EXPECT_THAT(group.Wait(), IsOk());
    EXPECT_EQ(Pop(queue), "Added d");
  }),
              IsOk());
}

// The first list may come while something is processed that counts for nothing.
TEST(DeltaQueue, HasNotSyncedBeforeAListThatCameMeanwhileIsProcessed) {
  for (const DeltaType type : {DeltaType::kSync, DeltaType::kBookmark}) {
    SCOPED_TRACE(type);
    DeltaQueue<corev1::Pod> queue;
    ASSERT_THAT(queue.Push(kBackground, {.type = type, .resource_version = "1"}), IsOk());
    ASSERT_THAT(
        queue.Pop(kBackground, [&](const std::vector<Delta<corev1::Pod>>&,
                                   bool) { return queue.Replace(kBackground, {Pod("a")}, "2"); }),
        IsOk());
    EXPECT_EQ(queue.length(), 1u);
    EXPECT_FALSE(queue.HasSynced());
    EXPECT_EQ(Pop(queue), "initial: ReplacedAll2 a");
    EXPECT_TRUE(queue.HasSynced());
  }
}

constexpr int kUpdates = 60;

// A producer that lists again and again, and a consumer with a store: what the store ends with is
// what the producer sent last, and each object's versions only grow.
absl::Status RunProgram() {
  DeltaQueue<corev1::Pod> queue({.max_length = 8, .max_batch = 4});
  listers::Indexer<corev1::Pod> store;
  base::ThreadGroup group((Context()));
  group.Go("producer", [&](const Context& ctx) -> absl::Status {
    // They may be in process while the first list comes.
    absl::Status before = queue.Resync(ctx);
    before.Update(queue.Bookmark(ctx, "0"));
    if (!before.ok()) return before;
    for (int i = 1; i <= kUpdates; ++i) {
      absl::Status status = i % 20 == 1 ? queue.Replace(ctx, {Pod("a", i), Pod("b", i)}, "1")
                                        : queue.Update(ctx, Pod(i % 2 == 0 ? "a" : "b", i));
      if (!status.ok()) return status;
    }
    queue.Close();
    return absl::OkStatus();
  });
  group.Go("consumer", [&](const Context& ctx) -> absl::Status {
    absl::Status status;
    while (status.ok()) {
      status = queue.Pop(ctx, [&](std::vector<Delta<corev1::Pod>> deltas, bool) {
        return ApplyDeltas<corev1::Pod>(std::move(deltas), store, [](Notification<corev1::Pod>) {});
      });
    }
    return absl::IsOutOfRange(status) ? absl::OkStatus() : status;
  });
  group.Go("waiter", [&](const Context& ctx) -> absl::Status {
    absl::Status status = queue.synced().Wait(ctx);
    if (!status.ok()) return status;
    return store.size() == 2 ? absl::OkStatus() : absl::InternalError("synced without objects");
  });
  absl::Status status = group.Wait();
  if (!status.ok()) return status;
  const bool right = store.Get("", "a")->metadata.resource_version == absl::StrCat(kUpdates) &&
                     store.Get("", "b")->metadata.resource_version == absl::StrCat(kUpdates - 1);
  return right ? absl::OkStatus() : absl::InternalError("lost updates");
}

TEST(DeltaQueue, FillsAStore) {
  for (int i = 0; i < 20; ++i) EXPECT_THAT(RunProgram(), IsOk());
}

TEST(DeltaQueue, FillsAStoreInSimulation) {
  EXPECT_THAT(base::SearchSeeds(
                  [](base::SimRuntime& sim) -> absl::Status {
                    absl::Status result;
                    const absl::Status end = sim.Run([&] { result = RunProgram(); });
                    return end.ok() ? result : end;
                  },
                  {.seeds = base::SimulationSeeds(200)}),
              IsOk());
}

}  // namespace
}  // namespace kube::informers

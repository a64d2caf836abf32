#include "informers/internal/delta_queue.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/sim_search.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/meta/object_access.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "informers/delta.h"
#include "informers/internal/apply_deltas.h"
#include "listers/indexer.h"

namespace kube::informers::internal {
namespace {

namespace corev1 = kube::api::core::v1;
using base::IsOk;

std::shared_ptr<const corev1::Pod> Pod(absl::string_view name, int version = 0) {
  return std::make_shared<const corev1::Pod>(
      corev1::Pod{.metadata = {.name = name, .resource_version = absl::StrCat(version)}});
}

// Functions, because g++ 12 breaks off on lists of Deltas in braces.
Delta<void> Make(DeltaType type, std::shared_ptr<const void> pod) {
  Delta<void> delta;
  delta.type = type;
  delta.object = std::move(pod);
  return delta;
}
Delta<void> Added(absl::string_view name) { return Make(DeltaType::kAdded, Pod(name)); }
Delta<void> Updated(absl::string_view name, int version = 0) {
  return Make(DeltaType::kUpdated, Pod(name, version));
}
Delta<void> Deleted(absl::string_view name) { return Make(DeltaType::kDeleted, Pod(name)); }
Delta<void> Sync() { return Make(DeltaType::kSync, nullptr); }
Delta<void> Bookmark(absl::string_view version) {
  Delta<void> delta = Make(DeltaType::kBookmark, nullptr);
  delta.resource_version = std::string(version);
  return delta;
}
Delta<void> Replaced(std::vector<std::shared_ptr<const void>> pods, absl::string_view version) {
  Delta<void> delta = Make(DeltaType::kReplaced, nullptr);
  delta.objects = std::move(pods);
  delta.resource_version = std::string(version);
  return delta;
}

DeltaQueue NewQueue() { return DeltaQueue(meta::kObjectAccess<corev1::Pod>); }

std::string NameOf(const std::shared_ptr<const void>& object) {
  return std::string(meta::kObjectAccess<corev1::Pod>.key(object.get()).name);
}

// "Added a Updated b", with "initial: " before; "empty".
std::string Pop(DeltaQueue& queue) {
  std::vector<std::string> texts;
  const bool popped = queue.Pop([&](std::vector<Delta<void>> deltas, bool is_initial) {
    if (is_initial) texts.push_back("initial:");
    EXPECT_EQ(queue.synced().IsSet(), !is_initial);
    for (const Delta<void>& delta : deltas) {
      texts.push_back(absl::StrCat(ToString(delta.type), delta.resource_version));
      if (delta.object != nullptr) texts.push_back(NameOf(delta.object));
      for (const auto& object : delta.objects) texts.push_back(NameOf(object));
    }
  });
  return popped ? absl::StrJoin(texts, " ") : "empty";
}

// behaviour.md: INF-10
TEST(DeltaQueue, BatchesHaveEachKeyOnce) {
  DeltaQueue queue(meta::kObjectAccess<corev1::Pod>, /*max_batch=*/3);
  queue.Push(Added("a"));
  queue.Push(Updated("b"));
  queue.Push(Deleted("a"));
  for (const char* name : {"c", "d", "e"}) queue.Push(Added(name));
  EXPECT_EQ(queue.length(), 6u);
  EXPECT_EQ(Pop(queue), "Added a Updated b");
  EXPECT_EQ(Pop(queue), "Deleted a Added c Added d");
  EXPECT_EQ(Pop(queue), "Added e");
  EXPECT_EQ(Pop(queue), "empty");
}

// behaviour.md: INF-10
TEST(DeltaQueue, ListsSyncsAndBookmarksAreBatchesOfTheirOwn) {
  DeltaQueue queue = NewQueue();
  queue.Push(Added("a"));
  queue.Push(Replaced({Pod("a"), Pod("b")}, "5"));
  queue.Push(Sync());
  queue.Push(Sync());
  queue.Push(Bookmark("6"));
  queue.Push(Updated("a"));
  for (const char* batch :
       {"Added a", "ReplacedAll5 a b", "SyncAll", "SyncAll", "Bookmark6", "Updated a", "empty"}) {
    EXPECT_EQ(Pop(queue), batch);
  }
}

// behaviour.md: INF-10
TEST(DeltaQueue, HasSyncedWhenTheFirstListIsProcessed) {
  DeltaQueue queue = NewQueue();
  queue.Push(Bookmark("1"));
  queue.Push(Sync());
  EXPECT_FALSE(queue.synced().IsSet());
  queue.Push(Replaced({}, "2"));
  queue.Push(Added("a"));
  for (const char* batch : {"initial: Bookmark1", "initial: SyncAll", "initial: ReplacedAll2"}) {
    EXPECT_FALSE(queue.synced().IsSet());
    EXPECT_EQ(Pop(queue), batch);
  }
  EXPECT_TRUE(queue.synced().IsSet());
  EXPECT_EQ(Pop(queue), "Added a");
}

TEST(DeltaQueue, HasSyncedAtOnceWithoutAList) {
  DeltaQueue queue = NewQueue();
  EXPECT_FALSE(queue.synced().IsSet());
  queue.Push(Deleted("a"));
  EXPECT_TRUE(queue.synced().IsSet());
}

// The first list may come while something is processed that counts for nothing.
TEST(DeltaQueue, HasNotSyncedBeforeAListThatCameMeanwhileIsProcessed) {
  for (const DeltaType type : {DeltaType::kSync, DeltaType::kBookmark}) {
    SCOPED_TRACE(type);
    DeltaQueue queue = NewQueue();
    queue.Push(Make(type, nullptr));
    EXPECT_TRUE(queue.Pop([&](auto, bool) { queue.Push(Replaced({Pod("a")}, "2")); }));
    EXPECT_EQ(queue.length(), 1u);
    EXPECT_FALSE(queue.synced().IsSet());
    EXPECT_EQ(Pop(queue), "initial: ReplacedAll2 a");
    EXPECT_TRUE(queue.synced().IsSet());
  }
}

constexpr int kUpdates = 60;

// One thread lists again and again, and stores what is in the queue when it has some of it; another
// waits for synced(). What the store ends with is what was pushed last.
absl::Status RunProgram() {
  DeltaQueue queue(meta::kObjectAccess<corev1::Pod>, /*max_batch=*/4);
  listers::Indexer<corev1::Pod> store;
  base::ThreadGroup group((Context()));
  group.Go("informer", [&](const Context&) {
    absl::Status status;
    const auto process = [&](std::vector<Delta<void>> deltas, bool) {
      status.Update(ApplyDeltas(std::move(deltas), meta::kObjectAccess<corev1::Pod>, store.any(),
                                /*notifications=*/nullptr));
    };
    queue.Push(Sync());
    queue.Push(Bookmark("0"));
    for (int i = 1; i <= kUpdates; ++i) {
      queue.Push(i % 20 == 1 ? Replaced({Pod("a", i), Pod("b", i)}, "1")
                             : Updated(i % 2 == 0 ? "a" : "b", i));
      while (queue.length() > static_cast<size_t>(i % 7)) queue.Pop(process);
    }
    while (queue.Pop(process)) {
    }
    return status;
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
}  // namespace kube::informers::internal

// Writers and readers at once: readers see whole writes only.

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/sim_search.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "listers/index_function.h"
#include "listers/indexer.h"
#include "listers/snapshot.h"

namespace kube::listers {
namespace {

namespace corev1 = kube::api::core::v1;
using base::IsOk;

constexpr int kPods = 100;

std::shared_ptr<const corev1::Pod> Pod(int i, int version) {
  return std::make_shared<const corev1::Pod>(
      corev1::Pod{.metadata = {.name = absl::StrCat("p", i),
                               .namespace_ = absl::StrCat("ns", i % 3),
                               .resource_version = absl::StrCat(version)},
                  .spec = {.node_name = absl::StrCat("node", version % 7)}});
}

// Every write leaves the pods in pairs (2i and 2i + 1) with one version, which is at most the
// store's; and all of a version are in the index under the node of that version.
absl::Status Check(const Snapshot<corev1::Pod>& snapshot) {
  if (snapshot.size() != kPods) return absl::InternalError("objects are missing");
  std::map<int, std::string> versions;
  size_t in_index = 0;
  for (const corev1::Pod& pod : snapshot.List()) {
    int number = 0;
    if (!absl::SimpleAtoi(pod.metadata.name.view().substr(1), &number)) {
      return absl::InternalError("a name");
    }
    const std::string version(pod.metadata.resource_version);
    const auto [it, first] = versions.emplace(number / 2, version);
    if (!first && it->second != version) return absl::InternalError("half of a write");
  }
  for (int node = 0; node < 7; ++node) {
    const std::string name = absl::StrCat("node", node);
    const ObjectList<corev1::Pod> list = *snapshot.ByIndex("node", name);
    for (const corev1::Pod& pod : list) {
      if (pod.spec.node_name != name) return absl::InternalError("an index that is behind");
      if (snapshot.Get(pod.metadata.namespace_.view(), pod.metadata.name.view()).get() != &pod) {
        return absl::InternalError("an index with another object");
      }
      ++in_index;
    }
  }
  return in_index == kPods ? absl::OkStatus() : absl::InternalError("an index that lacks objects");
}

// What is always there is got, whatever is written meanwhile.
absl::Status CheckGets(const Indexer<corev1::Pod>& pods, int i) {
  const std::string name = absl::StrCat("p", i % kPods);
  const auto pod = pods.Get(absl::StrCat("ns", i % kPods % 3), name);
  if (pod == nullptr) return absl::InternalError("an object is missing");
  return pod->metadata.name == name ? absl::OkStatus() : absl::InternalError("another's object");
}

absl::Status WritePairs(Indexer<corev1::Pod>& pods, int first, int writes) {
  for (int version = 1; version <= writes; ++version) {
    const int pair = (first + version * 7) % (kPods / 2);
    absl::Status status;
    if (version % 50 == 0) {
      std::vector<std::shared_ptr<const corev1::Pod>> all;
      for (int i = 0; i < kPods; ++i) all.push_back(Pod(i, version));
      status = pods.Replace(std::move(all), absl::StrCat(version));
    } else {
      status =
          pods.Apply({{.object = Pod(2 * pair, version)}, {.object = Pod(2 * pair + 1, version)}});
    }
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

// One object at a time goes away and comes back, in a namespace of its own: writes in place.
absl::Status WriteOthers(Indexer<corev1::Pod>& others, int writes) {
  for (int i = 0; i < writes; ++i) {
    const auto pod = Pod(i % 17, i);
    absl::Status status = i % 3 == 0 ? others.Delete(*pod) : others.Update(pod);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status RunProgram(int writes, int readers) {
  Indexer<corev1::Pod> pods;
  Indexer<corev1::Pod> others;
  absl::Status status = pods.AddIndexer("node", IndexByField<corev1::Pod>("spec.nodeName"));
  if (!status.ok()) return status;
  std::vector<std::shared_ptr<const corev1::Pod>> all;
  for (int i = 0; i < kPods; ++i) all.push_back(Pod(i, 0));
  status = pods.Replace(std::move(all), "0");
  if (!status.ok()) return status;
  base::ThreadGroup group((Context()));
  for (int w = 0; w < 2; ++w) {
    group.Go("writer", [&pods, w, writes](const Context&) { return WritePairs(pods, w, writes); });
  }
  group.Go("other", [&others, writes](const Context&) { return WriteOthers(others, 5 * writes); });
  for (int r = 0; r < readers; ++r) {
    group.Go("reader", [&, r](const Context&) {
      for (int i = 0; i < writes; ++i) {
        if (absl::Status bad = Check(pods.snapshot()); !bad.ok()) return bad;
        if (absl::Status bad = CheckGets(pods, i); !bad.ok()) return bad;
        const auto pod = others.Get(absl::StrCat("ns", i % 3), absl::StrCat("p", i % 17));
        if (pod != nullptr && pod->metadata.name != absl::StrCat("p", i % 17)) {
          return absl::InternalError("another's object");
        }
        size_t n = 0;
        for (const corev1::Pod& other : others.List()) n += other.metadata.name.size() > 0;
        if (n > 17) return absl::InternalError("too many objects");
      }
      return r == 0 ? pods.AddIndexers({{"late", *IndexByField<corev1::Pod>("spec.nodeName")}})
                    : absl::OkStatus();
    });
  }
  return group.Wait();
}

TEST(IndexerThreads, ReadersSeeWholeWrites) { EXPECT_THAT(RunProgram(400, 4), IsOk()); }

TEST(IndexerThreads, ReadersSeeWholeWritesInSimulation) {
  EXPECT_THAT(base::SearchSeeds(
                  [](base::SimRuntime& sim) -> absl::Status {
                    absl::Status result;
                    const absl::Status end = sim.Run([&] { result = RunProgram(12, 2); });
                    return end.ok() ? result : end;
                  },
                  {.seeds = base::SimulationSeeds(100)}),
              IsOk());
}

// A simulation that is run again lists objects in the same order.
TEST(IndexerThreads, ListKeys_SameSeed_HasTheSameOrder) {
  std::vector<std::vector<std::string>> orders;
  for (const uint64_t seed : {1, 1, 2}) {
    base::SimRuntime sim({.seed = seed});
    ASSERT_THAT(sim.Run([&] {
      Indexer<corev1::Pod> pods;
      for (int i = 0; i < kPods; ++i) ASSERT_THAT(pods.Add(Pod(i, i)), IsOk());
      orders.push_back(pods.ListKeys());
    }),
                IsOk());
  }
  EXPECT_EQ(orders[0], orders[1]);
  EXPECT_NE(orders[0], orders[2]);
}

}  // namespace
}  // namespace kube::listers

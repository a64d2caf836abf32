#include "controller/workqueue/internal/indexed_heap.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "controller/workqueue/internal/block_pool.h"
#include "gtest/gtest.h"
#include "tests/dice.h"

namespace kube::workqueue::internal {
namespace {

struct Order {
  std::vector<uint32_t>* places;
  template <typename Node>
  bool Less(const Node& a, const Node& b) const {
    return std::pair(a.key, a.tie) < std::pair(b.key, b.tie);
  }
  void Moved(Ref ref, uint32_t index) const { (*places)[ref] = index; }
};

TEST(IndexedHeapTest, AgreesWithASortedMap) {
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(seed);
    oracle::Dice dice(seed);
    std::vector<uint32_t> places(301);
    IndexedHeap<Order> heap(Order{&places});
    std::map<Ref, std::pair<uint64_t, uint32_t>> model;
    uint32_t tie = 0;
    for (int step = 0; step < 10'000; ++step) {
      const Ref ref = static_cast<Ref>(1 + dice.Below(300));
      const uint64_t key = dice.Below(50);
      const bool there = model.contains(ref);
      if (!there) {
        heap.Push({key, ++tie, ref});
        model[ref] = {key, tie};
      } else if (dice.Below(2) == 0) {
        heap.Change(places[ref], {key, ++tie, ref});
        model[ref] = {key, tie};
      } else if (dice.Below(2) == 0) {
        heap.Remove(places[ref]);
        model.erase(ref);
      } else {
        const auto first =
            std::min_element(model.begin(), model.end(),
                             [](const auto& a, const auto& b) { return a.second < b.second; });
        ASSERT_EQ(heap.top().ref, first->first);
        ASSERT_EQ(heap.top().key, first->second.first);
        heap.Pop();
        model.erase(first);
      }
      ASSERT_EQ(heap.size(), model.size());
    }
    for (const auto& [ref, key] : model) EXPECT_EQ(heap.at(places[ref]).key, key.first);
    heap.Clear();
    EXPECT_TRUE(heap.empty());
  }
}

}  // namespace
}  // namespace kube::workqueue::internal

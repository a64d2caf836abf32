#include "apimachinery/patch/internal/element_order.h"

#include <cstddef>
#include <vector>

#include "apimachinery/types/list.h"
#include "apimachinery/unstructured/value.h"
#include "gtest/gtest.h"

namespace kube::patch::internal {
namespace {

using unstructured::Value;

TEST(ElementOrder, KeepsBothOrders) {
  const KeyIndex patch_order = *KeyIndex::Of({"c", "a"}, {});
  const KeyIndex server_order = *KeyIndex::Of({"a", "b", "c", "d"}, {});
  EXPECT_EQ(*NormalizeElementOrder({"a", "c"}, {"d", "b"}, patch_order, server_order, {}),
            (List<Value>{"b", "c", "a", "d"}));
}

TEST(ElementOrder, ElementsThatNobodyOrders) {
  // The result of Go's insertion sort with a `less` that is always true.
  EXPECT_EQ(*NormalizeOrder({"a", "b", "c"}, KeyIndex(), {}), (List<Value>{"c", "b", "a"}));
}

TEST(ElementOrder, SortsAsGo) {
  const std::vector<int> keys = {2, 1, 2, 1};
  EXPECT_EQ(SortAsGo(4, [&](size_t a, size_t b) { return keys[a] <= keys[b]; }),
            (std::vector<size_t>{3, 1, 2, 0}));
  // More elements than fit into one block.
  const std::vector<size_t> sorted =
      SortStableAsGo(100, [](size_t a, size_t b) { return a % 10 < b % 10; });
  for (size_t i = 0; i < sorted.size(); ++i) EXPECT_EQ(sorted[i], (i % 10) * 10 + i / 10);
}

TEST(KeyIndex, FindsTheFirst) {
  KeyIndex index;
  for (int i = 0; i < 40; ++i) index.Append(i / 2);
  EXPECT_EQ(*index.Find(3), 6);
  EXPECT_EQ(*index.Find(99), -1);
  index.Erase({Value(0), Value(2)});
  EXPECT_EQ(*index.Find(0), -1);
  EXPECT_EQ(*index.Find(3), 2);
  index.Append(List<Value>{});
  EXPECT_FALSE(index.Find(List<Value>{}).ok());
}

}  // namespace
}  // namespace kube::patch::internal

#include "controller/events/internal/lru_cache.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::events::internal {
namespace {

using testing::ElementsAre;

std::vector<int> Values(LruCache<int>& cache) {
  std::vector<int> values;
  cache.EraseIf([&](int& value) {
    values.push_back(value);
    return false;
  });
  return values;
}

TEST(LruCache, Add_FullCache_ForgetsTheLeastRecentlyUsed) {
  LruCache<int> cache(3);
  EXPECT_EQ(cache.Add("a", 1), std::nullopt);
  EXPECT_EQ(cache.Add("b", 2), std::nullopt);
  EXPECT_EQ(cache.Add("c", 3), std::nullopt);
  ASSERT_NE(cache.Get("a"), nullptr);
  EXPECT_EQ(cache.Add("d", 4), 2) << "a was used after b";
  EXPECT_EQ(cache.Get("b"), nullptr);
  EXPECT_EQ(cache.Add("c", 30), std::nullopt) << "c is there";
  EXPECT_EQ(cache.size(), 3u);
  EXPECT_THAT(Values(cache), ElementsAre(1, 4, 30));
}

TEST(LruCache, ErasesOldestFirst) {
  LruCache<int> cache(10);
  for (int i = 0; i < 6; ++i) cache.Add(std::string(100, static_cast<char>('a' + i)), i);
  cache.EraseIf([](int& value) { return value % 2 == 0; });
  EXPECT_THAT(Values(cache), ElementsAre(1, 3, 5));
  EXPECT_EQ(cache.Get(std::string(100, 'a')), nullptr);
  EXPECT_NE(cache.Get(std::string(100, 'b')), nullptr);
  cache.EraseIf([](int&) { return true; });
  EXPECT_EQ(cache.size(), 0u);
}

TEST(LruCache, HoldsWhatCannotBeCopied) {
  LruCache<std::unique_ptr<int>> cache(1);
  cache.Add("a", std::make_unique<int>(1));
  const std::optional<std::unique_ptr<int>> evicted = cache.Add("b", nullptr);
  ASSERT_TRUE(evicted.has_value());
  EXPECT_EQ(**evicted, 1);
}

}  // namespace
}  // namespace kube::events::internal

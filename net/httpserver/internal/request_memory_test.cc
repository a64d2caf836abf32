#include "net/httpserver/internal/request_memory.h"

#include <cstddef>
#include <memory>
#include <utility>

#include "gtest/gtest.h"

namespace kube::httpserver::internal {
namespace {

TEST(RequestMemoryTest, ConnectionAndServerHaveLimits) {
  const auto server = std::make_shared<MemoryLimit>(100);
  const auto a = std::make_shared<MemoryLimit>(60, server);
  const auto b = std::make_shared<MemoryLimit>(0, server);
  HeldMemory first(a);
  HeldMemory second(a);
  HeldMemory third(b);
  EXPECT_TRUE(first.Add(40));
  EXPECT_FALSE(second.Add(21));
  EXPECT_TRUE(second.Add(20));
  EXPECT_EQ(server->used(), 60u);
  EXPECT_FALSE(third.Add(41));
  EXPECT_EQ(b->used(), 0u);
  EXPECT_TRUE(third.Add(40));
  first = HeldMemory();
  EXPECT_EQ(a->used(), 20u);
  EXPECT_EQ(server->used(), 60u);
  EXPECT_TRUE(third.Add(40));
}

TEST(RequestMemoryTest, GrowsOnly) {
  const auto limit = std::make_shared<MemoryLimit>(100);
  HeldMemory held(limit);
  EXPECT_TRUE(held.GrowTo(70));
  EXPECT_TRUE(held.GrowTo(30));
  EXPECT_EQ(limit->used(), 70u);
  EXPECT_FALSE(held.GrowTo(101));
  EXPECT_TRUE(held.GrowTo(100));
}

TEST(RequestMemoryTest, MovesOutOfItsConnection) {
  auto limit = std::make_shared<MemoryLimit>(100);
  HeldMemory held(limit);
  EXPECT_TRUE(held.Add(100));
  {
    const HeldMemory moved = std::move(held);
    EXPECT_EQ(limit->used(), 100u);
  }
  EXPECT_EQ(limit->used(), 0u);
}

TEST(RequestMemoryTest, WithoutALimit) {
  HeldMemory held;
  EXPECT_TRUE(held.Add(size_t{1} << 60));
  HeldMemory none(std::make_shared<MemoryLimit>(0));
  EXPECT_TRUE(none.Add(size_t{1} << 60));
}

}  // namespace
}  // namespace kube::httpserver::internal

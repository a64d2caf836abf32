#include "controller/workqueue/internal/key_table.h"

#include <cstddef>
#include <cstdint>
#include <map>

#include "controller/workqueue/internal/block_pool.h"
#include "gtest/gtest.h"
#include "tests/dice.h"

namespace kube::workqueue::internal {
namespace {

// The hash of a key that is itself the Ref.
struct Case {
  const char* name;
  uint32_t (*hash)(uint32_t key);
};

constexpr Case kCases[] = {
    {"Good", [](uint32_t key) { return static_cast<uint32_t>(oracle::Dice(key).Next()); }},
    {"Rising", [](uint32_t key) { return key; }},
    {"FewValues", [](uint32_t key) { return key % 3; }},
    {"AtTheEnd", [](uint32_t key) { return 0xffff'fff0 + key % 16; }},
};

TEST(KeyTableTest, AgreesWithAMap) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.name);
    oracle::Dice dice(1);
    KeyTable table;
    std::map<uint32_t, Ref> model;
    for (int step = 0; step < 30'000; ++step) {
      // It grows, and becomes empty, several times.
      const bool grows = (step / 2'000) % 2 == 0;
      const auto key = static_cast<uint32_t>(1 + dice.Below(400));
      if (dice.Below(10) < (grows ? 7u : 2u)) {
        bool made = false;
        const Ref ref = table.FindOrInsert(
            c.hash(key), [&](Ref other) { return other == key; },
            [&] {
              made = true;
              return key;
            });
        ASSERT_EQ(ref, key);
        ASSERT_EQ(made, model.emplace(key, ref).second);
      } else if (model.erase(key) > 0) {
        table.Erase(c.hash(key), key);
      }
      ASSERT_EQ(table.size(), model.size());
    }
  }
}

void InsertAndErase(KeyTable& table, uint32_t keys, size_t slots) {
  for (uint32_t key = 1; key <= keys; ++key) {
    table.FindOrInsert(
        key * 2654435761u, [](Ref) { return false; }, [&] { return key; });
  }
  EXPECT_EQ(table.size(), keys);
  EXPECT_EQ(table.MemoryUsage(), slots * 8);
  for (uint32_t key = keys; key >= 1; --key) table.Erase(key * 2654435761u, key);
}

TEST(KeyTableTest, GivesBackWhatItTookWhenItIsEmptyIfItIsMuch) {
  KeyTable table;
  InsertAndErase(table, 50'000, 131'072);
  EXPECT_EQ(table.MemoryUsage(), 131'072u * 8);
  InsertAndErase(table, 100'000, 262'144);
  EXPECT_EQ(table.MemoryUsage(), 0u);
}

}  // namespace
}  // namespace kube::workqueue::internal

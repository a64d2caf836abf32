#include "tests/dice.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace kube::oracle {
namespace {

TEST(DiceTest, TheSameSeedRollsTheSame) {
  Dice a(7);
  Dice b(7);
  Dice c(8);
  bool differs = false;
  for (int i = 0; i < 100; ++i) {
    const uint64_t number = a.Next();
    EXPECT_EQ(number, b());
    differs |= number != c.Next();
  }
  EXPECT_TRUE(differs);
  // As everywhere: the first number of the reference implementation.
  EXPECT_EQ(Dice(0).Next(), 0xe220a8397b1dcdafu);
}

TEST(DiceTest, BelowReachesAllAndNoMore) {
  Dice dice(1);
  std::vector<int> rolled(6);
  for (int i = 0; i < 600; ++i) ++rolled.at(dice.Below(6));
  EXPECT_GT(*std::min_element(rolled.begin(), rolled.end()), 0);
  EXPECT_EQ(dice.Below(0), 0u);
}

}  // namespace
}  // namespace kube::oracle

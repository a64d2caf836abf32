#include "apimachinery/codec/testing/mutate_wire.h"

#include <cstddef>
#include <set>
#include <string>

#include "gtest/gtest.h"
#include "tests/dice.h"

namespace kube::codec::internal {
namespace {

TEST(MutateWire, IsTheSameForASeedAndMostlyDifferentFromTheMessage) {
  // A number, a text, and a message with a number in it.
  const std::string wire(
      "\x08\x05\x12\x03"
      "abc\x1a\x02\x08\x07",
      11);
  oracle::Dice dice(1);
  oracle::Dice again(1);
  std::set<std::string> mutations;
  for (int i = 0; i < 1000; ++i) {
    const std::string mutation = MutateWire(dice, wire);
    EXPECT_EQ(MutateWire(again, wire), mutation);
    mutations.insert(mutation);
  }
  EXPECT_GT(mutations.size(), size_t{200});
}

TEST(MutateWire, LengthsAroundAChangeAreRight) {
  // A text of six bytes in two messages: most mutations of it leave both whole.
  const std::string wire(
      "\x0a\x0a\x0a\x08\x12\x06"
      "abcdef",
      12);
  oracle::Dice dice(2);
  int whole = 0;
  for (int i = 0; i < 1000; ++i) {
    const std::string mutation = MutateWire(dice, wire);
    const bool right = mutation.size() > 4 && mutation[0] == 0x0a &&
                       static_cast<size_t>(mutation[1]) == mutation.size() - 2 &&
                       static_cast<size_t>(mutation[3]) == mutation.size() - 4;
    whole += right && mutation.size() != wire.size() ? 1 : 0;
  }
  EXPECT_GT(whole, 100);
}

TEST(MutateWire, NothingBecomesSomething) {
  oracle::Dice dice(3);
  std::string mutation;
  for (int i = 0; i < 100 && mutation.empty(); ++i) mutation = MutateWire(dice, "");
  EXPECT_FALSE(mutation.empty());
}

}  // namespace
}  // namespace kube::codec::internal

#include "apimachinery/managedfields/testing/mutate_object.h"

#include "apimachinery/codec/testing/random_value.h"
#include "apimachinery/codec/testing/sample_object.h"
#include "gtest/gtest.h"
#include "tests/dice.h"
#include "tests/kitchen_sink/kitchen_messages.h"

namespace kube::managedfields {
namespace {

using codec::internal::SampleObject;

TEST(MutateRandomlyTest, SameSeed_MakesTheSameObject) {
  int changed = 0;
  for (const auto& [name, message] : oracle::KitchenTypes()) {
    SCOPED_TRACE(name);
    oracle::Dice fill(1);
    SampleObject object(*message);
    codec::internal::FillRandomly(fill, object.get(), *message);
    SampleObject first = object;
    SampleObject second = object;
    oracle::Dice one(2);
    oracle::Dice two(2);
    MutateRandomly(one, first);
    MutateRandomly(two, second);
    EXPECT_TRUE(first == second);
    if (!(first == object)) ++changed;
  }
  EXPECT_GT(changed, 10);
}

}  // namespace
}  // namespace kube::managedfields

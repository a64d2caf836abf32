#include "apiserver/testing/extension_run.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "gtest/gtest.h"
#include "tests/dice.h"

namespace kube::apiserver {
namespace {

// A fuzzer finds nothing if the server refuses what it makes.
TEST(RunExtensions, ReachesWhatItIsFor) {
  ExtensionCounts all;
  for (uint64_t seed = 0; seed < 150; ++seed) {
    oracle::Dice dice(seed);
    std::string bytes;
    for (size_t size = 40 + dice.Below(200); size > 0; --size) {
      bytes += static_cast<char>(dice.Below(256));
    }
    const ExtensionCounts counts = RunExtensions(bytes);
    all.definitions += counts.definitions;
    all.policies += counts.policies;
    all.mutating_policies += counts.mutating_policies;
    all.webhooks += counts.webhooks;
    all.objects += counts.objects;
    all.refused += counts.refused;
  }
  EXPECT_GT(all.definitions, 5);
  EXPECT_GT(all.policies, 5);
  EXPECT_GT(all.mutating_policies, 5);
  EXPECT_GT(all.webhooks, 5);
  EXPECT_GT(all.objects, 5);
  EXPECT_GT(all.refused, 5);
}

TEST(RunExtensions, EndsWithoutBytes) { EXPECT_EQ(RunExtensions("").policies, 0); }

}  // namespace
}  // namespace kube::apiserver

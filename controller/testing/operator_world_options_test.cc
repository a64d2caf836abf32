#include "controller/testing/operator_world_options.h"

#include <cstdint>
#include <set>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::controller {
namespace {

TEST(OperatorWorldOptionsTest, AllWorldFaults_BeginWithNone_AndHaveNamesOfTheirOwn) {
  std::set<std::string> names;
  for (const WorldFault fault : AllWorldFaults()) names.insert(std::string(WorldFaultName(fault)));
  EXPECT_EQ(names.size(), AllWorldFaults().size());
  EXPECT_EQ(AllWorldFaults().front(), WorldFault::kNone);
  EXPECT_EQ(AllWorldFaults().back(), WorldFault::kEverything);
}

// What the comment of OperatorWorldOptions::seeds says.
TEST(OperatorWorldOptionsTest, Seeds_AreThreeForEachFault) {
  const OperatorWorldOptions options;
  EXPECT_EQ(options.seeds, 3 * static_cast<int64_t>(options.faults.size()));
}

}  // namespace
}  // namespace kube::controller

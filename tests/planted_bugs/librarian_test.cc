#include "tests/planted_bugs/librarian.h"

#include <cstdint>

#include "apimachinery/base/testing/status_matchers.h"
#include "controller/testing/operator_world.h"
#include "controller/testing/operator_world_options.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/planted_bugs/scenario.h"

namespace kube::planted_bugs {
namespace {

using base::IsOk;
using controller::AllWorldFaults;
using controller::OperatorWorld;
using controller::OperatorWorldOptions;
using testing::IsEmpty;

TEST(LibrarianTest, ASoundOperator_PassesTheAuditsUnderEachFault) {
  OperatorWorldOptions options = ShelfWorld();
  options.faults = AllWorldFaults();
  options.seeds = static_cast<int64_t>(options.faults.size());
  options.restarts = true;
  options.audits.finalizers = {"library.example.com/catalogue"};
  OperatorWorld world(options);
  world.Add<Librarian>();
  EXPECT_THAT(world.Run(LifeOfShelves), IsOk());
  EXPECT_THAT(world.findings(), IsEmpty());
}

TEST(LibrarianTest, ASoundOperator_OfTwoReplicasWhoseClocksJump_PassesTheAudits) {
  OperatorWorldOptions options = ShelfWorld();
  options.faults = AllWorldFaults();
  options.seeds = static_cast<int64_t>(options.faults.size());
  options.replicas = 2;
  options.clock_jumps = true;
  options.audits.finalizers = {"library.example.com/catalogue"};
  OperatorWorld world(options);
  world.Add<Librarian>();
  EXPECT_THAT(world.Run(LifeBesideAnArchive), IsOk());
}

}  // namespace
}  // namespace kube::planted_bugs

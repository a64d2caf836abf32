#include "tests/planted_bugs/endings.h"

#include "controller/testing/audit_finding.h"
#include "controller/testing/operator_world.h"
#include "controller/testing/operator_world_options.h"
#include "gtest/gtest.h"
#include "tests/planted_bugs/scenario.h"

namespace kube::planted_bugs {
namespace {

using controller::AuditKind;
using controller::OperatorWorld;
using controller::OperatorWorldOptions;
using controller::WorldFault;

TEST(EndingsTest, AListOfFinalizersThatIsReplaced_LosesAnothersFinalizer) {
  OperatorWorldOptions options = ShelfWorld();
  options.audits.finalizers = {kOwnFinalizer};
  OperatorWorld world(options);
  world.Add<FinalizerThief>();
  EXPECT_TRUE(Finds(world, LifeBesideAnArchive, AuditKind::kLostFinalizer));
}

TEST(EndingsTest, AFinalizerThatStays_KeepsItsObject) {
  OperatorWorldOptions options = ShelfWorld();
  options.audits.finalizers = {kOwnFinalizer};
  OperatorWorld world(options);
  world.Add<ForgetfulKeeper>();
  EXPECT_TRUE(Finds(world, LifeOfShelves, AuditKind::kStuckFinalizer));
}

TEST(EndingsTest, AFinalizerRemovedTooEarly_LeavesWhatItShouldCleanUp) {
  OperatorWorldOptions options = ShelfWorld();
  options.seeds = 200;
  options.faults = {WorldFault::kLostRequests};
  options.audits.finalizers = {kOwnFinalizer};
  OperatorWorld world(options);
  world.Add<HastyCleaner>();
  EXPECT_TRUE(Finds(world, LifeOfShelves, AuditKind::kOrderMatters));
}

TEST(EndingsTest, AChildWithoutOwner_StaysBehind) {
  OperatorWorldOptions options = ShelfWorld();
  options.audits.owned = {"secrets"};
  OperatorWorld world(options);
  world.Add<Orphaner>();
  EXPECT_TRUE(Finds(world, LifeOfShelves, AuditKind::kMissingOwner));
}

}  // namespace
}  // namespace kube::planted_bugs

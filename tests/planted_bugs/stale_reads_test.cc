#include "tests/planted_bugs/stale_reads.h"

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

TEST(StaleReadsTest, ACreationAfterAStaleRead_CreatesTwice) {
  OperatorWorldOptions options = ShelfWorld();
  options.faults = {WorldFault::kLaggingCaches};
  options.audits.one_per_owner = {"secrets"};
  OperatorWorld world(options);
  world.Add<TwiceCreator>();
  EXPECT_TRUE(Finds(world, LifeOfShelves, AuditKind::kCreatedTwice));
}

TEST(StaleReadsTest, AnUpdateWithoutAVersion_OverwritesAnothersChange) {
  OperatorWorld world(ShelfWorld());
  world.Add<BlindUpdater>();
  EXPECT_TRUE(Finds(world, LifeBesideAnArchive, AuditKind::kUnconditionalUpdate));
}

TEST(StaleReadsTest, ANumberByOrderOfArrival_DependsOnTheOrder) {
  OperatorWorldOptions options = ShelfWorld();
  options.faults = {WorldFault::kNone, WorldFault::kServerErrors};
  OperatorWorld world(options);
  world.Add<Numberer>();
  EXPECT_TRUE(Finds(world, LifeOfShelves, AuditKind::kOrderMatters));
}

}  // namespace
}  // namespace kube::planted_bugs

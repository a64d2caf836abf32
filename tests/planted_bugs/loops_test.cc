#include "tests/planted_bugs/loops.h"

#include "controller/testing/audit_finding.h"
#include "controller/testing/operator_world.h"
#include "gtest/gtest.h"
#include "tests/planted_bugs/scenario.h"

namespace kube::planted_bugs {
namespace {

using controller::AuditKind;
using controller::OperatorWorld;

TEST(LoopsTest, AWriteInEachReconcile_IsAHotLoop) {
  OperatorWorld world(ShelfWorld());
  world.Add<VisitCounter>();
  EXPECT_TRUE(Finds(world, LifeOfShelves, AuditKind::kHotLoop));
}

TEST(LoopsTest, ATimestampInEachReconcile_IsWrittenForEver) {
  OperatorWorld world(ShelfWorld());
  world.Add<TimestampWriter>();
  EXPECT_TRUE(Finds(world, LifeOfShelves, AuditKind::kReconcileNeverEnds));
}

TEST(LoopsTest, TwoControllersOfOneField_AreAHotLoop) {
  OperatorWorld world(ShelfWorld());
  world.Add<Keeper>("ada");
  world.Add<Keeper>("bob");
  EXPECT_TRUE(Finds(world, LifeOfShelves, AuditKind::kHotLoop));
}

TEST(LoopsTest, AFieldThatAnotherProgramHasToo_IsFoughtFor) {
  OperatorWorld world(ShelfWorld());
  world.Add<Keeper>("ada");
  EXPECT_TRUE(Finds(world, LifeWithARival, AuditKind::kWriterFight));
}

TEST(LoopsTest, ARequeueWithoutAPause_IsAHotLoop) {
  OperatorWorld world(ShelfWorld());
  world.Add<Poller>();
  EXPECT_TRUE(Finds(world, LifeOfShelves, AuditKind::kHotLoop));
}

TEST(LoopsTest, AnEventInEachReconcile_IsAnEventStorm) {
  OperatorWorld world(ShelfWorld());
  world.Add<Chatterer>();
  EXPECT_TRUE(Finds(world, LifeOfShelves, AuditKind::kEventStorm));
}

TEST(LoopsTest, AReconcileThatWaitsForEver_NeverEnds) {
  OperatorWorld world(ShelfWorld());
  world.Add<Waiter>();
  EXPECT_TRUE(Finds(world, LifeOfShelves, AuditKind::kReconcileNeverEnds));
}

}  // namespace
}  // namespace kube::planted_bugs

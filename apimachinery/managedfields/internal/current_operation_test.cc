#include "apimachinery/managedfields/internal/current_operation.h"

#include "absl/strings/string_view.h"
#include "apimachinery/managedfields/fields_v1.h"
#include "apimachinery/managedfields/managers.h"
#include "apimachinery/types/time.h"
#include "gtest/gtest.h"

namespace kube::managedfields::internal {
namespace {

ManagerId Actor() {
  return {.name = "actor", .operation = Operation::kUpdate, .api_version = "apps/v1"};
}
ManagerId Other() {
  return {.name = "other", .operation = Operation::kUpdate, .api_version = "apps/v1"};
}

OwnedFields Owned(absl::string_view json) {
  return {.fields = *DecodeFieldsV1(json), .api_version = "apps/v1"};
}

constexpr Time kBefore = Time::FromUnixSeconds(1);
constexpr Time kNow = Time::FromUnixSeconds(2);

TEST(AssignCurrentOperation, NewManager_GetsTheFieldsAndTheTime) {
  const OwnedFields changed = Owned(R"({"f:spec":{"f:replicas":{}}})");
  const OwnedFields others = Owned(R"({"f:spec":{"f:paused":{}}})");
  EXPECT_EQ(AssignCurrentOperation({.managers = {{CurrentOperation(), changed}, {Other(), others}},
                                    .times = {{Other(), kBefore}}},
                                   Actor(), kNow),
            (Managed{.managers = {{Actor(), changed}, {Other(), others}},
                     .times = {{Actor(), kNow}, {Other(), kBefore}}}));
}

TEST(AssignCurrentOperation, KnownManager_OwnsBothSets) {
  const OwnedFields changed = Owned(R"({"f:spec":{"f:replicas":{}}})");
  const OwnedFields before = Owned(R"({"f:spec":{"f:paused":{}}})");
  const OwnedFields both = Owned(R"({"f:spec":{"f:paused":{},"f:replicas":{}}})");
  EXPECT_EQ(AssignCurrentOperation({.managers = {{CurrentOperation(), changed}, {Actor(), before}},
                                    .times = {{Actor(), kBefore}}},
                                   Actor(), kNow),
            (Managed{.managers = {{Actor(), both}}, .times = {{Actor(), kNow}}}));
}

TEST(AssignCurrentOperation, NothingChanged_KeepsTheTime) {
  const Managed managed = {.managers = {{Actor(), Owned(R"({"f:spec":{}})")}},
                           .times = {{Actor(), kBefore}}};
  EXPECT_EQ(AssignCurrentOperation(managed, Actor(), kNow), managed);
  EXPECT_EQ(AssignCurrentOperation({}, Actor(), kNow), Managed());
}

}  // namespace
}  // namespace kube::managedfields::internal

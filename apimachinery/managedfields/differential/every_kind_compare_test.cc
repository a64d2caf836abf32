// Structs of every kind of Kubernetes must be compared as their JSON is. No Go is needed: the other
// tests of this folder compare the comparison of JSON with upstream.

#include <cstdint>
#include <iostream>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "api/all_kinds.h"
#include "apimachinery/codec/testing/random_value.h"
#include "apimachinery/codec/testing/sample_object.h"
#include "apimachinery/managedfields/comparison.h"
#include "apimachinery/managedfields/differential/go_answers.h"
#include "apimachinery/managedfields/testing/json_comparison.h"
#include "apimachinery/managedfields/testing/mutate_object.h"
#include "apimachinery/managedfields/typed_compare.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/kind_info.h"
#include "gtest/gtest.h"
#include "tests/dice.h"

namespace kube::managedfields {
namespace {

using codec::internal::SampleObject;
using kube::table::Message;

// Compares random objects of a kind with variants of themselves, and with a new object as a create
// does. Returns how many differ.
int CompareObjects(const Message& message, oracle::Dice& dice, int64_t count) {
  int differ = 0;
  const SampleObject zero(message);
  for (int64_t i = 0; i < count; ++i) {
    SampleObject object(message);
    codec::internal::FillRandomly(dice, object.get(), message);
    SampleObject variant = object;
    MutateRandomly(dice, variant);
    const SampleObject* const befores[] = {&zero, &object};
    for (const SampleObject* before : befores) {
      const absl::StatusOr<Comparison> want = CompareAsJson(*before, variant);
      const absl::StatusOr<Comparison> found = CompareTyped(before->get(), variant.get(), message);
      EXPECT_EQ(found.ok(), want.ok()) << i << ": " << found.status() << "\n" << want.status();
      if (!found.ok() || !want.ok()) continue;
      EXPECT_EQ(found->removed, want->removed) << i;
      EXPECT_EQ(found->modified, want->modified) << i;
      EXPECT_EQ(found->added, want->added) << i;
      if (!found->IsSame()) ++differ;
    }
  }
  return differ;
}

TEST(EveryKindCompareTest, Structs_AreComparedAsTheirJson) {
  const int64_t count = Setting("MANAGED_CASES", 6);
  const int64_t seed = Setting("MANAGED_SEED", 20261126);
  std::cout << count << " objects of each kind, seed " << seed << "\n";
  oracle::Dice dice(static_cast<uint64_t>(seed));
  int kinds = 0;
  int differ = 0;
  for (const KindInfo* kind : api::AllKinds()) {
    SCOPED_TRACE(absl::StrCat(kind->group, "/", kind->version, " ", kind->kind, ", seed ", seed));
    if (kind->message->json_form != kube::table::JsonForm::kObject) continue;
    ++kinds;
    differ += CompareObjects(*kind->message, dice, count);
    if (testing::Test::HasFailure()) return;
  }
  std::cout << kinds << " kinds, " << differ << " objects that differ\n";
  EXPECT_GT(kinds, 150);
  EXPECT_GT(differ, kinds);
}

}  // namespace
}  // namespace kube::managedfields

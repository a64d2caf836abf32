// Properties of all objects, checked on random objects of every type of the kitchen sink.

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/codec/diff.h"
#include "apimachinery/codec/testing/random_value.h"
#include "apimachinery/codec/testing/sample_object.h"
#include "apimachinery/patch/merge_patch.h"
#include "apimachinery/table/message.h"
#include "gtest/gtest.h"
#include "tests/dice.h"
#include "tests/kitchen_sink/kitchen_messages.h"

namespace kube::patch::internal {
namespace {

using codec::internal::SampleObject;
using kube::table::JsonForm;
using kube::table::Message;

constexpr int kPairsOfEachType = 40;
constexpr uint64_t kSeed = 20261;

SampleObject RandomObject(oracle::Dice& dice, const Message& message) {
  SampleObject object(message);
  codec::internal::FillRandomly(dice, object.get(), message, {.survives = true});
  return object;
}

SampleObject Patched(const SampleObject& object, absl::string_view patch) {
  SampleObject patched(object.message());
  const absl::Status applied =
      ApplyMergePatch(patched.get(), object.get(), object.message(), patch,
                      {.field_validation = codec::FieldValidation::kStrict});
  EXPECT_TRUE(applied.ok()) << applied << "\n" << patch;
  return patched;
}

void ExpectPatchLeads(const SampleObject& from, const SampleObject& to) {
  const Message& message = from.message();
  const absl::StatusOr<std::string> patch = MakeMergePatch(from.get(), to.get(), message);
  ASSERT_TRUE(patch.ok()) << patch.status();
  const SampleObject patched = Patched(from, *patch);
  // In Values, the numbers of embedded JSON have other spellings, independently of the patch.
  const SampleObject target = Patched(to, "{}");
  EXPECT_TRUE(patched == target) << *patch << "\n"
                                 << ToString(codec::internal::Diff(target.get(), patched.get(),
                                                                   message, {}));
  EXPECT_EQ(*MakeMergePatch(to.get(), to.get(), message), "{}");
}

TEST(Properties, MergePatchLeadsToTheTarget) {
  for (const auto& [type, message] : oracle::KitchenTypes()) {
    // Patches are of objects.
    if (message->json_form != JsonForm::kObject) continue;
    oracle::Dice dice(kSeed);
    for (int i = 0; i < kPairsOfEachType && !HasFailure(); ++i) {
      SCOPED_TRACE(absl::StrCat(type, " ", i, ", seed ", kSeed));
      const SampleObject from = RandomObject(dice, *message);
      ExpectPatchLeads(from, RandomObject(dice, *message));
    }
  }
}

}  // namespace
}  // namespace kube::patch::internal

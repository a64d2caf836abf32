#include "apimachinery/validation/meta_v1.h"

#include <string>

#include "apimachinery/types/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

// apimachinery/validation/differential compares random objects with Go.
namespace kube::validation {
namespace {

namespace metav1 = api::meta::v1;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const field::Path kPath("it");

std::string First(const field::ErrorList& errors) {
  return errors.empty() ? "" : errors.front().ToString();
}

TEST(MetaV1, LabelSelector) {
  const metav1::LabelSelector selector = {
      .match_labels = {{"a", "-"}},
      .match_expressions = {{.key = "b", .operator_ = "In"}, {.key = "c", .operator_ = "Like"}}};
  const field::ErrorList errors = ValidateLabelSelector(selector, kPath);
  ASSERT_THAT(errors, SizeIs(3));
  EXPECT_EQ(errors[1].ToString(),
            "it.matchExpressions[0].values: Required value: must be specified when `operator` is "
            "'In' or 'NotIn'");
  EXPECT_EQ(errors[2].ToString(),
            "it.matchExpressions[1].operator: Invalid value: \"Like\": not a valid selector "
            "operator");
  EXPECT_THAT(ValidateLabelSelector(selector, kPath, {.allow_unknown_operator = true}), SizeIs(2));
}

TEST(MetaV1, InvalidValuesOfExpressions) {
  const metav1::LabelSelector selector = {
      .match_expressions = {{.key = "b", .operator_ = "In", .values = {"-"}}}};
  EXPECT_TRUE(LabelSelectorHasInvalidLabelValue(selector));
  EXPECT_FALSE(LabelSelectorHasInvalidLabelValue({.match_labels = {{"a", "-"}}}));
  EXPECT_THAT(ValidateLabelSelector(selector, kPath), SizeIs(1));
  EXPECT_THAT(ValidateLabelSelector(selector, kPath, {.allow_invalid_label_value = true}),
              IsEmpty());
}

TEST(MetaV1, FieldManager) {
  EXPECT_THAT(ValidateFieldManager("kubectl é", kPath), IsEmpty());
  EXPECT_EQ(First(ValidateFieldManager("é\a", kPath)),
            "it: Invalid value: \"é\\a\": invalid character U+0007 (at position 2)");
  EXPECT_EQ(First(ValidateFieldManager(std::string(129, 'm'), kPath)),
            "it: Too long: may not be more than 128 bytes");
}

TEST(MetaV1, Conditions) {
  const metav1::Condition ready = {.type = "Ready",
                                   .status = "True",
                                   .last_transition_time = Time::FromUnixSeconds(1),
                                   .reason = "Ok"};
  EXPECT_THAT(ValidateConditions({ready}, kPath), IsEmpty());
  EXPECT_EQ(First(ValidateConditions({ready, ready}, kPath)),
            "it[1].type: Duplicate value: \"Ready\"");
  EXPECT_THAT(ValidateCondition({}, kPath), SizeIs(5));
}

TEST(MetaV1, Options) {
  EXPECT_THAT(ValidateCreateOptions({.dry_run = {"All"}, .field_validation = "Strict"}), IsEmpty());
  EXPECT_EQ(First(ValidateUpdateOptions({.dry_run = {"Some"}})),
            "dryRun: Unsupported value: [\"Some\"]: supported values: \"All\"");
  EXPECT_EQ(
      First(ValidateDeleteOptions({.orphan_dependents = true, .propagation_policy = "Orphan"})),
      "propagationPolicy: Invalid value: \"Orphan\": orphanDependents and "
      "deletionPropagation cannot be both set");
  EXPECT_THAT(ValidatePatchOptions({.force = true}, false), SizeIs(1));
  EXPECT_EQ(First(ValidatePatchOptions({.force = true}, true)),
            "fieldManager: Required value: is required for apply patch");
  EXPECT_THAT(ValidateTableOptions({.include_object = "all"}), SizeIs(1));
}

}  // namespace
}  // namespace kube::validation

#include "apimachinery/managedfields/comparison.h"

#include "absl/strings/string_view.h"
#include "apimachinery/managedfields/field_set.h"
#include "apimachinery/managedfields/path_element.h"
#include "gtest/gtest.h"

namespace kube::managedfields {
namespace {

FieldSet SetOf(absl::string_view name) { return {{PathElement::Field(name)}}; }

TEST(ComparisonTest, IsSame_AnySet_IsADifference) {
  EXPECT_TRUE(Comparison().IsSame());
  EXPECT_FALSE(Comparison{.removed = SetOf("a")}.IsSame());
  EXPECT_FALSE(Comparison{.modified = SetOf("a")}.IsSame());
  EXPECT_FALSE(Comparison{.added = SetOf("a")}.IsSame());
}

TEST(ComparisonTest, Filter_ExcludedFields_AreInNoSet) {
  const Comparison all = {.removed = SetOf("a"), .modified = SetOf("b"), .added = SetOf("c")};
  EXPECT_TRUE(all.Filter({}) == all);
  const FieldFilter filter = {.excluded = SetOf("a").Union(SetOf("c"))};
  EXPECT_TRUE(all.Filter(filter) == Comparison{.modified = SetOf("b")});
}

}  // namespace
}  // namespace kube::managedfields

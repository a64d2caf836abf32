#include "apimachinery/managedfields/internal/value_comparer.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/managedfields/comparison.h"
#include "apimachinery/managedfields/path_element.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "gtest/gtest.h"

namespace kube::managedfields::internal {
namespace {

using base::IsOk;
using base::StatusIs;
using unstructured::ParseJson;
using unstructured::Value;

PathElement Field(absl::string_view name) { return PathElement::Field(name); }

TEST(ValueComparerTest, CompareBoth_LeafThatDiffers_IsModifiedItself) {
  ValueComparer comparer;
  const Difference leaf = comparer.CompareBoth(Value(1), Value(2), DeducedSchema());
  EXPECT_TRUE(leaf.is_modified);
  EXPECT_TRUE(leaf.below.IsSame());
  EXPECT_TRUE(comparer.CompareBoth(Value(1), Value(1.0), DeducedSchema()).empty());
  EXPECT_THAT(comparer.ToStatus(), IsOk());
}

TEST(ValueComparerTest, CompareMaps_Members_AreRemovedModifiedAndAdded) {
  const Value before = *ParseJson(R"({"a":1,"b":1,"d":1})");
  const Value after = *ParseJson(R"({"b":2,"c":{"x":1},"d":1})");
  ValueComparer comparer;
  Comparison found;
  comparer.CompareMaps(absl::MakeConstSpan(before.object()->begin(), before.object()->size()),
                       absl::MakeConstSpan(after.object()->begin(), after.object()->size()),
                       *DeducedSchema().map, found);
  EXPECT_EQ(found.removed.ToString(), ".a");
  EXPECT_EQ(found.modified.ToString(), ".b");
  EXPECT_EQ(found.added.ToString(), ".c\n.c.x");
}

TEST(ValueComparerTest, AllBelow_Value_IsAllFieldsInIt) {
  ValueComparer comparer;
  EXPECT_EQ(comparer.AllBelow(*ParseJson(R"({"a":{"x":[1]}})"), DeducedSchema()).ToString(),
            ".a\n.a.x");
  EXPECT_TRUE(comparer.AllBelow(Value(1), DeducedSchema()).empty());
}

TEST(ValueComparerTest, ItemsWithoutAKey_AreErrorsInTheEnd) {
  const Schema item = {.map = DeducedSchema().map};
  const ListSchema list = {.element = &item, .associative = true, .keys = {{.name = "name"}}};
  const Schema schema = {.list = &list};
  ValueComparer comparer;
  comparer.CompareBoth(*ParseJson(R"([{"name":"a"}])"), *ParseJson(R"([{}])"), schema);
  EXPECT_THAT(comparer.ToStatus(), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(AttachTest, Difference_BecomesANodeOfEachSetThatHasAny) {
  Comparison to;
  Difference found = {.is_modified = true, .below = {}};
  found.below.added.Append(Field("x"), true, {});
  Attach(Field("a"), std::move(found), to);
  EXPECT_TRUE(to.removed.empty());
  EXPECT_EQ(to.modified.ToString(), ".a");
  EXPECT_EQ(to.added.ToString(), ".a.x");
}

}  // namespace
}  // namespace kube::managedfields::internal

#include "apimachinery/managedfields/differential/go_answers.h"

#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "gtest/gtest.h"

namespace kube::managedfields {
namespace {

using unstructured::Value;

TEST(GoAnswersTest, JsonKeepsIntegersAndDoublesApart) {
  EXPECT_EQ(ExactJson(Map<Value>{{"a", 1}, {"b", 1.0}, {"c", List<Value>{0.5, 1e21, "x"}}}),
            R"({"a":1,"b":1.0,"c":[0.5,1e+21,"x"]})");
}

TEST(GoAnswersTest, ErrorsArePlausibleIfGoReportsThemInAnyOrder) {
  const List<Value> one = {"error", "no: .a: bad"};
  EXPECT_TRUE(IsPlausible("no: .a: bad", one));
  EXPECT_FALSE(IsPlausible("no: .b: bad", one));
  EXPECT_FALSE(IsPlausible("no: errors:\n  .a: bad\n  .b: bad", one));
  const List<Value> two = {"error", "no: .a: bad", "no: errors:\n  .c: bad\n  .b: bad"};
  EXPECT_TRUE(IsPlausible("no: errors:\n  .b: bad\n  .c: bad", two));
  EXPECT_TRUE(IsPlausible("no: errors:\n  .a: bad\n  .b: bad", two));
  EXPECT_FALSE(IsPlausible("no: .d: bad", two));
}

}  // namespace
}  // namespace kube::managedfields

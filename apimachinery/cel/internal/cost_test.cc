#include "apimachinery/cel/internal/cost.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "apimachinery/base/context.h"
#include "apimachinery/cel/internal/budget.h"
#include "apimachinery/cel/value.h"
#include "gtest/gtest.h"

namespace kube::cel::internal {
namespace {

Value Text(size_t size) { return Value::FromString(std::string(size, 'x')); }
Value Number(int64_t number) { return Value::FromInt(number); }
Value Texts(size_t count, size_t size) {
  return Value::FromList(std::vector<Value>(count, Text(size)));
}
Value Numbers(size_t count) { return Value::FromList(std::vector<Value>(count, Number(1))); }

TEST(CostTest, DependsOnTheArguments) {
  const struct {
    const char* function;
    const char* overload;
    std::vector<Value> arguments;
    uint64_t cost;
  } kTests[] = {
      {"size", "size_string", {Text(1000)}, 1},
      {"_+_", "add_int64", {Number(1), Number(2)}, 1},
      {"_+_", "add_string", {Text(10), Text(11)}, 3},
      {"_+_", "", {Text(10), Text(11)}, 1},
      {"_==_", "equals", {Number(1), Number(1)}, 1},
      {"_==_", "equals", {Text(100), Text(31)}, 4},
      {"_!=_", "not_equals", {Text(0), Text(31)}, 0},
      {"_<_", "less_string", {Text(100), Text(91)}, 10},
      {"@in", "in_list", {Number(1), Numbers(7)}, 7},
      {"@in", "in_map", {Number(1), Numbers(7)}, 1},
      {"startsWith", "starts_with_string", {Text(21), Text(1)}, 3},
      {"contains", "contains_string", {Text(21), Text(11)}, 6},
      {"matches", "matches_string", {Text(19), Text(9)}, 6},
      {"matches", "matches", {Text(19), Text(9)}, 1},
      {"find", "string_find_string", {Text(0), Text(1)}, 1},
      {"replace", "string_replace_string_string", {Text(26), Text(1), Text(1)}, 6},
      {"lowerAscii", "string_lower_ascii", {Text(11)}, 2},
      {"sum", "list_int_sum_int", {Numbers(5)}, 5},
      {"max", "list_string_max_string", {Texts(3, 29)}, 6},
      {"slice", "list_slice", {Numbers(9), Number(2), Number(5)}, 14},
      {"slice", "list_slice", {Numbers(9), Number(5), Number(2)}, 12},
      {"lists.range", "lists_range", {Number(20)}, 31},
      {"lists.range", "lists_range", {Number(-20)}, 11},
      {"reverse", "list_reverse", {Numbers(4)}, 15},
      {"flatten", "list_flatten_int", {Numbers(4), Number(3)}, 23},
      {"distinct", "list_distinct", {Numbers(4)}, 43},
      {"sort", "list_string_sort", {Texts(10, 1)}, 221},
      {"@sortByAssociatedKeys", "list_int_sortByAssociatedKeys", {Texts(2, 1), Numbers(3)}, 29},
      {"sets.contains", "list_sets_contains_list", {Numbers(3), Numbers(4)}, 13},
      {"sets.equivalent", "list_sets_equivalent_list", {Numbers(3), Numbers(4)}, 25},
      {"join", "list_join", {Texts(3, 10)}, 0},
  };
  Context context;
  Budget budget(context, std::numeric_limits<uint64_t>::max());
  for (const auto& test : kTests) {
    EXPECT_EQ(CallCost(FindCostRule(test.function, test.overload), test.arguments, budget),
              test.cost)
        << test.function << " " << test.overload;
  }
}

TEST(CostTest, JoinDependsOnTheResult) {
  EXPECT_EQ(ResultCost(FindCostRule("join", "list_join"), Text(26)), 6u);
  EXPECT_EQ(ResultCost(FindCostRule("join", "list_join"), Value::Error("x")), 1u);
  EXPECT_EQ(ResultCost(FindCostRule("split", "string_split_string"), Text(26)), 0u);
}

TEST(CostTest, HugeNumbersDoNotOverflow) {
  Context context;
  Budget budget(context, std::numeric_limits<uint64_t>::max());
  const std::vector<Value> arguments = {Number(std::numeric_limits<int64_t>::max())};
  EXPECT_GE(CallCost(FindCostRule("lists.range", "lists_range"), arguments, budget),
            uint64_t{1} << 59);
}

}  // namespace
}  // namespace kube::cel::internal

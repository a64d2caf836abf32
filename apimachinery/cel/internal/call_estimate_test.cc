#include "apimachinery/cel/internal/call_estimate.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "apimachinery/cel/ast.h"
#include "apimachinery/cel/internal/bounds.h"
#include "apimachinery/cel/type.h"
#include "gtest/gtest.h"

namespace kube::cel::internal {
namespace {

// A node with a type and a size; a literal if it is a number.
struct Operand {
  TypePtr type;
  std::optional<uint64_t> size = {};
  std::optional<int64_t> literal = {};
  std::optional<uint64_t> element_size = {};
};

Operand Text(uint64_t size) { return {.type = StringType(), .size = size}; }
Operand Texts(uint64_t count, uint64_t size) {
  return {.type = ListType(StringType()), .size = count, .element_size = size};
}
Operand Numbers(uint64_t count) { return {.type = ListType(IntType()), .size = count}; }
Operand Number(int64_t number) { return {.type = IntType(), .size = 1, .literal = number}; }
Operand Unknown() { return {.type = StringType()}; }

struct Row {
  const char* function;
  const char* overload;
  std::optional<Operand> target;
  std::vector<Operand> arguments;
  uint64_t cost;
  std::optional<uint64_t> result_size = {};
};

Expr MakeExpr(const Operand& operand) {
  Expr expr;
  expr.type = operand.type;
  expr.kind = operand.literal.has_value() ? ExprKind::kLiteral : ExprKind::kIdent;
  if (operand.literal.has_value()) expr.literal = *operand.literal;
  return expr;
}

EstimatedNode MakeNode(const Operand& operand, const Expr& expr) {
  EstimatedNode node = {.expr = &expr};
  if (operand.size.has_value()) node.size = Bounds{.min = 0, .max = *operand.size};
  if (operand.element_size.has_value()) {
    node.element_size = Bounds{.min = 0, .max = *operand.element_size};
  }
  return node;
}

void Check(const Row& row) {
  SCOPED_TRACE(std::string(row.function) + " " + row.overload);
  std::vector<Expr> exprs;
  for (const Operand& argument : row.arguments) exprs.push_back(MakeExpr(argument));
  std::vector<EstimatedNode> arguments;
  for (size_t i = 0; i < exprs.size(); ++i) {
    arguments.push_back(MakeNode(row.arguments[i], exprs[i]));
  }
  const Expr target_expr = row.target.has_value() ? MakeExpr(*row.target) : Expr();
  const EstimatedNode target =
      row.target.has_value() ? MakeNode(*row.target, target_expr) : EstimatedNode();
  const CallEstimate estimate = EstimateCall(row.function, row.overload,
                                             row.target.has_value() ? &target : nullptr, arguments);
  EXPECT_EQ(estimate.cost.max, row.cost);
  EXPECT_EQ(estimate.result_size.has_value(), row.result_size.has_value());
  if (estimate.result_size.has_value() && row.result_size.has_value()) {
    EXPECT_EQ(estimate.result_size->max, *row.result_size);
  }
}

TEST(CallEstimateTest, TheLanguageDefinition) {
  Check({"_+_", "add_int64", std::nullopt, {Number(1), Number(2)}, 1});
  Check({"_==_", "equals", std::nullopt, {Text(40), Text(11)}, 2});
  Check({"_==_", "equals", std::nullopt, {Text(40), Unknown()}, 4});
  Check({"_!=_", "not_equals", std::nullopt, {Text(0), Text(11)}, 0});
  Check({"_<_", "less_int64", std::nullopt, {Number(1), Number(1)}, 1});
  Check({"@in", "in_list", std::nullopt, {Number(1), Numbers(7)}, 7});
  Check({"@in", "in_map", std::nullopt, {Number(1), Numbers(7)}, 1});
  Check({"startsWith", "starts_with_string", Text(100), {Text(21)}, 3});
  Check({"contains", "contains_string", Text(100), {Text(21)}, 30});
  Check({"matches", "matches_string", Text(99), {Text(9)}, 30});
  Check({"matches", "matches", std::nullopt, {Text(99), Text(9)}, 1});
  Check({"bytes", "string_to_bytes", std::nullopt, {Text(11)}, 2, 44});
  Check({"string", "bytes_to_string", std::nullopt, {Text(11)}, 2, 11});
  Check({"size", "string_size", Text(100), {}, 1});
}

TEST(CallEstimateTest, Texts) {
  Check({"trim", "string_trim", Text(11), {}, 2, 11});
  Check({"replace", "string_replace_string_string", Text(10), {Text(1), Text(3)}, 2, 43});
  Check({"split", "string_split_string", Text(10), {Text(1)}, 2, 10});
  Check({"split", "string_split_string_int", Text(10), {Text(1), Number(3)}, 2, 3});
  Check({"join", "list_join_string", Texts(3, 10), {Text(2)}, 4, 34});
  Check({"join", "list_join", Texts(3, 10), {}, 3, 30});
  Check({"find", "string_find_string", Text(9), {Text(8)}, 2, 9});
  Check({"format", "string_format", Text(20), {Numbers(1)}, 2});
  Check({"strings.quote", "strings_quote", std::nullopt, {Text(20)}, 2, 42});
  Check({"indexOf", "string_index_of_string", Text(20), {Text(1)}, 2});
  Check({"trim", "string_trim", Unknown(), {}, 1'844'674'407'370'955'264, kUnlimited});
}

TEST(CallEstimateTest, Lists) {
  Check({"max", "list_string_max_string", Texts(3, 40), {}, 15});
  Check({"sum", "list_int_sum_int", Numbers(5), {}, 5});
  Check({"indexOf", "list_a_index_of_int", Numbers(5), {Number(1)}, 5});
  Check({"lists.range", "lists_range", std::nullopt, {Number(20)}, 31, 20});
  Check({"lists.range", "lists_range", std::nullopt, {Number(-20)}, 11, 0});
  Check({"slice", "list_slice", Numbers(9), {Number(2), Number(5)}, 14, 3});
  Check({"reverse", "list_reverse", Numbers(4), {}, 15, 4});
  Check({"flatten", "list_flatten_int", Numbers(4), {Number(3)}, 23, 4});
  Check({"distinct", "list_distinct", Numbers(4), {}, 43, 16});
  Check({"sort", "list_int_sort", Numbers(4), {}, 43, 16});
  Check({"sort", "list_string_sort", Texts(10, 1), {}, 221, 100});
  Check(
      {"@sortByAssociatedKeys", "list_int_sortByAssociatedKeys", Texts(9, 1), {Numbers(3)}, 29, 9});
  Check({"sets.contains", "list_sets_contains_list", std::nullopt, {Numbers(3), Numbers(4)}, 13});
  Check(
      {"sets.equivalent", "list_sets_equivalent_list", std::nullopt, {Numbers(3), Numbers(4)}, 25});
}

TEST(CallEstimateTest, TypesOfKubernetes) {
  const Operand ip = {.type = OpaqueType("net.IP")};
  const Operand quantity = {.type = StructType("kubernetes.Quantity")};
  const Operand format = {.type = StructType("kubernetes.NamedFormat")};
  Check({"url", "string_to_url", std::nullopt, {Text(11)}, 2, 11});
  Check({"quantity", "string_to_quantity", std::nullopt, {Text(11)}, 2});
  Check({"isGreaterThan", "quantity_is_greater_than", quantity, {quantity}, 1});
  Check({"ip", "string_to_ip", std::nullopt, {Text(11)}, 2});
  Check({"ip", "cidr_ip", ip, {}, 1});
  Check({"ip.isCanonical", "ip_is_canonical", std::nullopt, {Text(11)}, 3});
  Check({"containsIP", "cidr_contains_ip_ip", ip, {ip}, 4});
  Check({"containsIP", "cidr_contains_ip_string", ip, {Text(11)}, 6});
  Check({"containsCIDR", "cidr_contains_cidr", ip, {ip}, 7});
  Check({"containsCIDR", "cidr_contains_cidr_string", ip, {Text(11)}, 9});
  Check({"validate", "format-validate", format, {Text(11)}, 64});
  Check({"_==_", "equals", std::nullopt, {ip, ip}, 1});
  Check({"_==_", "equals", std::nullopt, {quantity, quantity}, 1});
  Check({"_==_", "equals", std::nullopt, {format, format}, 7});
}

}  // namespace
}  // namespace kube::cel::internal

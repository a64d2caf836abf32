#include "apimachinery/cel/ast.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace kube::cel {
namespace {

ExprPtr Ident(const char* name) {
  auto expr = std::make_unique<Expr>();
  expr->kind = ExprKind::kIdent;
  expr->name = name;
  return expr;
}

ExprPtr Select(ExprPtr operand, const char* name, bool test_only = false) {
  auto expr = std::make_unique<Expr>();
  expr->kind = ExprKind::kSelect;
  expr->name = name;
  expr->operand = std::move(operand);
  expr->test_only = test_only;
  return expr;
}

ExprPtr Constant(Literal literal) {
  auto expr = std::make_unique<Expr>();
  expr->kind = ExprKind::kLiteral;
  expr->literal = std::move(literal);
  return expr;
}

TEST(AstTest, CopiesAreDeep) {
  auto list = std::make_unique<Expr>();
  list->kind = ExprKind::kList;
  list->arguments.push_back(Select(Ident("a"), "b", /*test_only=*/true));
  list->arguments.push_back(Constant(BytesLiteral{.bytes = "x"}));
  list->optional = {false, true};
  const ExprPtr copy = Copy(*list);
  list->arguments[0]->name = "changed";
  EXPECT_EQ(DebugString(*copy), "[a.b~test-only~, ?b\"x\"]");
  EXPECT_EQ(DebugString(*list), "[a.changed~test-only~, ?b\"x\"]");
  EXPECT_EQ(CountNodes(*copy), 4u);
}

TEST(AstTest, NodesAreVisitedBeforeTheirParts) {
  std::vector<std::string> names;
  Visit(*Select(Select(Ident("a"), "b"), "c"),
        [&names](const Expr& node) { names.push_back(node.name); });
  EXPECT_EQ(names, (std::vector<std::string>{"c", "b", "a"}));
}

TEST(AstTest, QualifiedNames) {
  EXPECT_EQ(QualifiedName(*Select(Select(Ident("a"), "b"), "c")), "a.b.c");
  EXPECT_EQ(QualifiedName(*Select(Ident("a"), "b", /*test_only=*/true)), "");
  EXPECT_EQ(QualifiedName(*Select(Constant(int64_t{1}), "b")), "");
}

TEST(AstTest, Literals) {
  EXPECT_EQ(DebugString(*Constant({})), "null");
  EXPECT_EQ(DebugString(*Constant(true)), "true");
  EXPECT_EQ(DebugString(*Constant(uint64_t{7})), "7u");
  EXPECT_EQ(DebugString(*Constant(1e6)), "1e+06");
}

}  // namespace
}  // namespace kube::cel

#include "apimachinery/cel/ast.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>

#include "absl/strings/str_cat.h"
#include "apimachinery/base/text/go_text.h"

namespace kube::cel {
namespace {

ExprPtr CopyOrNull(const ExprPtr& expr) { return expr == nullptr ? nullptr : Copy(*expr); }

std::unique_ptr<Comprehension> CopyLoop(const Comprehension& loop) {
  auto copy = std::make_unique<Comprehension>();
  copy->variable = loop.variable;
  copy->variable2 = loop.variable2;
  copy->accumulator = loop.accumulator;
  copy->range = CopyOrNull(loop.range);
  copy->initial = CopyOrNull(loop.initial);
  copy->condition = CopyOrNull(loop.condition);
  copy->step = CopyOrNull(loop.step);
  copy->result = CopyOrNull(loop.result);
  return copy;
}

struct LiteralText {
  std::string operator()(std::monostate) const { return "null"; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(int64_t value) const { return absl::StrCat(value); }
  std::string operator()(uint64_t value) const { return absl::StrCat(value, "u"); }
  std::string operator()(double value) const { return text::FormatGeneral(value); }
  std::string operator()(const std::string& value) const { return text::Quoted(value); }
  std::string operator()(const BytesLiteral& value) const {
    return absl::StrCat("b", text::Quoted(value.bytes));
  }
};

std::string Arguments(const Expr& expr) {
  std::string out;
  for (size_t i = 0; i < expr.arguments.size(); ++i) {
    absl::StrAppend(&out, i == 0 ? "" : ", ", DebugString(*expr.arguments[i]));
  }
  return out;
}

std::string Elements(const Expr& list) {
  std::string out;
  for (size_t i = 0; i < list.arguments.size(); ++i) {
    absl::StrAppend(&out, i == 0 ? "" : ", ", list.optional[i] ? "?" : "",
                    DebugString(*list.arguments[i]));
  }
  return out;
}

std::string Entries(const Expr& expr) {
  std::string out;
  for (size_t i = 0; i < expr.optional.size(); ++i) {
    const bool is_map = expr.kind == ExprKind::kMap;
    absl::StrAppend(&out, i == 0 ? "" : ", ", expr.optional[i] ? "?" : "",
                    is_map ? DebugString(*expr.arguments[2 * i]) : expr.fields[i], ":",
                    DebugString(*expr.arguments[is_map ? 2 * i + 1 : i]));
  }
  return out;
}

std::string Loop(const Comprehension& loop) {
  return absl::StrCat("__fold__(", loop.variable, loop.variable2.empty() ? "" : ", ",
                      loop.variable2, ", ", DebugString(*loop.range), ", ", loop.accumulator, ", ",
                      DebugString(*loop.initial), ", ", DebugString(*loop.condition), ", ",
                      DebugString(*loop.step), ", ", DebugString(*loop.result), ")");
}

}  // namespace

ExprPtr Copy(const Expr& expr) {
  auto copy = std::make_unique<Expr>();
  copy->kind = expr.kind;
  copy->offset = expr.offset;
  copy->name = expr.name;
  copy->literal = expr.literal;
  copy->operand = CopyOrNull(expr.operand);
  copy->arguments.reserve(expr.arguments.size());
  for (const ExprPtr& argument : expr.arguments) copy->arguments.push_back(Copy(*argument));
  copy->optional = expr.optional;
  copy->fields = expr.fields;
  copy->entry_offsets = expr.entry_offsets;
  copy->test_only = expr.test_only;
  if (expr.comprehension != nullptr) copy->comprehension = CopyLoop(*expr.comprehension);
  return copy;
}

void Visit(const Expr& expr, absl::FunctionRef<void(const Expr& node)> visit) {
  visit(expr);
  if (expr.operand != nullptr) Visit(*expr.operand, visit);
  for (const ExprPtr& argument : expr.arguments) Visit(*argument, visit);
  if (expr.comprehension == nullptr) return;
  const Comprehension& loop = *expr.comprehension;
  for (const ExprPtr* part :
       {&loop.range, &loop.initial, &loop.condition, &loop.step, &loop.result}) {
    if (*part != nullptr) Visit(**part, visit);
  }
}

size_t CountNodes(const Expr& expr) {
  size_t count = 0;
  Visit(expr, [&count](const Expr&) { ++count; });
  return count;
}

std::string QualifiedName(const Expr& expr) {
  if (expr.kind == ExprKind::kIdent) return expr.name;
  if (expr.kind != ExprKind::kSelect || expr.test_only) return "";
  const std::string prefix = QualifiedName(*expr.operand);
  return prefix.empty() ? "" : absl::StrCat(prefix, ".", expr.name);
}

std::string DebugString(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::kUnspecified:
      return "<error>";
    case ExprKind::kLiteral:
      return std::visit(LiteralText(), expr.literal);
    case ExprKind::kIdent:
      return expr.name;
    case ExprKind::kSelect:
      return absl::StrCat(DebugString(*expr.operand), ".", expr.name,
                          expr.test_only ? "~test-only~" : "");
    case ExprKind::kCall:
      return absl::StrCat(expr.operand == nullptr ? "" : DebugString(*expr.operand),
                          expr.operand == nullptr ? "" : ".", expr.name, "(", Arguments(expr), ")");
    case ExprKind::kList:
      return absl::StrCat("[", Elements(expr), "]");
    case ExprKind::kMap:
      return absl::StrCat("{", Entries(expr), "}");
    case ExprKind::kStruct:
      return absl::StrCat(expr.name, "{", Entries(expr), "}");
    case ExprKind::kComprehension:
      return Loop(*expr.comprehension);
  }
  return "";
}

}  // namespace kube::cel

#include "apimachinery/cel/internal/validator.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/context.h"
#include "apimachinery/cel/internal/budget.h"
#include "apimachinery/cel/internal/constant.h"
#include "apimachinery/cel/internal/library/string_format.h"
#include "apimachinery/cel/internal/regexp.h"
#include "apimachinery/cel/internal/unifier.h"

namespace kube::cel::internal {
namespace {

class Validator {
 public:
  Validator(const Ast& ast, const Functions& functions)
      : source_(ast.source), root_(*ast.root), functions_(functions) {}

  std::vector<Issue> Run() {
    Check(root_, /*in_format=*/false);
    return std::move(issues_);
  }

 private:
  void Check(const Expr& expr, bool in_format);
  void CheckCall(const Expr& expr);
  void CheckConversion(const Expr& expr);
  void CheckPattern(const Expr& expr);
  void CheckFormat(const Expr& expr);
  void CheckList(const Expr& expr);
  void CheckMap(const Expr& expr);
  bool ExpectSame(const Expr& expr, const Type& expected, const Type& actual);
  void Report(const Expr& expr, std::string message) {
    issues_.push_back({.location = source_.LocationOf(expr.offset), .message = std::move(message)});
  }

  const Source& source_;
  const Expr& root_;
  const Functions& functions_;
  std::vector<Issue> issues_;
};

void Validator::Check(const Expr& expr, bool in_format) {
  if (expr.kind == ExprKind::kCall) CheckCall(expr);
  if (expr.kind == ExprKind::kList && !in_format) CheckList(expr);
  if (expr.kind == ExprKind::kMap && !in_format) CheckMap(expr);
  in_format = in_format || (expr.kind == ExprKind::kCall && expr.name == "format");
  if (expr.operand != nullptr) Check(*expr.operand, in_format);
  for (const ExprPtr& argument : expr.arguments) Check(*argument, in_format);
  if (expr.comprehension == nullptr) return;
  const Comprehension& loop = *expr.comprehension;
  for (const ExprPtr* part :
       {&loop.range, &loop.initial, &loop.condition, &loop.step, &loop.result}) {
    Check(**part, in_format);
  }
}

void Validator::CheckCall(const Expr& expr) {
  if (expr.arguments.empty()) return;
  if (expr.name == "duration" || expr.name == "timestamp") CheckConversion(expr);
  if (expr.name == "matches") CheckPattern(expr);
  if (expr.name == "format" && expr.operand != nullptr) CheckFormat(expr);
}

void Validator::CheckConversion(const Expr& expr) {
  const Expr& argument = *expr.arguments[0];
  const Function* function = functions_.Find(expr.name);
  if (argument.kind != ExprKind::kLiteral || function == nullptr) return;
  const Value value = LiteralValue(argument.literal);
  Context context;
  Budget budget(context, std::numeric_limits<uint64_t>::max());
  RegexpCache regexps;
  const Call call{.function = expr.name,
                  .arguments = absl::MakeConstSpan(&value, 1),
                  .budget = budget,
                  .regexps = regexps};
  if (Invoke(*function, nullptr, call).is_error()) {
    Report(argument, absl::StrCat("invalid ", expr.name, " argument"));
  }
}

// As upstream, of matches(text, pattern) it is the text that is looked at.
void Validator::CheckPattern(const Expr& expr) {
  const Expr& argument = *expr.arguments[0];
  const auto* pattern = std::get_if<std::string>(&argument.literal);
  if (argument.kind != ExprKind::kLiteral || pattern == nullptr) return;
  if (!Regexp::Compile(*pattern).ok()) Report(argument, "invalid matches argument");
}

// Returns the node of a literal, or in it, whose type the clause %s does not accept. Returns null
// if there is no such node.
const Expr* FindUnprintable(const Expr& expr) {
  if (expr.type->kind == TypeKind::kOpaque || expr.type->kind == TypeKind::kStruct) return &expr;
  if (expr.kind != ExprKind::kList && expr.kind != ExprKind::kMap) return nullptr;
  for (const ExprPtr& argument : expr.arguments) {
    if (const Expr* found = FindUnprintable(*argument)) return found;
  }
  return nullptr;
}

bool Accepts(char verb, TypeKind kind) {
  const bool is_integer = kind == TypeKind::kInt || kind == TypeKind::kUint;
  switch (verb) {
    case 'f':
    case 'e':
      return kind == TypeKind::kDouble || kind == TypeKind::kString;
    case 'b':
      return is_integer || kind == TypeKind::kBool;
    case 'x':
    case 'X':
      return is_integer || kind == TypeKind::kString || kind == TypeKind::kBytes;
    default:
      return is_integer;
  }
}

void Validator::CheckFormat(const Expr& expr) {
  const auto* format = std::get_if<std::string>(&expr.operand->literal);
  const Expr& list = *expr.arguments[0];
  if (expr.operand->kind != ExprKind::kLiteral || format == nullptr ||
      list.kind != ExprKind::kList || !absl::c_linear_search(expr.overloads, "string_format")) {
    return;
  }
  size_t used = 0;
  const Expr* wrong = &expr;
  const auto check = [&](const FormatClause& clause, size_t index) -> absl::StatusOr<std::string> {
    const Expr& argument = *list.arguments[index];
    const Expr* unfit = nullptr;
    if (clause.verb == 's') {
      unfit = FindUnprintable(argument);
    } else if (argument.type->kind != TypeKind::kDyn &&
               !Accepts(clause.verb, argument.type->kind)) {
      unfit = &argument;
    }
    ++used;
    if (unfit == nullptr) return "";
    wrong = unfit;
    return WrongArgument(clause.verb, unfit->type->name);
  };
  const absl::StatusOr<std::string> text = Interpolate(*format, list.arguments.size(), check);
  if (!text.ok()) {
    Report(*wrong, std::string(text.status().message()));
  } else if (list.arguments.size() > used) {
    Report(expr, absl::StrCat("too many arguments supplied to string.format (expected ", used,
                              ", got ", list.arguments.size(), ")"));
  }
}

bool Validator::ExpectSame(const Expr& expr, const Type& expected, const Type& actual) {
  if (SameType(expected, actual)) return true;
  Report(expr, absl::StrCat("expected type '", TypeText(expected), "' but found '",
                            TypeText(actual), "'"));
  return false;
}

// Returns the type of the value that an optional entry adds, or the type of another entry.
const Type& TypeOfEntry(const Expr& expr, bool optional) {
  return optional && !expr.type->parameters.empty() ? *expr.type->parameters[0] : *expr.type;
}

void Validator::CheckList(const Expr& expr) {
  for (size_t i = 1; i < expr.arguments.size(); ++i) {
    const bool same =
        ExpectSame(*expr.arguments[i], TypeOfEntry(*expr.arguments[0], expr.optional[0]),
                   TypeOfEntry(*expr.arguments[i], expr.optional[i]));
    if (!same) return;
  }
}

void Validator::CheckMap(const Expr& expr) {
  for (size_t i = 1; i < expr.optional.size(); ++i) {
    const Expr& key = *expr.arguments[2 * i];
    const Expr& value = *expr.arguments[2 * i + 1];
    ExpectSame(key, *expr.arguments[0]->type, *key.type);
    ExpectSame(value, TypeOfEntry(*expr.arguments[1], expr.optional[0]),
               TypeOfEntry(value, expr.optional[i]));
  }
}

}  // namespace

std::vector<Issue> ValidateLiterals(const Ast& ast, const Functions& functions) {
  return Validator(ast, functions).Run();
}

}  // namespace kube::cel::internal

#include "apimachinery/cel/internal/macros.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"

namespace kube::cel::internal {
namespace {

// The name that older versions of cel-go had for the accumulator; still refused as a variable.
constexpr absl::string_view kOldAccumulator = "__result__";
// A variable of loops that run not even once.
constexpr absl::string_view kUnused = "#unused";
// The variable of sortBy.
constexpr absl::string_view kSorted = "@__sortBy_input__";

// Makes the nodes that a macro adds, all at the place of its call.
class Maker {
 public:
  explicit Maker(size_t offset) : offset_(offset) {}

  ExprPtr Constant(Literal literal) const {
    ExprPtr expr = Node(ExprKind::kLiteral, "");
    expr->literal = std::move(literal);
    return expr;
  }
  ExprPtr Ident(absl::string_view name) const { return Node(ExprKind::kIdent, name); }
  ExprPtr Accumulator() const { return Ident(kAccumulator); }

  template <typename... Args>
  ExprPtr Call(absl::string_view function, Args... args) const {
    ExprPtr expr = Node(ExprKind::kCall, function);
    (expr->arguments.push_back(std::move(args)), ...);
    return expr;
  }
  template <typename... Args>
  ExprPtr Method(ExprPtr target, absl::string_view function, Args... args) const {
    ExprPtr expr = Call(function, std::move(args)...);
    expr->operand = std::move(target);
    return expr;
  }
  ExprPtr EmptyList() const { return Node(ExprKind::kList, ""); }
  ExprPtr EmptyMap() const { return Node(ExprKind::kMap, ""); }
  ExprPtr ListOf(ExprPtr element) const {
    ExprPtr expr = EmptyList();
    expr->arguments.push_back(std::move(element));
    expr->optional.push_back(false);
    return expr;
  }
  ExprPtr Fold(Comprehension loop) const {
    ExprPtr expr = Node(ExprKind::kComprehension, "");
    expr->comprehension = std::make_unique<Comprehension>(std::move(loop));
    return expr;
  }

 private:
  ExprPtr Node(ExprKind kind, absl::string_view name) const {
    auto expr = std::make_unique<Expr>();
    expr->kind = kind;
    expr->name = std::string(name);
    expr->offset = offset_;
    return expr;
  }

  const size_t offset_;
};

Expansion Done(ExprPtr expr) { return {.expr = std::move(expr)}; }

Expansion Wrong(const Expr& where, absl::string_view message) {
  return {.expr = nullptr, .error = std::string(message), .error_offset = where.offset};
}

bool IsAccumulator(absl::string_view name) {
  return name == kAccumulator || name == kOldAccumulator;
}

// Checks the arguments that are variables: the first `count`. Returns an expansion with the error,
// or without one.
Expansion CheckVariables(const MacroCall& call, size_t count, absl::string_view not_a_name) {
  for (size_t i = 0; i < count; ++i) {
    if (call.arguments[i]->kind != ExprKind::kIdent) return Wrong(*call.arguments[i], not_a_name);
  }
  if (count == 2 && call.arguments[0]->name == call.arguments[1]->name) {
    return Wrong(*call.arguments[1],
                 absl::StrCat("duplicate variable name: ", call.arguments[0]->name));
  }
  for (size_t i = 0; i < count; ++i) {
    if (IsAccumulator(call.arguments[i]->name)) {
      return Wrong(*call.arguments[i], "iteration variable overwrites accumulator variable");
    }
  }
  return {};
}

// Returns a loop over the target with `variables` variables; initial value, condition, step and
// result are still missing.
Comprehension LoopOver(MacroCall& call, size_t variables) {
  Comprehension loop;
  loop.variable = call.arguments[0]->name;
  if (variables == 2) loop.variable2 = call.arguments[1]->name;
  loop.accumulator = std::string(kAccumulator);
  loop.range = std::move(call.target);
  return loop;
}

Expansion Has(MacroCall call) {
  ExprPtr& select = call.arguments[0];
  if (select->kind != ExprKind::kSelect) return Wrong(*select, "invalid argument to has() macro");
  select->test_only = true;
  select->offset = call.offset;
  return Done(std::move(select));
}

// all, exists, exists_one and existsOne, with one variable or two.
Expansion Quantifier(MacroCall call) {
  const size_t variables = call.arguments.size() - 1;
  Expansion wrong = CheckVariables(call, variables, "argument must be a simple name");
  if (!wrong.error.empty()) return wrong;
  const Maker make(call.offset);
  Comprehension loop = LoopOver(call, variables);
  ExprPtr predicate = std::move(call.arguments.back());
  if (call.function == "all") {
    loop.initial = make.Constant(true);
    loop.condition = make.Call("@not_strictly_false", make.Accumulator());
    loop.step = make.Call("_&&_", make.Accumulator(), std::move(predicate));
    loop.result = make.Accumulator();
  } else if (call.function == "exists") {
    loop.initial = make.Constant(false);
    loop.condition = make.Call("@not_strictly_false", make.Call("!_", make.Accumulator()));
    loop.step = make.Call("_||_", make.Accumulator(), std::move(predicate));
    loop.result = make.Accumulator();
  } else {
    loop.initial = make.Constant(int64_t{0});
    loop.condition = make.Constant(true);
    loop.step = make.Call("_?_:_", std::move(predicate),
                          make.Call("_+_", make.Accumulator(), make.Constant(int64_t{1})),
                          make.Accumulator());
    loop.result = make.Call("_==_", make.Accumulator(), make.Constant(int64_t{1}));
  }
  return Done(make.Fold(std::move(loop)));
}

// Adds a step to a loop that collects values: `collect` for elements that match the filter, which
// may be null.
Expansion Collect(const Maker& make, Comprehension loop, ExprPtr initial, ExprPtr filter,
                  ExprPtr collect) {
  loop.initial = std::move(initial);
  loop.condition = make.Constant(true);
  loop.step = filter == nullptr
                  ? std::move(collect)
                  : make.Call("_?_:_", std::move(filter), std::move(collect), make.Accumulator());
  loop.result = make.Accumulator();
  return Done(make.Fold(std::move(loop)));
}

// map with and without a filter, and transformList.
Expansion MapToList(MacroCall call, size_t variables) {
  Expansion wrong = CheckVariables(
      call, variables,
      variables == 1 ? "argument is not an identifier" : "argument must be a simple name");
  if (!wrong.error.empty()) return wrong;
  const Maker make(call.offset);
  Comprehension loop = LoopOver(call, variables);
  ExprPtr transform = std::move(call.arguments.back());
  ExprPtr filter =
      call.arguments.size() == variables + 2 ? std::move(call.arguments[variables]) : nullptr;
  ExprPtr collect = make.Call("_+_", make.Accumulator(), make.ListOf(std::move(transform)));
  return Collect(make, std::move(loop), make.EmptyList(), std::move(filter), std::move(collect));
}

Expansion Filter(MacroCall call) {
  Expansion wrong = CheckVariables(call, 1, "argument is not an identifier");
  if (!wrong.error.empty()) return wrong;
  const Maker make(call.offset);
  Comprehension loop = LoopOver(call, 1);
  ExprPtr element = std::move(call.arguments[0]);
  ExprPtr collect = make.Call("_+_", make.Accumulator(), make.ListOf(std::move(element)));
  return Collect(make, std::move(loop), make.EmptyList(), std::move(call.arguments[1]),
                 std::move(collect));
}

// transformMap and transformMapEntry.
Expansion MapToMap(MacroCall call) {
  Expansion wrong = CheckVariables(call, 2, "argument must be a simple name");
  if (!wrong.error.empty()) return wrong;
  const Maker make(call.offset);
  Comprehension loop = LoopOver(call, 2);
  ExprPtr transform = std::move(call.arguments.back());
  ExprPtr filter = call.arguments.size() == 4 ? std::move(call.arguments[2]) : nullptr;
  ExprPtr collect = call.function == "transformMap"
                        ? make.Call("cel.@mapInsert", make.Accumulator(), make.Ident(loop.variable),
                                    std::move(transform))
                        : make.Call("cel.@mapInsert", make.Accumulator(), std::move(transform));
  return Collect(make, std::move(loop), make.EmptyMap(), std::move(filter), std::move(collect));
}

// Returns a loop that runs not even once: its result is `result` with the variable set.
ExprPtr Bind(const Maker& make, absl::string_view variable, ExprPtr value, ExprPtr result) {
  Comprehension loop;
  loop.variable = std::string(kUnused);
  loop.accumulator = std::string(variable);
  loop.range = make.EmptyList();
  loop.initial = std::move(value);
  loop.condition = make.Constant(false);
  loop.step = make.Ident(variable);
  loop.result = std::move(result);
  return make.Fold(std::move(loop));
}

// optMap and optFlatMap.
Expansion MapOptional(MacroCall call) {
  if (call.arguments[0]->kind != ExprKind::kIdent) {
    return Wrong(*call.arguments[0],
                 absl::StrCat(call.function, "() variable name must be a simple identifier"));
  }
  const Maker make(call.offset);
  const std::string variable = call.arguments[0]->name;
  ExprPtr value = make.Method(Copy(*call.target), "value");
  ExprPtr result = Bind(make, variable, std::move(value), std::move(call.arguments[1]));
  if (call.function == "optMap") result = make.Call("optional.of", std::move(result));
  return Done(make.Call("_?_:_", make.Method(std::move(call.target), "hasValue"), std::move(result),
                        make.Call("optional.none")));
}

Expansion SortBy(MacroCall call) {
  switch (call.target->kind) {
    case ExprKind::kList:
    case ExprKind::kSelect:
    case ExprKind::kIdent:
    case ExprKind::kComprehension:
    case ExprKind::kCall:
      break;
    default:
      return Wrong(*call.target,
                   "sortBy can only be applied to a list, identifier, comprehension, call or "
                   "select expression");
  }
  const Maker make(call.offset);
  ExprPtr sorted = std::move(call.target);
  call.target = make.Ident(kSorted);
  Expansion keys = MapToList(std::move(call), 1);
  if (!keys.error.empty()) return keys;
  ExprPtr result = make.Method(make.Ident(kSorted), "@sortByAssociatedKeys", std::move(keys.expr));
  return Done(Bind(make, kSorted, std::move(sorted), std::move(result)));
}

bool IsQuantifier(absl::string_view function) {
  return function == "all" || function == "exists" || function == "exists_one" ||
         function == "existsOne";
}

}  // namespace

bool IsMacro(absl::string_view function, size_t arguments, bool has_target) {
  if (!has_target) return function == "has" && arguments == 1;
  switch (arguments) {
    case 2:
      return IsQuantifier(function) || function == "map" || function == "filter" ||
             function == "optMap" || function == "optFlatMap" || function == "sortBy";
    case 3:
      return IsQuantifier(function) || function == "map" || function == "transformList" ||
             function == "transformMap" || function == "transformMapEntry";
    case 4:
      return function == "transformList" || function == "transformMap" ||
             function == "transformMapEntry";
    default:
      return false;
  }
}

Expansion Expand(MacroCall call) {
  if (call.function == "has") return Has(std::move(call));
  if (IsQuantifier(call.function)) return Quantifier(std::move(call));
  if (call.function == "map") return MapToList(std::move(call), 1);
  if (call.function == "transformList") return MapToList(std::move(call), 2);
  if (call.function == "filter") return Filter(std::move(call));
  if (call.function == "sortBy") return SortBy(std::move(call));
  if (call.function == "optMap" || call.function == "optFlatMap") {
    return MapOptional(std::move(call));
  }
  return MapToMap(std::move(call));
}

}  // namespace kube::cel::internal

#include "apimachinery/cel/internal/plan/planner.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/cel/internal/budget.h"
#include "apimachinery/cel/internal/checker.h"
#include "apimachinery/cel/internal/constant.h"
#include "apimachinery/cel/internal/describe.h"
#include "apimachinery/cel/internal/key.h"
#include "apimachinery/cel/internal/macros.h"
#include "apimachinery/cel/internal/plan/attribute.h"
#include "apimachinery/cel/internal/plan/loop.h"
#include "apimachinery/cel/internal/regexp.h"

namespace kube::cel::internal {
namespace {

bool IsIdent(const Expr& expr, absl::string_view name) {
  return expr.kind == ExprKind::kIdent && expr.name == name;
}

bool IsConversion(absl::string_view function) {
  for (const absl::string_view name : {"bool", "bytes", "double", "duration", "dyn", "int",
                                       "string", "timestamp", "type", "uint"}) {
    if (function == name) return true;
  }
  return false;
}

bool IsTrueLiteral(const Expr& expr) {
  const bool* value = std::get_if<bool>(&expr.literal);
  return expr.kind == ExprKind::kLiteral && value != nullptr && *value;
}

bool AreConstant(const std::vector<NodePtr>& nodes) {
  return absl::c_all_of(nodes, [](const NodePtr& node) { return node->constant() != nullptr; });
}

// Computes a node that depends on nothing.
Value Fold(const Node& node) {
  Context context;
  Budget budget(context, std::numeric_limits<uint64_t>::max());
  RegexpCache regexps;
  Frame frame{.budget = budget, .regexps = regexps, .variables = {}, .locals = {}};
  return node.Evaluate(frame);
}

// The parts of a loop that collects.
struct Collector {
  CollectNode::Kind kind;
  const Expr* filter;  // may be null
  const Expr* value;
};

// Returns what each step of a loop collects, if it is a loop that collects.
std::optional<Collector> FindCollector(const Comprehension& loop) {
  const bool is_list = loop.initial->kind == ExprKind::kList;
  if ((!is_list && loop.initial->kind != ExprKind::kMap) || !loop.initial->arguments.empty() ||
      loop.accumulator != kAccumulator || !IsTrueLiteral(*loop.condition) ||
      !IsIdent(*loop.result, kAccumulator)) {
    return std::nullopt;
  }
  const Expr* step = loop.step.get();
  const Expr* filter = nullptr;
  if (step->name == "_?_:_" && IsIdent(*step->arguments[2], kAccumulator)) {
    filter = step->arguments[0].get();
    step = step->arguments[1].get();
  }
  const std::vector<ExprPtr>& arguments = step->arguments;
  if (step->kind != ExprKind::kCall || arguments.size() < 2 ||
      !IsIdent(*arguments[0], kAccumulator)) {
    return std::nullopt;
  }
  if (is_list) {
    const bool appends = step->name == "_+_" && arguments[1]->kind == ExprKind::kList &&
                         arguments[1]->arguments.size() == 1 && !arguments[1]->optional[0];
    if (!appends) return std::nullopt;
    return Collector{.kind = CollectNode::Kind::kElement,
                     .filter = filter,
                     .value = arguments[1]->arguments[0].get()};
  }
  if (step->name != "cel.@mapInsert") return std::nullopt;
  if (arguments.size() == 2) {
    return Collector{
        .kind = CollectNode::Kind::kEntries, .filter = filter, .value = arguments[1].get()};
  }
  if (!IsIdent(*arguments[1], loop.variable)) return std::nullopt;
  return Collector{
      .kind = CollectNode::Kind::kEntry, .filter = filter, .value = arguments[2].get()};
}

class Planner {
 public:
  explicit Planner(const Functions& functions) : functions_(functions) {}

  absl::StatusOr<Plan> Run(const Expr& root) {
    Plan plan;
    plan.root = Make(root);
    if (!error_.ok()) return error_;
    plan.variables = std::move(variables_);
    plan.locals = max_slots_;
    return plan;
  }

 private:
  struct Local {
    std::string name;
    size_t slot;
  };

  NodePtr Make(const Expr& expr);
  std::vector<NodePtr> MakeAll(const std::vector<ExprPtr>& exprs);
  NodePtr MakeIdent(const Expr& expr);
  NodePtr MakeSelect(const Expr& expr);
  NodePtr MakeIndex(NodePtr operand, NodePtr index, bool optional);
  NodePtr MakeCall(const Expr& expr);
  NodePtr MakeOperator(const Expr& expr, std::vector<NodePtr>& arguments);
  NodePtr MakeFunctionCall(const Expr& expr, std::vector<NodePtr> arguments);
  NodePtr MakeMembership(std::vector<NodePtr>& arguments);
  NodePtr MakeList(const Expr& expr);
  NodePtr MakeMap(const Expr& expr);
  NodePtr MakeObject(const Expr& expr);
  NodePtr MakeLoop(const Comprehension& loop);
  NodePtr MakeCollect(const Comprehension& loop, const Collector& collector);
  LoopVariables AddSlots(const Comprehension& loop);
  void AddNames(const Comprehension& loop, const LoopVariables& slots);
  size_t AddSlot();
  NodePtr Fail(absl::string_view message);

  const Functions& functions_;
  // The variables of the loops around the current node, the innermost last.
  std::vector<Local> locals_;
  std::vector<std::string> variables_;
  size_t next_slot_ = 0;
  size_t max_slots_ = 0;
  absl::Status error_;
};

NodePtr Constant(Value value) { return std::make_unique<ConstantNode>(std::move(value)); }

// Computes the node if all its parts are constant.
NodePtr FoldIf(bool is_constant, NodePtr node) {
  return is_constant ? Constant(Fold(*node)) : std::move(node);
}

// Remembers the first defect. The result has no meaning.
NodePtr Planner::Fail(absl::string_view message) {
  if (error_.ok()) error_ = absl::InvalidArgumentError(message);
  return Constant(Value());
}

NodePtr Planner::Make(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::kLiteral:
      return Constant(LiteralValue(expr.literal));
    case ExprKind::kIdent:
      return MakeIdent(expr);
    case ExprKind::kSelect:
      return MakeSelect(expr);
    case ExprKind::kCall:
      return MakeCall(expr);
    case ExprKind::kList:
      return MakeList(expr);
    case ExprKind::kMap:
      return MakeMap(expr);
    case ExprKind::kComprehension: {
      const Comprehension& loop = *expr.comprehension;
      const std::optional<Collector> collector = FindCollector(loop);
      return collector.has_value() ? MakeCollect(loop, *collector) : MakeLoop(loop);
    }
    case ExprKind::kStruct:
      return MakeObject(expr);
    case ExprKind::kUnspecified:
      break;
  }
  return Fail("unsupported expr");
}

std::vector<NodePtr> Planner::MakeAll(const std::vector<ExprPtr>& exprs) {
  std::vector<NodePtr> nodes;
  nodes.reserve(exprs.size());
  for (const ExprPtr& expr : exprs) nodes.push_back(Make(*expr));
  return nodes;
}

NodePtr Planner::MakeIdent(const Expr& expr) {
  if (expr.names_type) return Constant(Value::FromType(FindNamedType(expr.name)));
  const auto local = std::find_if(locals_.rbegin(), locals_.rend(),
                                  [&](const Local& each) { return each.name == expr.name; });
  if (local != locals_.rend()) return std::make_unique<LocalNode>(local->slot);
  const auto found = absl::c_find(variables_, expr.name);
  const auto index = static_cast<size_t>(found - variables_.begin());
  if (found == variables_.end()) variables_.push_back(expr.name);
  return std::make_unique<VariableNode>(index);
}

// Adds a step to a node.
NodePtr Qualify(NodePtr operand, Qualifier qualifier) {
  if (operand->attribute() == nullptr) {
    operand = std::make_unique<RelativeNode>(std::move(operand));
  }
  operand->attribute()->AddQualifier(std::make_shared<const Qualifier>(std::move(qualifier)));
  return operand;
}

NodePtr Planner::MakeSelect(const Expr& expr) {
  return Qualify(Make(*expr.operand),
                 {.constant = Value::FromString(expr.name), .test_only = expr.test_only});
}

NodePtr Planner::MakeIndex(NodePtr operand, NodePtr index, bool optional) {
  Qualifier qualifier;
  qualifier.optional = optional;
  if (const Value* constant = index->constant()) {
    if (!constant->is_string() && !constant->is_bool() && !constant->is_number()) {
      return Fail(absl::StrCat("invalid qualifier type: ", GoTypeName(*constant)));
    }
    qualifier.constant = *constant;
  } else {
    if (index->attribute() != nullptr) index->attribute()->BecomePart();
    qualifier.index = std::move(index);
  }
  return Qualify(std::move(operand), std::move(qualifier));
}

// Returns null if the expression is not an operator, or one that is a function like others.
NodePtr Planner::MakeOperator(const Expr& expr, std::vector<NodePtr>& arguments) {
  const absl::string_view name = expr.name;
  if (name == "_&&_" || name == "_||_") {
    return std::make_unique<LogicNode>(name == "_||_", std::move(arguments));
  }
  if (name == "_?_:_") {
    return std::make_unique<ConditionalNode>(std::move(arguments[0]), std::move(arguments[1]),
                                             std::move(arguments[2]));
  }
  if (name == "_==_" || name == "_!=_") {
    return std::make_unique<EqualNode>(name == "_!=_", std::move(arguments[0]),
                                       std::move(arguments[1]));
  }
  if (name == "_[_]" || name == "_[?_]" || name == "_?._") {
    return MakeIndex(std::move(arguments[0]), std::move(arguments[1]), name != "_[_]");
  }
  if (name == "@not_strictly_false") {
    return std::make_unique<NotFalseNode>(std::move(arguments[0]));
  }
  if ((name == "or" || name == "orValue") && arguments.size() == 2) {
    return std::make_unique<OptionalOrNode>(name == "orValue", std::move(arguments[0]),
                                            std::move(arguments[1]));
  }
  return nullptr;
}

NodePtr Planner::MakeCall(const Expr& expr) {
  std::vector<NodePtr> arguments;
  if (expr.operand != nullptr) arguments.push_back(Make(*expr.operand));
  for (NodePtr& argument : MakeAll(expr.arguments)) arguments.push_back(std::move(argument));
  NodePtr node = MakeOperator(expr, arguments);
  return node != nullptr ? std::move(node) : MakeFunctionCall(expr, std::move(arguments));
}

// Returns null if the right operand is not a constant list of scalars.
NodePtr Planner::MakeMembership(std::vector<NodePtr>& arguments) {
  const Value* list = arguments[1]->constant();
  if (list == nullptr || !list->is_list()) return nullptr;
  if (list->list().size() == 0) return Constant(Value::FromBool(false));
  absl::flat_hash_set<std::string> keys;
  for (size_t i = 0; i < list->list().size(); ++i) {
    const Value element = list->list().At(i);
    if (!element.is_string() && !element.is_bool() && !element.is_number()) return nullptr;
    if (std::optional<std::string> key = KeyText(element)) keys.insert(*std::move(key));
  }
  return std::make_unique<MemberNode>(std::move(arguments[0]), std::move(keys));
}

NodePtr Planner::MakeFunctionCall(const Expr& expr, std::vector<NodePtr> arguments) {
  const Function* function = functions_.Find(expr.name);
  if (function == nullptr) return Fail(absl::StrCat("unknown function: ", expr.name));
  const Overload* overload =
      expr.overloads.size() == 1 ? function->FindOverload(expr.overloads[0]) : nullptr;
  const std::string& id = overload == nullptr ? "" : overload->id;
  if (id == "in_list") {
    if (NodePtr node = MakeMembership(arguments)) return node;
  }
  std::shared_ptr<const Regexp> regexp;
  const bool has_pattern = expr.name == "matches" || expr.name == "find" || expr.name == "findAll";
  const Value* pattern = has_pattern && arguments.size() > 1 ? arguments[1]->constant() : nullptr;
  if (pattern != nullptr && pattern->is_string()) {
    absl::StatusOr<std::shared_ptr<const Regexp>> compiled = Regexp::Compile(pattern->text());
    if (!compiled.ok()) return Fail(compiled.status().message());
    regexp = *std::move(compiled);
  }
  const bool folds =
      IsConversion(expr.name) && arguments.size() == 1 && arguments[0]->constant() != nullptr;
  NodePtr node =
      std::make_unique<CallNode>(*function, overload, std::move(arguments), std::move(regexp));
  if (!folds) return node;
  Value value = Fold(*node);
  return value.is_error() ? Fail(value.error()) : Constant(std::move(value));
}

NodePtr Planner::MakeList(const Expr& expr) {
  std::vector<NodePtr> elements = MakeAll(expr.arguments);
  const bool is_constant = AreConstant(elements);
  return FoldIf(is_constant, std::make_unique<ListNode>(std::move(elements), expr.optional));
}

NodePtr Planner::MakeMap(const Expr& expr) {
  std::vector<NodePtr> entries = MakeAll(expr.arguments);
  const bool is_constant = AreConstant(entries);
  return FoldIf(is_constant, std::make_unique<MapNode>(std::move(entries), expr.optional));
}

size_t Planner::AddSlot() {
  const size_t slot = next_slot_++;
  max_slots_ = std::max(max_slots_, next_slot_);
  return slot;
}

LoopVariables Planner::AddSlots(const Comprehension& loop) {
  LoopVariables slots;
  slots.accumulator = AddSlot();
  slots.first = AddSlot();
  if (!loop.variable2.empty()) slots.second = AddSlot();
  return slots;
}

void Planner::AddNames(const Comprehension& loop, const LoopVariables& slots) {
  locals_.push_back({.name = loop.variable, .slot = slots.first});
  if (slots.second.has_value()) {
    locals_.push_back({.name = loop.variable2, .slot = *slots.second});
  }
}

NodePtr Planner::MakeObject(const Expr& expr) {
  return std::make_unique<ObjectNode>(expr.type, expr.fields, MakeAll(expr.arguments),
                                      expr.optional);
}

NodePtr Planner::MakeLoop(const Comprehension& loop) {
  LoopNode::Parts parts;
  parts.range = Make(*loop.range);
  const size_t outer_slots = next_slot_;
  const size_t outer_names = locals_.size();
  const LoopVariables slots = AddSlots(loop);
  // It is computed within the loop, and so has other slots, but does not see the variables.
  parts.initial = Make(*loop.initial);
  AddNames(loop, slots);
  locals_.push_back({.name = loop.accumulator, .slot = slots.accumulator});
  parts.condition = Make(*loop.condition);
  parts.step = Make(*loop.step);
  locals_.resize(outer_names);
  locals_.push_back({.name = loop.accumulator, .slot = slots.accumulator});
  parts.result = Make(*loop.result);
  locals_.resize(outer_names);
  next_slot_ = outer_slots;
  return std::make_unique<LoopNode>(slots, std::move(parts));
}

NodePtr Planner::MakeCollect(const Comprehension& loop, const Collector& collector) {
  CollectNode::Parts parts;
  parts.range = Make(*loop.range);
  const size_t outer_slots = next_slot_;
  const size_t outer_names = locals_.size();
  const LoopVariables slots = AddSlots(loop);
  AddNames(loop, slots);
  if (collector.filter != nullptr) parts.filter = Make(*collector.filter);
  parts.value = Make(*collector.value);
  locals_.resize(outer_names);
  next_slot_ = outer_slots;
  return std::make_unique<CollectNode>(collector.kind, slots, std::move(parts));
}

}  // namespace

absl::StatusOr<Plan> MakePlan(const Ast& ast, const Functions& functions) {
  return Planner(functions).Run(*ast.root);
}

}  // namespace kube::cel::internal

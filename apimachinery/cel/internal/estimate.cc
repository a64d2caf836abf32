// Walks over a checked tree and adds up what its nodes can cost. Loops are multiplied by the size
// of their range, so the size of each value matters. It comes, in this order, from
//
// 1. the expression: literals, lists, and functions whose result has a size that is known;
// 2. the schema. Each node that reads a part of a variable has a path such as {self, items, @items,
//    name}, and so have the variables of loops. The first name of a path is not looked at: a path
//    that begins elsewhere, such as that of the elements of a list literal, finds the size of a
//    part of the root;
// 3. the type, if all its values have the same size.

#include "apimachinery/cel/internal/estimate.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "apimachinery/cel/internal/bounds.h"
#include "apimachinery/cel/internal/call_estimate.h"
#include "apimachinery/cel/internal/library/text_search.h"
#include "apimachinery/cel/internal/macros.h"
#include "apimachinery/cel/internal/schema_size.h"
#include "apimachinery/cel/type.h"

namespace kube::cel::internal {
namespace {

using MaybeBounds = std::optional<Bounds>;

constexpr double kPerByte = 0.1;
constexpr absl::string_view kElements = "@items";
constexpr absl::string_view kValues = "@values";
constexpr absl::string_view kKeys = "@keys";
constexpr absl::string_view kIndices = "@indices";

// A path through a schema: a slice of Go. Appending to a path may overwrite the last name of
// another path that was made from it before, as upstream, where it changes some estimates.
class SchemaPath {
 public:
  SchemaPath() = default;
  explicit SchemaPath(absl::string_view name) { *this = Append(name); }

  SchemaPath Append(absl::string_view name) const {
    SchemaPath longer = *this;
    if (longer.names_ == nullptr || size_ == longer.names_->size()) {
      auto names = std::make_shared<std::vector<std::string>>(size_ == 0 ? 1 : 2 * size_);
      for (size_t i = 0; i < size_; ++i) (*names)[i] = (*names_)[i];
      longer.names_ = std::move(names);
    }
    (*longer.names_)[longer.size_++] = std::string(name);
    return longer;
  }

  size_t size() const { return size_; }
  const std::string& operator[](size_t i) const { return (*names_)[i]; }

 private:
  // Its size is the capacity of the slice.
  std::shared_ptr<std::vector<std::string>> names_;
  size_t size_ = 0;
};

// The sizes of the entries of a list or a map.
struct Entries {
  bool is_list = false;
  Bounds key = {};
  Bounds value = {};
};
using MaybeEntries = std::optional<Entries>;

// A variable of a loop.
struct Local {
  SchemaPath path = {};
  MaybeBounds size = {};
  MaybeEntries entries = {};
};

struct LiteralSize {
  uint64_t operator()(const std::string& text) const { return CountRunes(text); }
  uint64_t operator()(const BytesLiteral& literal) const { return literal.bytes.size(); }
  template <typename T>
  uint64_t operator()(const T&) const {
    return 1;
  }
};

// Returns the size that can be read from the expression itself.
MaybeBounds SizeOfLiteral(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::kLiteral:
      return Exactly(std::visit(LiteralSize(), expr.literal));
    case ExprKind::kList:
      return Exactly(expr.arguments.size());
    case ExprKind::kMap:
      return Exactly(expr.arguments.size() / 2);
    default:
      return std::nullopt;
  }
}

// Returns whether all values of the type have the same size.
bool IsScalar(const Type& type) {
  switch (type.kind) {
    case TypeKind::kBool:
    case TypeKind::kDouble:
    case TypeKind::kDuration:
    case TypeKind::kInt:
    case TypeKind::kTimestamp:
    case TypeKind::kUint:
      return true;
    default:
      return IsOptional(type) && !type.parameters.empty() && IsScalar(*type.parameters[0]);
  }
}

bool IsFalse(const Expr& expr) {
  const bool* literal = std::get_if<bool>(&expr.literal);
  return expr.kind == ExprKind::kLiteral && literal != nullptr && !*literal;
}

// Returns whether the loop only gives a value a name, and does not run.
bool IsBind(const Comprehension& loop) {
  return loop.range->kind == ExprKind::kList && loop.range->arguments.empty() &&
         IsFalse(*loop.condition) && loop.accumulator != "__result__";
}

MaybeEntries UnionOf(const MaybeEntries& a, const MaybeEntries& b) {
  if (!a.has_value() || !b.has_value()) return std::nullopt;
  return Entries{
      .is_list = a->is_list, .key = Union(a->key, b->key), .value = Union(a->value, b->value)};
}

class Estimator {
 public:
  explicit Estimator(const Schema& schema) : schema_(schema) {}

  Bounds Cost(const Expr& expr);

 private:
  using Nodes = std::vector<EstimatedNode>;
  using Costs = std::vector<Bounds>;

  Bounds IdentCost(const Expr& expr);
  Bounds SelectCost(const Expr& expr);
  Bounds CallCost(const Expr& expr);
  Bounds DynCost(const Expr& expr);
  Bounds ListCost(const Expr& expr);
  Bounds MapCost(const Expr& expr);
  Bounds BindCost(const Expr& expr);
  Bounds LoopCost(const Expr& expr);
  CallEstimate OverloadCost(const Expr& expr, absl::string_view overload,
                            const EstimatedNode* target, const Nodes& arguments,
                            const Costs& costs);
  CallEstimate ConditionalCost(const Expr& expr, const Nodes& arguments, const Costs& costs);
  CallEstimate ConcatenationCost(const Expr& expr, const Nodes& arguments, bool lists);

  void SetLoopSize(const Expr& expr, const Bounds& range);
  void PushElement(const std::string& name, const Expr& range);
  void PushKey(const std::string& name, const Expr& range);
  void PushValue(const std::string& name, const Expr& range);
  void Push(const std::string& name, Local local) { locals_[name].push_back(std::move(local)); }
  void Pop(const std::string& name) { locals_[name].pop_back(); }
  // Returns null if there is no such variable.
  const Local* FindLocal(const std::string& name) const;

  bool IsListLike(const Expr& range, const MaybeEntries& entries) const {
    return entries.has_value() ? entries->is_list : range.type->kind == TypeKind::kList;
  }
  EstimatedNode NodeOf(const Expr& expr);
  SchemaPath PathOf(const Expr& expr) const;
  // Returns the size in the schema.
  MaybeBounds SizeAt(const SchemaPath& path) const;
  MaybeBounds SizeOf(const Expr& expr);
  Bounds SizeOrAny(const Expr& expr) { return SizeOf(expr).value_or(Anything()); }
  MaybeEntries EntriesOf(const Expr& expr) const;
  void CopySizes(const Expr& to, const Expr& from);

  const Schema& schema_;
  absl::flat_hash_map<const Expr*, SchemaPath> paths_;
  absl::flat_hash_map<const Expr*, Bounds> sizes_;
  absl::flat_hash_map<const Expr*, Entries> entries_;
  absl::flat_hash_map<std::string, std::vector<Local>> locals_;
};

Bounds Estimator::Cost(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::kIdent:
      return IdentCost(expr);
    case ExprKind::kSelect:
      return SelectCost(expr);
    case ExprKind::kCall:
      return CallCost(expr);
    case ExprKind::kList:
      return ListCost(expr);
    case ExprKind::kMap:
      return MapCost(expr);
    case ExprKind::kComprehension:
      return IsBind(*expr.comprehension) ? BindCost(expr) : LoopCost(expr);
    case ExprKind::kLiteral:
    case ExprKind::kStruct:
    case ExprKind::kUnspecified:
      break;
  }
  return {};
}

// ---- sizes

const Local* Estimator::FindLocal(const std::string& name) const {
  const auto found = locals_.find(name);
  return found == locals_.end() || found->second.empty() ? nullptr : &found->second.back();
}

SchemaPath Estimator::PathOf(const Expr& expr) const {
  if (expr.kind == ExprKind::kIdent) {
    if (const Local* local = FindLocal(expr.name); local != nullptr) return local->path;
  }
  const auto found = paths_.find(&expr);
  return found == paths_.end() ? SchemaPath() : found->second;
}

MaybeBounds Estimator::SizeAt(const SchemaPath& path) const {
  if (path.size() == 0) return std::nullopt;
  const Schema* node = &schema_;
  for (size_t i = 1; i < path.size(); ++i) {
    const absl::string_view name = path[i];
    const bool is_map = node->kind == SchemaKind::kMap;
    if (name == kElements || name == kValues) {
      if (!is_map && node->kind != SchemaKind::kList) return std::nullopt;
      node = node->element.get();
    } else if (name == kKeys) {
      // Keys have no limit of their own, and count as empty.
      if (!is_map || i + 1 != path.size()) return std::nullopt;
      return Exactly(0);
    } else {
      node = FindMember(*node, name);
    }
    if (node == nullptr) return std::nullopt;
  }
  return Bounds{.min = 0, .max = static_cast<uint64_t>(MaxElements(*node))};
}

MaybeBounds Estimator::SizeOf(const Expr& expr) {
  if (const auto found = sizes_.find(&expr); found != sizes_.end()) return found->second;
  if (const MaybeBounds size = SizeOfLiteral(expr); size.has_value()) return size;
  if (const MaybeBounds size = SizeAt(PathOf(expr)); size.has_value()) {
    sizes_.insert_or_assign(&expr, *size);
    return size;
  }
  if (IsScalar(*expr.type)) return Exactly(1);
  const Local* local = expr.kind == ExprKind::kIdent ? FindLocal(expr.name) : nullptr;
  return local == nullptr ? std::nullopt : local->size;
}

MaybeEntries Estimator::EntriesOf(const Expr& expr) const {
  if (const auto found = entries_.find(&expr); found != entries_.end()) return found->second;
  const Local* local = expr.kind == ExprKind::kIdent ? FindLocal(expr.name) : nullptr;
  return local == nullptr ? std::nullopt : local->entries;
}

void Estimator::CopySizes(const Expr& to, const Expr& from) {
  if (const MaybeBounds size = SizeOf(from); size.has_value()) sizes_.insert_or_assign(&to, *size);
  if (const MaybeEntries entries = EntriesOf(from); entries.has_value()) {
    entries_.insert_or_assign(&to, *entries);
  }
}

EstimatedNode Estimator::NodeOf(const Expr& expr) {
  EstimatedNode node = {.expr = &expr, .size = SizeOf(expr)};
  if (expr.type->parameters.empty()) return node;
  const SchemaPath path = PathOf(expr);
  // What a loop collects is not a part of the schema.
  if (path.size() == 0 || path[0] == kAccumulator) return node;
  // A copy: this must not overwrite a name of another path.
  SchemaPath elements;
  for (size_t i = 0; i < path.size(); ++i) elements = elements.Append(path[i]);
  node.element_size = SizeAt(elements.Append(kElements)).value_or(Anything());
  return node;
}

// ---- costs

Bounds Estimator::IdentCost(const Expr& expr) {
  const Local* local = FindLocal(expr.name);
  paths_.insert_or_assign(&expr, local != nullptr ? local->path : SchemaPath(expr.name));
  return Exactly(1);
}

Bounds Estimator::SelectCost(const Expr& expr) {
  Bounds cost = Cost(*expr.operand);
  if (expr.test_only) return cost;
  const TypeKind kind = expr.operand->type->kind;
  if (kind == TypeKind::kMap || kind == TypeKind::kStruct || kind == TypeKind::kParam) {
    cost = cost + Exactly(1);
  }
  paths_.insert_or_assign(&expr, PathOf(*expr.operand).Append(expr.name));
  return cost;
}

// dyn(x) only hides the type of x.
Bounds Estimator::DynCost(const Expr& expr) {
  const Bounds cost = Cost(*expr.arguments[0]);
  CopySizes(expr, *expr.arguments[0]);
  return cost + Exactly(1);
}

Bounds Estimator::CallCost(const Expr& expr) {
  if (expr.name == "dyn" && expr.arguments.size() == 1) return DynCost(expr);
  Nodes arguments;
  Costs costs;
  for (const ExprPtr& argument : expr.arguments) {
    costs.push_back(Cost(*argument));
    arguments.push_back(NodeOf(*argument));
  }
  if (expr.overloads.empty()) return {};
  Bounds operand;
  std::optional<EstimatedNode> target;
  if (expr.operand != nullptr) {
    operand = Cost(*expr.operand);
    target = NodeOf(*expr.operand);
  }
  Bounds cost = {.min = kUnlimited, .max = 0};
  MaybeBounds result;
  for (const std::string& overload : expr.overloads) {
    const CallEstimate estimate =
        OverloadCost(expr, overload, target.has_value() ? &*target : nullptr, arguments, costs);
    cost = Union(cost, estimate.cost);
    if (estimate.result_size.has_value()) {
      result = result.has_value() ? Union(*result, *estimate.result_size) : estimate.result_size;
    }
    if (overload == "index_list" || overload == "index_map") {
      const MaybeEntries entries = EntriesOf(*expr.arguments[0]);
      result = entries.has_value() ? MaybeBounds(entries->value) : std::nullopt;
      paths_.insert_or_assign(
          &expr, PathOf(*expr.arguments[0]).Append(overload == "index_list" ? kElements : kValues));
    }
    if (!result.has_value()) result = SizeOf(expr);
  }
  if (result.has_value()) sizes_.insert_or_assign(&expr, *result);
  return operand + cost;
}

CallEstimate Estimator::OverloadCost(const Expr& expr, absl::string_view overload,
                                     const EstimatedNode* target, const Nodes& arguments,
                                     const Costs& costs) {
  if (overload == "logical_or" || overload == "logical_and") {
    // The left operand may be enough.
    return {.cost = {.min = costs[0].min, .max = (costs[0] + costs[1]).max}};
  }
  if (overload == "conditional") return ConditionalCost(expr, arguments, costs);
  const bool lists = overload == "add_list";
  CallEstimate estimate = lists || overload == "add_string" || overload == "add_bytes"
                              ? ConcatenationCost(expr, arguments, lists)
                              : EstimateCall(expr.name, overload, target, arguments);
  for (const Bounds& cost : costs) estimate.cost = estimate.cost + cost;
  return estimate;
}

CallEstimate Estimator::ConditionalCost(const Expr& expr, const Nodes& arguments,
                                        const Costs& costs) {
  const MaybeEntries entries =
      UnionOf(EntriesOf(*arguments[1].expr), EntriesOf(*arguments[2].expr));
  if (entries.has_value()) entries_.insert_or_assign(&expr, *entries);
  return {.cost = costs[0] + Union(costs[1], costs[2]),
          .result_size = Union(arguments[1].SizeOrAny(), arguments[2].SizeOrAny())};
}

CallEstimate Estimator::ConcatenationCost(const Expr& expr, const Nodes& arguments, bool lists) {
  const Bounds size = arguments[0].SizeOrAny() + arguments[1].SizeOrAny();
  const MaybeEntries entries =
      UnionOf(EntriesOf(*arguments[0].expr), EntriesOf(*arguments[1].expr));
  if (entries.has_value()) entries_.insert_or_assign(&expr, *entries);
  return {.cost = lists ? Exactly(1) : Scaled(size, kPerByte), .result_size = size};
}

Bounds Estimator::ListCost(const Expr& expr) {
  Bounds cost;
  Bounds size = {.min = expr.arguments.empty() ? 0 : kUnlimited, .max = 0};
  for (const ExprPtr& element : expr.arguments) {
    cost = cost + Cost(*element);
    size = Union(size, SizeOrAny(*element));
  }
  entries_.insert_or_assign(&expr, Entries{.is_list = true, .key = Exactly(1), .value = size});
  return cost + Exactly(10);
}

Bounds Estimator::MapCost(const Expr& expr) {
  Bounds cost;
  Bounds keys = {.min = expr.arguments.empty() ? 0 : kUnlimited, .max = 0};
  Bounds values = keys;
  for (size_t i = 0; i + 1 < expr.arguments.size(); i += 2) {
    const Expr& key = *expr.arguments[i];
    const Expr& value = *expr.arguments[i + 1];
    cost = cost + Cost(key);
    cost = cost + Cost(value);
    keys = Union(keys, SizeOrAny(key));
    values = Union(values, SizeOrAny(value));
  }
  entries_.insert_or_assign(&expr, Entries{.is_list = false, .key = keys, .value = values});
  return cost + Exactly(30);
}

// ---- loops

void Estimator::PushElement(const std::string& name, const Expr& range) {
  const MaybeEntries entries = EntriesOf(range);
  const bool is_list = IsListLike(range, entries);
  MaybeBounds size;
  if (entries.has_value()) size = is_list ? entries->value : entries->key;
  Push(name, {.path = PathOf(range).Append(is_list ? kElements : kKeys), .size = size});
}

void Estimator::PushKey(const std::string& name, const Expr& range) {
  const MaybeEntries entries = EntriesOf(range);
  MaybeBounds size;
  if (entries.has_value()) size = entries->key;
  const absl::string_view step = IsListLike(range, entries) ? kIndices : kKeys;
  Push(name, {.path = PathOf(range).Append(step), .size = size});
}

void Estimator::PushValue(const std::string& name, const Expr& range) {
  const MaybeEntries entries = EntriesOf(range);
  MaybeBounds size;
  if (entries.has_value()) size = entries->value;
  const absl::string_view step = IsListLike(range, entries) ? kElements : kValues;
  Push(name, {.path = PathOf(range).Append(step), .size = size});
}

Bounds Estimator::BindCost(const Expr& expr) {
  const Comprehension& loop = *expr.comprehension;
  Bounds cost = Cost(*loop.range) + Cost(*loop.initial);
  Push(loop.accumulator, {.path = PathOf(*loop.initial),
                          .size = SizeOf(*loop.initial),
                          .entries = EntriesOf(*loop.initial)});
  cost = cost + Cost(*loop.result);
  Pop(loop.accumulator);
  CopySizes(expr, *loop.result);
  return cost;
}

Bounds Estimator::LoopCost(const Expr& expr) {
  const Comprehension& loop = *expr.comprehension;
  Bounds cost = Cost(*loop.range);
  cost = cost + Cost(*loop.initial);
  Push(loop.accumulator, {.path = PathOf(*loop.initial),
                          .size = SizeOf(*loop.initial),
                          .entries = EntriesOf(*loop.initial)});
  if (loop.variable2.empty()) {
    PushElement(loop.variable, *loop.range);
  } else {
    PushKey(loop.variable, *loop.range);
    PushValue(loop.variable2, *loop.range);
  }
  const Bounds condition = Cost(*loop.condition);
  const Bounds step = Cost(*loop.step);
  Pop(loop.variable);
  if (!loop.variable2.empty()) Pop(loop.variable2);
  cost = cost + Cost(*loop.result);
  Pop(loop.accumulator);
  const Bounds range = SizeOrAny(*loop.range);
  SetLoopSize(expr, range);
  return cost + range * (step + condition);
}

void Estimator::SetLoopSize(const Expr& expr, const Bounds& range) {
  const Comprehension& loop = *expr.comprehension;
  switch (loop.initial->kind) {
    case ExprKind::kLiteral:
      if (const MaybeBounds size = SizeOf(*loop.initial); size.has_value()) {
        sizes_.insert_or_assign(&expr, *size);
      }
      return;
    case ExprKind::kList:
    case ExprKind::kMap:
      sizes_.insert_or_assign(&expr, range);
      if (const MaybeEntries entries = EntriesOf(*loop.step); entries.has_value()) {
        entries_.insert_or_assign(&expr, *entries);
      }
      return;
    default:
      return;
  }
}

}  // namespace

uint64_t EstimateCost(const Ast& ast, const Schema& schema) {
  return Estimator(schema).Cost(*ast.root).max;
}

}  // namespace kube::cel::internal

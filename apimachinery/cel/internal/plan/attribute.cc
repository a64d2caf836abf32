#include "apimachinery/cel/internal/plan/attribute.h"

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "apimachinery/cel/internal/describe.h"
#include "apimachinery/cel/internal/objects/object_values.h"

namespace kube::cel::internal {
namespace {

constexpr double kTwoTo63 = 9223372036854775808.0;

bool CanQualify(const Value& index) {
  return index.is_string() || index.is_bool() || index.is_number();
}

Value NoSuchKey(const Value& key) {
  return Value::Error(absl::StrCat("no such key: ", PlainText(key)));
}

// Returns the number of an element as an int, or an error.
Value ListIndex(const Value& index) {
  if (index.is_int()) return index;
  if (index.kind() == ValueKind::kUint &&
      index.unsigned_integer() <= static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) {
    return Value::FromInt(static_cast<int64_t>(index.unsigned_integer()));
  }
  if (index.kind() == ValueKind::kDouble && index.number() >= -kTwoTo63 &&
      index.number() < kTwoTo63 && std::trunc(index.number()) == index.number()) {
    return Value::FromInt(static_cast<int64_t>(index.number()));
  }
  if (index.is_number()) {
    return Value::Error(absl::StrCat("unsupported index value ", PlainText(index), " in list"));
  }
  return Value::Error(absl::StrCat("unsupported index type '", TypeName(index), "' in list"));
}

// Returns a part of a value, or an error. Returns nullopt if there is no such part; `may_be_absent`
// says whether that is also so for values without parts.
std::optional<Value> Find(const Value& value, const Value& index, bool may_be_absent) {
  if (value.is_map()) return value.map().Find(index);
  if (!value.is_list()) {
    if (may_be_absent) return std::nullopt;
    return NoSuchKey(index);
  }
  const Value number = ListIndex(index);
  if (number.is_error()) return number;
  if (number.integer() < 0 || static_cast<uint64_t>(number.integer()) >= value.list().size()) {
    return std::nullopt;
  }
  return value.list().At(static_cast<size_t>(number.integer()));
}

// Like Find, for an index that was computed.
std::optional<Value> FindPart(const Value& value, const Value& index, bool may_be_absent) {
  if (index.is_error()) return index;
  if (!CanQualify(index)) {
    return Value::Error(absl::StrCat("invalid qualifier type: ", GoTypeName(index)));
  }
  return Find(value, index, may_be_absent);
}

Value Absent(const Value& value, const Value& index) {
  if (!value.is_list()) return NoSuchKey(index);
  return Value::Error(absl::StrCat("index out of bounds: ", PlainText(index)));
}

// Makes a node part of a conditional.
NodePtr AsBranch(NodePtr node) {
  if (node->attribute() == nullptr) node = std::make_unique<RelativeNode>(std::move(node));
  node->attribute()->BecomePart();
  return node;
}

}  // namespace

void PathNode::AddQualifier(QualifierPtr qualifier) {
  if (qualifier->test_only) {
    test_only_ = true;
    base_cost_ = 0;
  }
  qualifiers_.push_back(std::move(qualifier));
}

Value PathNode::Evaluate(Frame& frame) const {
  if (!frame.budget.Charge(base_cost_)) return frame.budget.StopError();
  Value value = First(frame);
  if (value.is_optional()) value = WithoutSchema(value);
  if (value.is_error() || qualifiers_.empty()) return value;
  return Walk(std::move(value), frame);
}

Value PathNode::Walk(Value value, Frame& frame) const {
  Budget& budget = frame.budget;
  const Value none = test_only_ ? Value::FromBool(false) : Value::None();
  bool optional = false;
  if (value.is_optional()) {
    if (value.optional() == nullptr) return none;
    value = Value(*value.optional());
    optional = true;
  }
  for (const QualifierPtr& qualifier : qualifiers_) {
    optional = optional || qualifier->optional;
    const Value index =
        qualifier->index == nullptr ? qualifier->constant : qualifier->index->Evaluate(frame);
    const bool test_only = qualifier->test_only;
    std::optional<Value> part = FindPart(value, index, optional || test_only);
    // What is absent or fails costs nothing if it may be absent.
    const bool found = part.has_value() && !part->is_error();
    const bool costs = found || !optional || test_only;
    if (costs && !budget.Charge(1)) return budget.StopError();
    if (part.has_value() && part->is_error()) return *part;
    if (test_only) return Value::FromBool(part.has_value());
    if (!part.has_value()) return optional ? none : Absent(value, index);
    value = *std::move(part);
  }
  return optional ? Value::Optional(std::move(value)) : value;
}

Value LocalNode::First(Frame& frame) const {
  Frame::Local& local = frame.locals[slot_];
  if (local.initial != nullptr) {
    const Node* initial = local.initial;
    local.initial = nullptr;
    local.value = initial->Evaluate(frame);
  }
  return local.value;
}

ConditionalNode::ConditionalNode(NodePtr condition, NodePtr if_true, NodePtr if_false)
    : condition_(std::move(condition)),
      if_true_(AsBranch(std::move(if_true))),
      if_false_(AsBranch(std::move(if_false))) {}

void ConditionalNode::AddQualifier(QualifierPtr qualifier) {
  if_true_->attribute()->AddQualifier(qualifier);
  if_false_->attribute()->AddQualifier(std::move(qualifier));
}

Value ConditionalNode::Evaluate(Frame& frame) const {
  const Value condition = condition_->Evaluate(frame);
  if (!condition.is_bool()) return NotBool(condition);
  return (condition.boolean() ? if_true_ : if_false_)->Evaluate(frame);
}

}  // namespace kube::cel::internal

#include "apimachinery/cel/internal/plan/node.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "apimachinery/cel/internal/describe.h"
#include "apimachinery/cel/internal/equality.h"
#include "apimachinery/cel/internal/key.h"
#include "apimachinery/cel/object_value.h"

namespace kube::cel::internal {
namespace {

constexpr uint64_t kListCost = 10;
constexpr uint64_t kMapCost = 30;
constexpr uint64_t kObjectCost = 40;

// Adds a cost to what was computed.
Value Charged(uint64_t cost, Value value, Budget& budget) {
  return budget.Charge(cost) ? std::move(value) : budget.StopError();
}

// Returns whether the first argument that fails ends a call. As upstream, that is so for many
// arguments, and for calls in which the types of the arguments, a compiled pattern or the function
// itself (format) need a general form. Others evaluate all arguments. It shows in the costs.
bool StopsEarly(const Function& function, const Overload* overload, size_t arguments,
                const Regexp* regexp) {
  const bool dispatches =
      overload == nullptr && function.common == nullptr && function.overloads.size() > 1;
  return arguments > 2 || regexp != nullptr || dispatches || function.name == "format";
}

// Returns whether a function with a compiled pattern (matches, find, findAll) accepts the
// arguments. As upstream, its error does not name their types.
bool FitPattern(absl::Span<const Value> arguments) {
  return arguments[0].is_string() && (arguments.size() < 3 || arguments[2].is_int());
}

}  // namespace

Value NotBool(const Value& value) { return value.is_error() ? value : NoSuchOverload(); }

Value LogicNode::Evaluate(Frame& frame) const {
  std::optional<Value> error;
  for (const NodePtr& term : terms_) {
    const Value value = term->Evaluate(frame);
    if (value.is_bool()) {
      if (value.boolean() == decisive_) return value;
    } else if (!error.has_value()) {
      error = NotBool(value);
    }
  }
  return error.has_value() ? *error : Value::FromBool(!decisive_);
}

Value EqualNode::Evaluate(Frame& frame) const {
  const Value values[] = {left_->Evaluate(frame), right_->Evaluate(frame)};
  Budget& budget = frame.budget;
  const CostRule rule = negated_ ? CostRule::kSmaller : CostRule::kEqual;
  if (!budget.Charge(CallCost(rule, values, budget))) return budget.StopError();
  for (const Value& value : values) {
    if (value.is_error()) return value;
  }
  Value equal = Equal(values[0], values[1], budget);
  // As upstream, values that cannot be compared are not equal.
  return negated_ ? Value::FromBool(!equal.IsTrue()) : equal;
}

Value NotFalseNode::Evaluate(Frame& frame) const {
  const bool is_false = operand_->Evaluate(frame).IsFalse();
  return Charged(1, Value::FromBool(!is_false), frame.budget);
}

Value OptionalOrNode::Evaluate(Frame& frame) const {
  Value value = optional_->Evaluate(frame);
  if (!value.is_optional()) return value;
  if (value.optional() == nullptr) return other_->Evaluate(frame);
  return unwrap_ ? *value.optional() : value;
}

Value MemberNode::Evaluate(Frame& frame) const {
  Value value = element_->Evaluate(frame);
  if (value.is_error()) return value;
  const std::optional<std::string> key = KeyText(value);
  return Value::FromBool(key.has_value() && keys_.contains(*key));
}

CallNode::CallNode(const Function& function, const Overload* overload,
                   std::vector<NodePtr> arguments, std::shared_ptr<const Regexp> regexp)
    : function_(function),
      overload_(overload),
      cost_(FindCostRule(function.name, overload == nullptr ? "" : overload->id)),
      arguments_(std::move(arguments)),
      stops_early_(StopsEarly(function, overload, arguments_.size(), regexp.get())),
      regexp_(std::move(regexp)) {}

Value CallNode::Evaluate(Frame& frame) const {
  absl::InlinedVector<Value, 3> values;
  for (const NodePtr& argument : arguments_) {
    values.push_back(argument->Evaluate(frame));
    const bool is_last = values.size() == arguments_.size();
    if (values.back().is_error() && stops_early_ && !is_last) return values.back();
  }
  Budget& budget = frame.budget;
  if (!budget.Charge(CallCost(cost_, values, budget))) return budget.StopError();
  for (const Value& value : values) {
    if (value.is_error()) return Charged(ResultCost(cost_, value), value, budget);
  }
  if (regexp_ != nullptr && !FitPattern(values)) return NoSuchOverload();
  Value result = Invoke(function_, overload_,
                        {.function = function_.name,
                         .arguments = values,
                         .budget = budget,
                         .regexps = frame.regexps,
                         .regexp = regexp_.get()});
  const uint64_t more = ResultCost(cost_, result);
  return Charged(more, std::move(result), budget);
}

Value ListNode::Build(Frame& frame) const {
  std::vector<Value> values;
  values.reserve(elements_.size());
  for (size_t i = 0; i < elements_.size(); ++i) {
    Value value = elements_[i]->Evaluate(frame);
    if (value.is_error()) return value;
    if (!optional_[i]) {
      values.push_back(std::move(value));
    } else if (!value.is_optional()) {
      return Value::Error(absl::StrCat(
          "cannot initialize optional list element from non-optional value ", PlainText(value)));
    } else if (value.optional() != nullptr) {
      values.push_back(*value.optional());
    }
  }
  return Value::FromList(std::move(values));
}

Value ListNode::Evaluate(Frame& frame) const {
  return Charged(kListCost, Build(frame), frame.budget);
}

Value MapNode::Build(Frame& frame) const {
  MapBuilder builder;
  for (size_t i = 0; i < optional_.size(); ++i) {
    const Value key = entries_[2 * i]->Evaluate(frame);
    if (key.is_error()) return key;
    Value value = entries_[2 * i + 1]->Evaluate(frame);
    if (value.is_error()) return value;
    if (optional_[i]) {
      if (!value.is_optional()) {
        return Value::Error(absl::StrCat("cannot initialize optional entry '", PlainText(key),
                                         "' from non-optional value ", PlainText(value)));
      }
      if (value.optional() == nullptr) {
        builder.Erase(key);
        continue;
      }
      value = Value(*value.optional());
    }
    if (!builder.Set(key, std::move(value))) {
      return Value::Error(absl::StrCat("unsupported key type: ", TypeName(key)));
    }
  }
  return builder.Build();
}

Value MapNode::Evaluate(Frame& frame) const {
  return Charged(kMapCost, Build(frame), frame.budget);
}

Value ObjectNode::Build(Frame& frame) const {
  std::vector<ObjectValue::Field> fields;
  for (size_t i = 0; i < fields_.size(); ++i) {
    Value value = values_[i]->Evaluate(frame);
    if (value.is_error()) return value;
    if (optional_[i]) {
      if (!value.is_optional()) {
        return Value::Error(absl::StrCat("cannot initialize optional entry '", fields_[i],
                                         "' from non-optional value ", PlainText(value)));
      }
      if (value.optional() == nullptr) continue;
      value = Value(*value.optional());
    }
    fields.emplace_back(fields_[i], std::move(value));
  }
  return Value::FromOpaque(std::make_shared<const ObjectValue>(type_, std::move(fields)));
}

Value ObjectNode::Evaluate(Frame& frame) const {
  return Charged(kObjectCost, Build(frame), frame.budget);
}

}  // namespace kube::cel::internal

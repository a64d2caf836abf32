#include "apimachinery/cel/internal/plan/loop.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "apimachinery/cel/internal/describe.h"

namespace kube::cel::internal {
namespace {

constexpr uint64_t kStepsBetweenChecks = 100;

// Returns an error for a value that has no elements.
Value NotIterable(const Value& range, bool two_variables) {
  const std::string type = GoTypeName(range);
  return Value::Error(two_variables ? absl::StrCat("unsupported comprehension range type: ", type)
                                    : absl::StrCat("got '", type, "', expected iterable type"));
}

// Sets the variables to each element in turn and calls `step`, until that returns false or the
// budget has stopped.
void ForEach(const Value& range, const LoopVariables& variables, Frame& frame,
             absl::FunctionRef<bool()> step) {
  uint64_t steps = 0;
  const auto next = [&](Value first, Value second) {
    frame.locals[variables.first] = {.value = std::move(first), .initial = nullptr};
    if (variables.second.has_value()) {
      frame.locals[*variables.second] = {.value = std::move(second), .initial = nullptr};
    }
    if (!step()) return false;
    ++steps;
    return steps % kStepsBetweenChecks == 0 ? frame.budget.CheckContext() : frame.budget.Work();
  };
  const bool two = variables.second.has_value();
  if (range.is_list()) {
    const ListValue& list = range.list();
    for (size_t i = 0; i < list.size(); ++i) {
      Value element = list.At(i);
      Value index = Value::FromInt(static_cast<int64_t>(i));
      const bool more =
          two ? next(std::move(index), std::move(element)) : next(std::move(element), Value());
      if (!more) break;
    }
  } else {
    const MapValue& map = range.map();
    for (const Value& key : map.Keys()) {
      if (!next(key, two ? map.Find(key).value_or(Value()) : Value())) break;
    }
  }
  frame.locals[variables.first] = {.value = Value(), .initial = nullptr};
  if (two) frame.locals[*variables.second] = {.value = Value(), .initial = nullptr};
}

}  // namespace

Value LoopNode::Evaluate(Frame& frame) const {
  const Value range = parts_.range->Evaluate(frame);
  if (range.is_error()) return range;
  if (!range.is_list() && !range.is_map()) {
    return NotIterable(range, variables_.second.has_value());
  }
  const size_t accumulator = variables_.accumulator;
  frame.locals[accumulator] = {.value = Value(), .initial = parts_.initial.get()};
  ForEach(range, variables_, frame, [&] {
    if (parts_.condition->Evaluate(frame).IsFalse()) return false;
    Value value = parts_.step->Evaluate(frame);
    frame.locals[accumulator] = {.value = std::move(value), .initial = nullptr};
    return true;
  });
  if (frame.budget.stopped()) return frame.budget.StopError();
  Value result = parts_.result->Evaluate(frame);
  frame.locals[accumulator] = {.value = Value(), .initial = nullptr};
  return result;
}

// What was collected: elements, entries, or the error that came in between.
class CollectNode::Collection {
 public:
  bool failed() const { return error_.has_value(); }
  void Fail(Value error) { error_ = std::move(error); }

  void AddElement(Value element) { elements_.push_back(std::move(element)); }
  void AddEntry(const Value& key, Value value) {
    if (entries_.Contains(key)) {
      Fail(Value::Error(absl::StrCat("insert failed: key ", PlainText(key), " already exists")));
    } else if (!entries_.Set(key, std::move(value))) {
      Fail(Value::Error(absl::StrCat("unsupported key type: ", TypeName(key))));
    }
  }

  Value Build(Kind kind) {
    if (failed()) return *error_;
    return kind == Kind::kElement ? Value::FromList(std::move(elements_)) : entries_.Build();
  }

 private:
  std::vector<Value> elements_;
  MapBuilder entries_;
  std::optional<Value> error_;
};

// As upstream, a loop goes on after an error, and an error of the filter replaces others.
void CollectNode::Step(Frame& frame, Collection& collection) const {
  Budget& budget = frame.budget;
  if (parts_.filter != nullptr) {
    const Value matches = parts_.filter->Evaluate(frame);
    if (!matches.is_bool()) return collection.Fail(NotBool(matches));
    if (!matches.boolean()) return;
  }
  // The accumulator; the list with one element, or the key; and the call.
  constexpr uint64_t kAccumulatorCost = 1;
  constexpr uint64_t kCallCost = 1;
  constexpr uint64_t kListCost = 10;
  if (!budget.Charge(kAccumulatorCost)) return;
  if (kind_ == Kind::kEntry && collection.failed()) return;
  if (kind_ == Kind::kEntry && !budget.Charge(1)) return;
  Value value = parts_.value->Evaluate(frame);
  const bool makes_list = kind_ == Kind::kElement && parts_.value->constant() == nullptr;
  if (!budget.Charge(kCallCost + (makes_list ? kListCost : 0)) || collection.failed()) return;
  if (value.is_error()) return collection.Fail(std::move(value));
  const Value& first = frame.locals[variables_.first].value;
  if (kind_ == Kind::kElement) return collection.AddElement(std::move(value));
  if (kind_ == Kind::kEntry) {
    if (first.is_error()) return collection.Fail(first);
    return collection.AddEntry(first, std::move(value));
  }
  if (!value.is_map()) return collection.Fail(NoSuchOverload());
  for (const Value& key : value.map().Keys()) {
    collection.AddEntry(key, value.map().Find(key).value_or(Value()));
    if (collection.failed() || !budget.Work()) return;
  }
}

Value CollectNode::Evaluate(Frame& frame) const {
  const Value range = parts_.range->Evaluate(frame);
  if (range.is_error()) return range;
  if (!range.is_list() && !range.is_map()) {
    return NotIterable(range, variables_.second.has_value());
  }
  Collection collection;
  ForEach(range, variables_, frame, [&] {
    Step(frame, collection);
    return true;
  });
  // The accumulator is read once more.
  if (!frame.budget.Charge(1)) return frame.budget.StopError();
  return collection.Build(kind_);
}

}  // namespace kube::cel::internal

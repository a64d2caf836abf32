#include "apimachinery/jsonpath/internal/evaluate.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <variant>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/types/list.h"
#include "apimachinery/unstructured/go_format.h"

namespace kube::jsonpath::internal {

// Each node maps a list of values to the list of values that one step of the path leads to: a field
// gives the members of that name, a wildcard or slice gives elements, and a filter gives the
// elements for which its condition holds. Evaluate applies the nodes in order and stops at the
// first error. Slices and filters return their input along with an error, since upstream's
// existence filter only looks at whether there are values (see Outcome).

namespace {

using unstructured::Value;

template <typename... Parts>
absl::Status Failed(const Parts&... parts) {
  return absl::InvalidArgumentError(absl::StrCat(parts...));
}

Outcome EvaluateField(const Values& input, const FieldNode& field, bool allow_missing_keys) {
  Values results;
  for (const Value* value : input) {
    if (const Value* member = value->Find(field.name)) results.push_back(member);
  }
  if (!results.empty() || input.empty() || allow_missing_keys) return {std::move(results), {}};
  return {{}, absl::NotFoundError(absl::StrCat(field.name, " is not found"))};
}

// An object's members are sorted by name; upstream's order is random.
Outcome EvaluateWildcard(const Values& input) {
  Values results;
  for (const Value* value : input) {
    if (const auto* list = value->list()) {
      for (const Value& element : *list) results.push_back(&element);
    } else if (const auto* object = value->object()) {
      for (const auto& [key, member] : *object) results.push_back(&member);
    }
  }
  return {std::move(results), {}};
}

struct Range {
  int64_t begin = 0;
  int64_t end = 0;
};

absl::StatusOr<Range> RangeOf(const SliceNode& slice, int64_t length) {
  int64_t begin = slice.begin.value;
  if (begin < 0) begin += length;
  int64_t end = slice.end.known ? slice.end.value : length;
  if (end < 0 || (end == 0 && slice.single)) end += length;
  if (begin == end) return Range{};
  const auto out_of_bounds = [length](int64_t index) {
    return absl::OutOfRangeError(
        absl::StrCat("array index out of bounds: index ", index, ", length ", length));
  };
  if (begin >= length || begin < 0) return out_of_bounds(begin);
  if (end > length || end < 0) {
    return out_of_bounds(static_cast<int64_t>(static_cast<uint64_t>(end) - 1));
  }
  if (begin > end) {
    return Failed("starting index ", begin, " is greater than ending index ", end);
  }
  return Range{begin, end};
}

Outcome EvaluateSlice(const Values& input, const SliceNode& slice) {
  Values results;
  for (const Value* value : input) {
    if (value->is_null()) continue;
    const List<Value>* list = value->list();
    if (list == nullptr)
      return {input, Failed(unstructured::GoType(*value), " is not array or slice")};
    const absl::StatusOr<Range> range = RangeOf(slice, static_cast<int64_t>(list->size()));
    if (!range.ok()) return {input, range.status()};
    // Upstream stops here, too, and ignores the lists that follow.
    if (range->begin == range->end) return {std::move(results), {}};
    if (slice.step.known && slice.step.value <= 0) return {input, Failed("step must be > 0")};
    const int64_t step = slice.step.known ? slice.step.value : 1;
    for (int64_t i = range->begin; i < range->end; i += std::min(step, range->end - i)) {
      results.push_back(&(*list)[static_cast<size_t>(i)]);
    }
  }
  return {std::move(results), {}};
}

// Compares two scalars of the same type. Integers and doubles are not comparable, as in Go's
// templates. (Go: `template.Less`)
absl::StatusOr<bool> Compare(const Value& left, absl::string_view op, const Value& right) {
  const auto is_scalar = [](const Value& value) {
    return value.is_bool() || value.is_number() || value.is_string();
  };
  if (!is_scalar(left) || !is_scalar(right)) return Failed("invalid type for comparison");
  if (left.type() != right.type()) return Failed("incompatible types for comparison");
  const auto holds = [op](bool less, bool equal) {
    if (op == "==") return equal;
    if (op == "!=") return !equal;
    if (op == "<") return less;
    if (op == "<=") return less || equal;
    return op == ">" ? !less && !equal : !less;
  };
  if (left.is_bool()) {
    if (op != "==" && op != "!=") return Failed("invalid type for comparison");
    return holds(false, left.boolean() == right.boolean());
  }
  if (left.is_int()) return holds(left.integer() < right.integer(), left == right);
  if (left.is_double()) {
    return holds(left.number() < right.number(), left.number() == right.number());
  }
  return holds(left.text() < right.text(), left.text() == right.text());
}

bool IsOperator(absl::string_view op) {
  return op == "==" || op == "!=" || op == "<" || op == "<=" || op == ">" || op == ">=";
}

// Returns the single value that `nodes` lead to; null if there is none.
absl::StatusOr<const Value*> Operand(const Value& element, const Nodes& nodes,
                                     bool allow_missing_keys) {
  const Outcome outcome = Evaluate({&element}, nodes, allow_missing_keys);
  KUBE_RETURN_IF_ERROR(outcome.status);
  if (outcome.values.size() > 1) return Failed("can only compare one element at a time");
  return outcome.values.empty() ? nullptr : outcome.values[0];
}

absl::StatusOr<bool> Passes(const Value& element, const FilterNode& filter,
                            bool allow_missing_keys) {
  if (filter.op == "exists") {
    return !Evaluate({&element}, filter.left, allow_missing_keys).values.empty();
  }
  KUBE_ASSIGN_OR_RETURN(const Value* left, Operand(element, filter.left, allow_missing_keys));
  if (left == nullptr) return false;
  KUBE_ASSIGN_OR_RETURN(const Value* right, Operand(element, filter.right, allow_missing_keys));
  if (right == nullptr) return false;
  if (!IsOperator(filter.op)) return Failed("unrecognized filter operator ", filter.op);
  return Compare(*left, filter.op, *right);
}

Outcome EvaluateFilter(const Values& input, const FilterNode& filter, bool allow_missing_keys) {
  Values results;
  for (const Value* value : input) {
    const List<Value>* list = value->list();
    // Upstream prints the whole value in this error; here only its type is named.
    if (list == nullptr) {
      return {input, Failed(unstructured::GoType(*value),
                            " is not array or slice and cannot be filtered")};
    }
    for (const Value& element : *list) {
      const absl::StatusOr<bool> passes = Passes(element, filter, allow_missing_keys);
      if (!passes.ok()) return {input, passes.status()};
      if (*passes) results.push_back(&element);
    }
  }
  return {std::move(results), {}};
}

Outcome EvaluateNode(const Values& input, const Node& node, bool allow_missing_keys) {
  if (const auto* field = std::get_if<FieldNode>(&node.node)) {
    return EvaluateField(input, *field, allow_missing_keys);
  }
  if (const auto* slice = std::get_if<SliceNode>(&node.node)) return EvaluateSlice(input, *slice);
  if (const auto* filter = std::get_if<FilterNode>(&node.node)) {
    return EvaluateFilter(input, *filter, allow_missing_keys);
  }
  if (const auto* literal = std::get_if<LiteralNode>(&node.node)) {
    // A string literal gives one value, whatever the input; other literals one for each input.
    const size_t count = literal->value.is_string() ? 1 : input.size();
    return {Values(count, &literal->value), {}};
  }
  return EvaluateWildcard(input);
}

}  // namespace

Outcome Evaluate(Values values, absl::Span<const Node> nodes, bool allow_missing_keys) {
  Outcome outcome{std::move(values), {}};
  for (const Node& node : nodes) {
    outcome = EvaluateNode(outcome.values, node, allow_missing_keys);
    if (!outcome.status.ok()) break;
  }
  return outcome;
}

}  // namespace kube::jsonpath::internal

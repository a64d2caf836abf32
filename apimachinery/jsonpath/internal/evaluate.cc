#include "apimachinery/jsonpath/internal/evaluate.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <variant>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/no_destructor.h"
#include "apimachinery/base/status.h"
#include "apimachinery/types/list.h"
#include "apimachinery/unstructured/go_format.h"

namespace kube::jsonpath::internal {

// Each node maps a list of values to the list of values that one step of the path leads to: a field
// gives the members of that name, a wildcard or slice gives elements, ".." gives a value and all
// that it contains, a filter gives the elements for which its condition holds, and a union gives
// what each of its branches gives. Evaluate applies the nodes in order and stops at the first
// error. Slices, filters and unions return their input along with an error, since upstream's
// existence filter only looks at whether there are values (see Outcome).
//
// Every step pays for the values that it looks at before it collects them (Pay), so that no path
// takes more time or memory than the budget allows.

namespace {

using unstructured::Value;

template <typename... Parts>
absl::Status Failed(const Parts&... parts) {
  return absl::InvalidArgumentError(absl::StrCat(parts...));
}

// Takes `count` values from the budget. Returns false if there are not as many left.
bool Pay(State& state, size_t count) {
  if (state.budget < 0 || count > static_cast<uint64_t>(state.budget)) {
    state.budget = -1;
    return false;
  }
  state.budget -= static_cast<int64_t>(count);
  return true;
}

Outcome Exhausted() {
  return {{},
          absl::ResourceExhaustedError(
              absl::StrCat("the path leads to more than ", kMaxVisited, " values"))};
}

// The bytes of a text, which upstream takes for its elements.
using ByteValues = std::vector<Value>;

const ByteValues& AllBytes() {
  static base::NoDestructor<ByteValues> bytes([] {
    ByteValues all;
    for (int i = 0; i < 256; ++i) all.push_back(Value(i));
    return all;
  }());
  return *bytes;
}

bool IsByte(const Value* value) {
  const ByteValues& bytes = AllBytes();
  return std::any_of(bytes.begin(), bytes.end(),
                     [value](const Value& byte) { return &byte == value; });
}

absl::string_view TypeName(const Value* value) {
  return IsByte(value) ? "uint8" : unstructured::GoType(*value);
}

// Returns the number of elements, members or bytes of a value.
size_t SizeOf(const Value& value) {
  if (const auto* list = value.list()) return list->size();
  if (const auto* object = value.object()) return object->size();
  return value.is_string() ? value.text()->size() : 0;
}

// Appends the elements of a list, the members of an object, or the bytes of a text. An object's
// members are sorted by name; upstream's order is random.
void AppendContents(const Value& value, Values& results) {
  if (const auto* list = value.list()) {
    for (const Value& element : *list) results.push_back(&element);
  } else if (const auto* object = value.object()) {
    for (const auto& entry : *object) results.push_back(&entry.value);
  } else if (const auto text = value.text()) {
    for (const char c : *text) results.push_back(&AllBytes()[static_cast<unsigned char>(c)]);
  }
}

Outcome EvaluateField(const Values& input, const FieldNode& field, State& state) {
  if (!Pay(state, input.size())) return Exhausted();
  Values results;
  for (const Value* value : input) {
    if (const Value* member = value->Find(field.name)) results.push_back(member);
  }
  if (!results.empty() || input.empty() || state.allow_missing_keys) {
    return {std::move(results), {}};
  }
  return {{}, absl::NotFoundError(absl::StrCat(field.name, " is not found"))};
}

Outcome EvaluateWildcard(const Values& input, State& state) {
  Values results;
  for (const Value* value : input) {
    if (!Pay(state, SizeOf(*value))) return Exhausted();
    AppendContents(*value, results);
  }
  return {std::move(results), {}};
}

// Gives each value that contains others, before those that it contains. Scalars and what is empty
// are left out; a text contains its bytes. It uses no stack, since objects may be deep.
Outcome EvaluateRecursive(const Values& input, State& state) {
  Values results;
  Values left(input.rbegin(), input.rend());
  while (!left.empty()) {
    const Value* value = left.back();
    left.pop_back();
    if (SizeOf(*value) == 0) continue;
    results.push_back(value);
    // A byte contains nothing, so that only the text itself is a result.
    if (!Pay(state, value->is_string() ? 1 : SizeOf(*value))) return Exhausted();
    if (value->is_string()) continue;
    const auto begin = static_cast<Values::difference_type>(left.size());
    AppendContents(*value, left);
    std::reverse(left.begin() + begin, left.end());
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

Outcome EvaluateSlice(const Values& input, const SliceNode& slice, State& state) {
  if (!Pay(state, input.size())) return Exhausted();
  Values results;
  for (const Value* value : input) {
    if (value->is_null()) continue;
    const List<Value>* list = value->list();
    if (list == nullptr) return {input, Failed(TypeName(value), " is not array or slice")};
    const absl::StatusOr<Range> range = RangeOf(slice, static_cast<int64_t>(list->size()));
    if (!range.ok()) return {input, range.status()};
    // Upstream stops here, too, and ignores the lists that follow.
    if (range->begin == range->end) return {std::move(results), {}};
    if (slice.step.known && slice.step.value <= 0) return {input, Failed("step must be > 0")};
    const int64_t step = slice.step.known ? slice.step.value : 1;
    if (!Pay(state, static_cast<size_t>(range->end - range->begin))) return Exhausted();
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
absl::StatusOr<const Value*> Operand(const Value& element, const Nodes& nodes, State& state) {
  const Outcome outcome = Evaluate({&element}, nodes, state);
  KUBE_RETURN_IF_ERROR(outcome.status);
  if (outcome.values.size() > 1) return Failed("can only compare one element at a time");
  return outcome.values.empty() ? nullptr : outcome.values[0];
}

absl::StatusOr<bool> Passes(const Value& element, const FilterNode& filter, State& state) {
  if (filter.op == "exists") return !Evaluate({&element}, filter.left, state).values.empty();
  KUBE_ASSIGN_OR_RETURN(const Value* left, Operand(element, filter.left, state));
  if (left == nullptr) return false;
  KUBE_ASSIGN_OR_RETURN(const Value* right, Operand(element, filter.right, state));
  if (right == nullptr) return false;
  if (!IsOperator(filter.op)) return Failed("unrecognized filter operator ", filter.op);
  return Compare(*left, filter.op, *right);
}

Outcome EvaluateFilter(const Values& input, const FilterNode& filter, State& state) {
  Values results;
  for (const Value* value : input) {
    const List<Value>* list = value->list();
    // Upstream prints the whole value in this error; here only its type is named.
    if (list == nullptr) {
      return {input, Failed(TypeName(value), " is not array or slice and cannot be filtered")};
    }
    for (const Value& element : *list) {
      const absl::StatusOr<bool> passes = Passes(element, filter, state);
      if (!Pay(state, 1)) return Exhausted();
      if (!passes.ok()) return {input, passes.status()};
      if (*passes) results.push_back(&element);
    }
  }
  return {std::move(results), {}};
}

Outcome EvaluateUnion(const Values& input, const UnionNode& node, State& state) {
  Values results;
  for (const Nodes& branch : node.branches) {
    if (!Pay(state, input.size())) return Exhausted();
    Outcome outcome = Evaluate(input, branch, state);
    if (!outcome.status.ok()) return {input, std::move(outcome.status)};
    if (!Pay(state, outcome.values.size())) return Exhausted();
    results.insert(results.end(), outcome.values.begin(), outcome.values.end());
  }
  return {std::move(results), {}};
}

// As upstream, range and end only count; the template's evaluation acts on the numbers after the
// action (see JsonPathTemplate::FindResults).
Outcome EvaluateIdentifier(const Values& input, const IdentifierNode& node, State& state) {
  if (!Pay(state, input.size())) return Exhausted();
  if (node.name == "range") {
    ++state.begin_range;
    return {input, {}};
  }
  if (node.name != "end") return {input, Failed("unrecognized identifier ", node.name)};
  if (state.in_range == 0) return {{}, Failed("not in range, nothing to end")};
  ++state.end_range;
  return {};
}

Outcome EvaluateLiteral(const Values& input, const LiteralNode& node, State& state) {
  // A string literal gives one value, whatever the input; other literals one for each input.
  const size_t count = node.value.is_string() ? 1 : input.size();
  if (!Pay(state, count)) return Exhausted();
  return {Values(count, &node.value), {}};
}

Outcome EvaluateNode(const Values& input, const Node& node, State& state) {
  if (const auto* field = std::get_if<FieldNode>(&node.node)) {
    return EvaluateField(input, *field, state);
  }
  if (const auto* slice = std::get_if<SliceNode>(&node.node)) {
    return EvaluateSlice(input, *slice, state);
  }
  if (const auto* filter = std::get_if<FilterNode>(&node.node)) {
    return EvaluateFilter(input, *filter, state);
  }
  if (const auto* literal = std::get_if<LiteralNode>(&node.node)) {
    return EvaluateLiteral(input, *literal, state);
  }
  if (const auto* branches = std::get_if<UnionNode>(&node.node)) {
    return EvaluateUnion(input, *branches, state);
  }
  if (const auto* identifier = std::get_if<IdentifierNode>(&node.node)) {
    return EvaluateIdentifier(input, *identifier, state);
  }
  if (std::holds_alternative<RecursiveNode>(node.node)) return EvaluateRecursive(input, state);
  return EvaluateWildcard(input, state);
}

}  // namespace

Outcome Evaluate(Values values, absl::Span<const Node> nodes, State& state) {
  if (!Pay(state, 1 + nodes.size())) return Exhausted();
  Outcome outcome{std::move(values), {}};
  for (const Node& node : nodes) {
    outcome = EvaluateNode(outcome.values, node, state);
    if (!outcome.status.ok()) break;
  }
  return outcome;
}

Outcome Evaluate(Values values, absl::Span<const Node> nodes, bool allow_missing_keys) {
  State state{.allow_missing_keys = allow_missing_keys};
  return Evaluate(std::move(values), nodes, state);
}

const Value& NoValue() {
  static base::NoDestructor<Value> value;
  return *value;
}

}  // namespace kube::jsonpath::internal

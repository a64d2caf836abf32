#include "apimachinery/cel/internal/cost.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/no_destructor.h"
#include "apimachinery/cel/internal/library/text_search.h"

namespace kube::cel::internal {
namespace {

constexpr double kPerByte = 0.1;
constexpr double kPerPatternByte = 0.25;
// A call and a list.
constexpr uint64_t kListCall = 11;
// Allows for two checks in an expression.
constexpr uint64_t kAuthorizationCheck = 350'000;
// A list, and for each requirement of a selector a list and a struct.
constexpr uint64_t kSelectorList = 10;
constexpr double kRequirement = 50;
// Deeper values are not traversed.
constexpr int kMaxDepth = 1'000;
constexpr double kMaxCost = 1e18;

using Rules = absl::flat_hash_map<std::string, CostRule>;

// These depend on the overload alone, and come first.
Rules MakeOverloadRules() {
  Rules rules = {
      {"list_slice", CostRule::kSlice},
      {"lists_range", CostRule::kRange},
      {"list_reverse", CostRule::kReverse},
      {"list_flatten", CostRule::kFlatten},
      {"list_flatten_int", CostRule::kFlatten},
      {"list_distinct", CostRule::kSort},
      {"list_sets_contains_list", CostRule::kProduct},
      {"list_sets_intersects_list", CostRule::kProduct},
      {"list_sets_equivalent_list", CostRule::kTwoProducts},
      {"cidr_ip", CostRule::kOne},
      {"cidr_contains_ip_string", CostRule::kCidrContainsIpText},
      {"cidr_contains_cidr_string", CostRule::kCidrContainsCidrText},
  };
  return rules;
}

// Functions of Kubernetes and of cel-go's extensions: by name.
Rules MakeFunctionRules() {
  Rules rules;
  const auto add = [&rules](CostRule rule, std::vector<absl::string_view> names) {
    for (const absl::string_view name : names) rules.emplace(std::string(name), rule);
  };
  add(CostRule::kTraversal, {"isSorted", "sum", "max", "min", "indexOf", "lastIndexOf"});
  add(CostRule::kTenth,
      {"url", "lowerAscii", "upperAscii", "substring", "trim", "cidr", "isIP", "isCIDR", "ip",
       "quantity", "isQuantity", "semver", "isSemver", "jsonpatch.escapeKey"});
  add(CostRule::kFifth, {"replace", "split", "ip.isCanonical"});
  add(CostRule::kJoin, {"join"});
  add(CostRule::kPattern, {"find", "findAll"});
  add(CostRule::kCidrContainsIp, {"containsIP"});
  add(CostRule::kCidrContainsCidr, {"containsCIDR"});
  add(CostRule::kValidate, {"validate"});
  add(CostRule::kCheck, {"check"});
  add(CostRule::kSelector, {"fieldSelector", "labelSelector"});
  add(CostRule::kEqual, {"_==_"});
  return rules;
}

// Functions of the language definition: by overload.
Rules MakeStandardRules() {
  Rules rules;
  const auto add = [&rules](CostRule rule, std::vector<absl::string_view> ids) {
    for (const absl::string_view id : ids) rules.emplace(std::string(id), rule);
  };
  add(CostRule::kTenth, {"starts_with_string", "ends_with_string", "string_to_bytes",
                         "bytes_to_string", "strings_quote", "string_format"});
  add(CostRule::kSecond, {"in_list"});
  add(CostRule::kSmaller,
      {"less_string", "greater_string", "less_equals_string", "greater_equals_string", "less_bytes",
       "greater_bytes", "less_equals_bytes", "greater_equals_bytes", "equals", "not_equals"});
  add(CostRule::kSum, {"add_string", "add_bytes"});
  add(CostRule::kPattern, {"matches_string"});
  add(CostRule::kContains, {"contains_string"});
  return rules;
}

size_t SizeOf(const Value& value, Budget& budget) {
  switch (value.kind()) {
    case ValueKind::kString:
      budget.Work(value.text().size() / 16);
      return CountRunes(value.text());
    case ValueKind::kBytes:
      return value.bytes().size();
    case ValueKind::kList:
      return value.list().size();
    case ValueKind::kMap:
      return value.map().size();
    case ValueKind::kOpaque:
      return value.opaque().cost_size();
    case ValueKind::kOptional:
      return value.optional() == nullptr || value.optional()->is_optional()
                 ? 1
                 : SizeOf(*value.optional(), budget);
    default:
      return 1;
  }
}

// Returns the number as a cost. Everything behind a point counts as one.
uint64_t Up(double cost) { return static_cast<uint64_t>(std::min(std::ceil(cost), kMaxCost)); }
uint64_t Down(double cost) { return static_cast<uint64_t>(std::clamp(cost, 0.0, kMaxCost)); }

uint64_t Traverse(const Value& value, Budget& budget, int depth) {
  if (!budget.Work() || depth > kMaxDepth) return 1;
  uint64_t cost = 0;
  switch (value.kind()) {
    case ValueKind::kString:
      return Down(static_cast<double>(value.text().size()) * kPerByte);
    case ValueKind::kBytes:
      return Down(static_cast<double>(value.bytes().size()) * kPerByte);
    case ValueKind::kList:
      for (size_t i = 0; i < value.list().size() && !budget.stopped(); ++i) {
        cost += Traverse(value.list().At(i), budget, depth + 1);
      }
      return cost;
    case ValueKind::kMap:
      for (const Value& key : value.map().Keys()) {
        cost += Traverse(key, budget, depth + 1);
        cost += Traverse(value.map().Find(key).value_or(Value()), budget, depth + 1);
      }
      return cost;
    default:
      return 1;
  }
}

// Returns the cost of comparing each element of a list with each other.
uint64_t SelfCompare(const Value& value, double size) {
  double factor = 2;
  if (value.is_list() && value.list().size() > 0) {
    const Value first = value.list().At(0);
    if (first.is_string() || first.kind() == ValueKind::kBytes) factor += kPerByte;
  }
  return Down(size * size * factor) + kListCall;
}

// Returns the number of elements between two indices, if these are valid.
uint64_t SliceSize(absl::Span<const Value> arguments, double size) {
  if (arguments.size() < 3 || !arguments[1].is_int() || !arguments[2].is_int()) return 1;
  const int64_t start = arguments[1].integer();
  const int64_t end = arguments[2].integer();
  if (start < 0 || end < start || static_cast<double>(end) > size) return 1;
  return static_cast<uint64_t>(end - start);
}

// Returns the costs of functions that make lists.
uint64_t ListCost(CostRule rule, absl::Span<const Value> arguments, double a, double b) {
  switch (rule) {
    case CostRule::kSlice:
      return SliceSize(arguments, a) + kListCall;
    case CostRule::kRange:
      return Down(arguments[0].is_int() ? static_cast<double>(arguments[0].integer()) : 1) +
             kListCall;
    case CostRule::kReverse:
      return Down(a) + kListCall;
    case CostRule::kFlatten: {
      const bool has_depth = arguments.size() > 1 && arguments[1].is_int();
      return Down(a * (has_depth ? static_cast<double>(arguments[1].integer()) : 1)) + kListCall;
    }
    case CostRule::kSort:
      return SelfCompare(arguments[0], a);
    default:
      return SelfCompare(arguments.back(), b);
  }
}

uint64_t CidrCost(CostRule rule, double a, double b) {
  uint64_t cost = Up(2 * a * kPerByte);
  if (rule == CostRule::kCidrContainsCidr || rule == CostRule::kCidrContainsCidrText) {
    cost += Up(a * kPerByte) + 1;
  }
  if (rule == CostRule::kCidrContainsIpText || rule == CostRule::kCidrContainsCidrText) {
    cost += Up(b * kPerByte);
  }
  return cost;
}

uint64_t PatternCost(double text_size, double pattern_size) {
  return Up((1 + text_size) * kPerByte) * Up(pattern_size * kPerPatternByte);
}

// As upstream, takes a text of two bytes for the shortest requirement.
uint64_t SelectorCost(double size) {
  const auto requirements = static_cast<double>(Up(size * 0.5));
  return kSelectorList + Up(size * kPerByte) + Up(requirements * kRequirement);
}

CostRule FindIn(const Rules& rules, absl::string_view name, CostRule otherwise) {
  const auto found = rules.find(name);
  return found == rules.end() ? otherwise : found->second;
}

}  // namespace

CostRule FindCostRule(absl::string_view function, absl::string_view overload_id) {
  static base::NoDestructor<const Rules> by_overload(MakeOverloadRules());
  static base::NoDestructor<const Rules> by_function(MakeFunctionRules());
  static base::NoDestructor<const Rules> standard(MakeStandardRules());
  if (absl::EndsWith(overload_id, "_sort")) return CostRule::kSort;
  if (absl::EndsWith(overload_id, "_sortByAssociatedKeys")) return CostRule::kSortBy;
  const auto found = by_overload->find(overload_id);
  if (found != by_overload->end()) return found->second;
  return FindIn(*by_function, function, FindIn(*standard, overload_id, CostRule::kOne));
}

uint64_t CallCost(CostRule rule, absl::Span<const Value> arguments, Budget& budget) {
  if (rule == CostRule::kOne || arguments.empty()) return 1;
  if (rule == CostRule::kTraversal) return Traverse(arguments[0], budget, 0);
  if (rule == CostRule::kEqual && arguments[0].kind() == ValueKind::kOpaque) return 1;
  const auto a = static_cast<double>(SizeOf(arguments[0], budget));
  const auto b = arguments.size() < 2 ? 1.0 : static_cast<double>(SizeOf(arguments[1], budget));
  switch (rule) {
    case CostRule::kOne:
    case CostRule::kTraversal:
      return 1;
    case CostRule::kTenth:
      return Up(a * kPerByte);
    case CostRule::kFifth:
      return Up(a * 2 * kPerByte);
    case CostRule::kSum:
      return Up((a + b) * kPerByte);
    case CostRule::kSmaller:
    case CostRule::kEqual:
      return Up(std::min(a, b) * kPerByte);
    case CostRule::kSecond:
      return Up(b);
    case CostRule::kContains:
      return Up(a * kPerByte) * Up(b * kPerByte);
    case CostRule::kPattern:
      return PatternCost(a, b);
    case CostRule::kValidate:
      // A format says how large its pattern is.
      return PatternCost(b, a);
    case CostRule::kCidrContainsIp:
    case CostRule::kCidrContainsIpText:
    case CostRule::kCidrContainsCidr:
    case CostRule::kCidrContainsCidrText:
      return CidrCost(rule, a, b);
    case CostRule::kProduct:
      return 1 + Down(a * b);
    case CostRule::kTwoProducts:
      return 1 + Down(2 * a * b);
    case CostRule::kJoin:
      return 0;
    case CostRule::kCheck:
      return kAuthorizationCheck;
    case CostRule::kSelector:
      return SelectorCost(b);
    default:
      return ListCost(rule, arguments, a, b);
  }
}

uint64_t ResultCost(CostRule rule, const Value& result) {
  if (rule != CostRule::kJoin) return 0;
  const size_t size = result.is_string() ? CountRunes(result.text()) : 1;
  return Up(static_cast<double>(size) * 2 * kPerByte);
}

}  // namespace kube::cel::internal

#include "apimachinery/cel/internal/call_estimate.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <variant>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "apimachinery/cel/type.h"

namespace kube::cel::internal {
namespace {

using Arguments = absl::Span<const EstimatedNode>;
// Nullopt if the function is another one.
using MaybeEstimate = std::optional<CallEstimate>;

constexpr double kPerByte = 0.1;
constexpr double kPerPatternByte = 0.25;
constexpr uint64_t kListCost = 10;
// A check of the authorizer, and a requirement of a selector: a list and a struct.
constexpr uint64_t kCheckCost = 350'000;
constexpr double kRequirementCost = 50;
// The largest pattern of a named format, and the largest format.
constexpr double kFormatPatternSize = 128;
constexpr uint64_t kFormatSize = 64;
// The bytes of an IP address.
constexpr Bounds kAddressSize = {.min = 4, .max = 16};

bool IsOneOf(absl::string_view name, std::initializer_list<absl::string_view> names) {
  return absl::c_linear_search(names, name);
}

CallEstimate Nominal() { return {.cost = Exactly(1)}; }

// Reads a text from its start to its end.
CallEstimate Traversal(const EstimatedNode& node, double times = 1) {
  return {.cost = Scaled(node.SizeOrAny(), times * kPerByte)};
}

// Returns the number if the argument is a literal; negative ones count as zero.
uint64_t LiteralOr(const EstimatedNode& node, uint64_t otherwise) {
  if (node.expr->kind != ExprKind::kLiteral) return otherwise;
  const auto* number = std::get_if<int64_t>(&node.expr->literal);
  if (number == nullptr) return otherwise;
  return static_cast<uint64_t>(std::max<int64_t>(*number, 0));
}

// ---- functions that make lists, and sets

CallEstimate MakesList(double factor, const Bounds& size) {
  return {.cost = Scaled(size, factor) + Exactly(1 + kListCost), .result_size = size};
}

CallEstimate Sort(absl::string_view overload, const EstimatedNode& keys) {
  const bool texts =
      absl::StartsWith(overload, "list_string_") || absl::StartsWith(overload, "list_bytes_");
  return MakesList(texts ? 2 + kPerByte : 2, keys.SizeOrAny() * keys.SizeOrAny());
}

MaybeEstimate EstimateSets(absl::string_view overload, Arguments arguments) {
  if (!IsOneOf(overload, {"list_sets_contains_list", "list_sets_intersects_list",
                          "list_sets_equivalent_list"})) {
    return std::nullopt;
  }
  const double factor = overload == "list_sets_equivalent_list" ? 2 : 1;
  const Bounds pairs = arguments[0].SizeOrAny() * arguments[1].SizeOrAny();
  return CallEstimate{.cost = Scaled(pairs, factor) + Exactly(1)};
}

MaybeEstimate EstimateLists(absl::string_view overload, const EstimatedNode* target,
                            Arguments arguments) {
  if (overload == "lists_range") return MakesList(1, Exactly(LiteralOr(arguments[0], kUnlimited)));
  if (target == nullptr) return EstimateSets(overload, arguments);
  const Bounds size = target->SizeOrAny();
  if (overload == "list_slice") {
    const uint64_t start = LiteralOr(arguments[0], 0);
    // As upstream, a slice that ends before its start is almost infinitely long.
    return MakesList(1, Exactly(LiteralOr(arguments[1], size.max) - start));
  }
  if (overload == "list_reverse") return MakesList(1, size);
  if (overload == "list_flatten" || overload == "list_flatten_int") {
    const uint64_t depth = arguments.empty() ? 1 : LiteralOr(arguments[0], kUnlimited);
    return MakesList(static_cast<double>(depth), size);
  }
  if (overload == "list_distinct") return MakesList(2, size * size);
  if (absl::EndsWith(overload, "_sort")) return Sort(overload, *target);
  if (absl::EndsWith(overload, "_sortByAssociatedKeys")) return Sort(overload, arguments[0]);
  return std::nullopt;
}

// Looks at all elements of a list, and reads them if they are texts.
CallEstimate LooksAtAll(const EstimatedNode& target) {
  if (target.expr->type->parameters.empty()) return Traversal(target);
  Bounds element = Exactly(1);
  const TypeKind kind = target.expr->type->parameters[0]->kind;
  if (kind == TypeKind::kString || kind == TypeKind::kBytes) {
    element = element + Scaled(target.element_size, kPerByte);
  }
  return {.cost = target.SizeOrAny() * element};
}

// ---- functions of texts

Bounds PatternCost(const EstimatedNode& text, const EstimatedNode& pattern) {
  return Scaled(text.SizeOrAny() + Exactly(1), kPerByte) *
         Scaled(pattern.SizeOrAny(), kPerPatternByte);
}

// Returns the size of a text in which `from` is replaced by `to`.
Bounds SizeOfReplaced(const Bounds& text, const Bounds& from, const Bounds& to) {
  Bounds count;
  Bounds kept;
  if (from.min == 0) {
    // An empty text is replaced before and behind each character.
    count.max = text.max < kUnlimited ? text.max + 1 : text.max;
    kept.max = text.max;
  } else if (to.max <= from.min) {
    kept.max = text.max;
  } else {
    count.max = DivideUp(text.max, from.min);
  }
  if (from.max == 0) {
    count.min = text.min < kUnlimited ? text.min + 1 : text.min;
    kept.min = text.min;
  } else if (from.max <= to.min) {
    kept.min = text.min;
  } else {
    count.min = DivideUp(text.min, from.max);
  }
  return count * to + kept;
}

CallEstimate Split(const EstimatedNode& target, Arguments arguments) {
  // The worst separator is "", which divides a text into its characters.
  uint64_t parts = target.SizeOrAny().max;
  if (arguments.size() > 1 && arguments[1].expr->kind == ExprKind::kLiteral) {
    const auto* limit = std::get_if<int64_t>(&arguments[1].expr->literal);
    if (limit != nullptr) parts = static_cast<uint64_t>(*limit);
  }
  CallEstimate estimate = Traversal(target, 2);
  estimate.result_size = Bounds{.min = 0, .max = parts};
  return estimate;
}

CallEstimate Join(const EstimatedNode& target, Arguments arguments) {
  const Bounds count = target.SizeOrAny();
  Bounds size;
  if (!target.expr->type->parameters.empty()) size = count * target.element_size;
  if (!arguments.empty()) {
    const Bounds separators = {.min = count.min > 0 ? count.min - 1 : 0,
                               .max = count.max > 0 ? count.max - 1 : 0};
    size = size + arguments[0].SizeOrAny() * separators;
  }
  return {.cost = Scaled(size, kPerByte), .result_size = size};
}

MaybeEstimate EstimateTextMethods(absl::string_view function, const EstimatedNode& target,
                                  Arguments arguments) {
  if (IsOneOf(function, {"isSorted", "sum", "max", "min", "indexOf", "lastIndexOf"})) {
    return LooksAtAll(target);
  }
  if (IsOneOf(function, {"lowerAscii", "upperAscii", "substring", "trim"})) {
    CallEstimate estimate = Traversal(target);
    estimate.result_size = target.SizeOrAny();
    return estimate;
  }
  if (function == "replace" && arguments.size() >= 2) {
    CallEstimate estimate = Traversal(target, 2);
    estimate.result_size =
        SizeOfReplaced(target.SizeOrAny(), arguments[0].SizeOrAny(), arguments[1].SizeOrAny());
    return estimate;
  }
  if (function == "split") return Split(target, arguments);
  if (function == "join") return Join(target, arguments);
  if (IsOneOf(function, {"find", "findAll"}) && !arguments.empty()) {
    return CallEstimate{.cost = PatternCost(target, arguments[0]),
                        .result_size = Bounds{.min = 0, .max = target.SizeOrAny().max}};
  }
  return std::nullopt;
}

// ---- types of Kubernetes

// Compares two values of a type of Kubernetes.
MaybeEstimate EstimateEquality(Arguments arguments) {
  const Type& type = *arguments[0].expr->type;
  if (!SameType(type, *arguments[1].expr->type)) return std::nullopt;
  if (type.kind == TypeKind::kOpaque && IsOneOf(type.name, {"net.IP", "net.CIDR"})) {
    return Nominal();
  }
  if (type.kind != TypeKind::kStruct) return std::nullopt;
  if (IsOneOf(type.name, {"kubernetes.Quantity", "kubernetes.Semver"})) return Nominal();
  if (type.name == "kubernetes.NamedFormat") {
    return CallEstimate{.cost = Scaled(Bounds{.min = 1, .max = kFormatSize}, kPerByte)};
  }
  if (type.name == "kubernetes.URL") {
    // As upstream, only the right operand counts.
    const uint64_t size = arguments[1].size.value_or(Exactly(1)).max;
    return CallEstimate{.cost = Scaled(Bounds{.min = 1, .max = size}, kPerByte)};
  }
  return std::nullopt;
}

// Compares addresses and networks; texts are parsed before.
CallEstimate Contains(absl::string_view overload, const EstimatedNode& argument) {
  Bounds cost = Scaled(kAddressSize + kAddressSize, kPerByte);
  if (absl::StartsWith(overload, "cidr_contains_cidr")) {
    cost = cost + Scaled(kAddressSize, kPerByte) + Exactly(1);
  }
  if (absl::EndsWith(overload, "_string")) cost = cost + Scaled(argument.SizeOrAny(), kPerByte);
  return {.cost = cost};
}

MaybeEstimate EstimateKubernetes(absl::string_view function, absl::string_view overload,
                                 Arguments arguments) {
  if (overload == "cidr_ip" || arguments.empty()) return std::nullopt;
  const EstimatedNode& first = arguments[0];
  if (function == "url" && arguments.size() == 1) {
    CallEstimate estimate = Traversal(first);
    estimate.result_size = first.SizeOrAny();
    return estimate;
  }
  if (IsOneOf(function,
              {"cidr", "isIP", "isCIDR", "ip", "quantity", "isQuantity", "semver", "isSemver"})) {
    return Traversal(first);
  }
  if (function == "ip.isCanonical") return Traversal(first, 2);
  if (function == "containsIP" || function == "containsCIDR") return Contains(overload, first);
  if (function == "validate") {
    return CallEstimate{.cost =
                            Scaled(Traversal(first).cost, kFormatPatternSize * kPerPatternByte)};
  }
  if (function == "_==_" && arguments.size() == 2) return EstimateEquality(arguments);
  return std::nullopt;
}

// As upstream, takes a text of two bytes for the shortest requirement of a selector.
CallEstimate ParseSelector(const EstimatedNode& selector) {
  const Bounds size = selector.SizeOrAny();
  return {.cost = Exactly(kListCost) + Scaled(size, kPerByte) +
                  Scaled(Scaled(size, 0.5), kRequirementCost)};
}

MaybeEstimate EstimateAuthorizer(absl::string_view function, Arguments arguments) {
  if (function == "check") return CallEstimate{.cost = Exactly(kCheckCost)};
  if (IsOneOf(function, {"fieldSelector", "labelSelector"}) && arguments.size() == 1) {
    return ParseSelector(arguments[0]);
  }
  return std::nullopt;
}

// ---- the language definition

// Converts between texts and bytes.
MaybeEstimate EstimateConversions(absl::string_view overload, Arguments arguments) {
  if (arguments.size() != 1) return std::nullopt;
  const Bounds size = arguments[0].SizeOrAny();
  CallEstimate estimate = Traversal(arguments[0]);
  if (overload == "string_to_bytes") {
    // As upstream, the largest size may overflow.
    estimate.result_size = Bounds{.min = size.min, .max = size.max * 4};
  } else if (overload == "bytes_to_string") {
    estimate.result_size = Bounds{.min = size.min / 4, .max = size.max};
  } else if (overload == "strings_quote") {
    estimate.result_size = Bounds{.min = size.min + 2, .max = size.max * 2 + 2};
  } else if (!IsOneOf(overload, {"starts_with_string", "ends_with_string"})) {
    return std::nullopt;
  }
  return estimate;
}

bool ComparesAll(absl::string_view overload) {
  return IsOneOf(overload, {"less_string", "greater_string", "less_equals_string",
                            "greater_equals_string", "less_bytes", "greater_bytes",
                            "less_equals_bytes", "greater_equals_bytes", "equals", "not_equals"});
}

MaybeEstimate EstimateStandard(absl::string_view overload, const EstimatedNode* target,
                               Arguments arguments) {
  if (overload == "string_format" && target != nullptr) return Traversal(*target);
  if (overload == "in_list") {
    return CallEstimate{.cost = Scaled(arguments[1].SizeOrAny(), 1)};
  }
  if (overload == "matches_string" && target != nullptr) {
    return CallEstimate{.cost = PatternCost(*target, arguments[0])};
  }
  if (overload == "contains_string" && target != nullptr) {
    return CallEstimate{.cost = Traversal(*target).cost * Traversal(arguments[0]).cost};
  }
  if (ComparesAll(overload)) {
    const uint64_t most = std::min(arguments[0].SizeOrAny().max, arguments[1].SizeOrAny().max);
    return CallEstimate{
        .cost = Scaled(Bounds{.min = std::min<uint64_t>(most, 1), .max = most}, kPerByte)};
  }
  return EstimateConversions(overload, arguments);
}

}  // namespace

CallEstimate EstimateCall(absl::string_view function, absl::string_view overload,
                          const EstimatedNode* target, Arguments arguments) {
  MaybeEstimate estimate = EstimateLists(overload, target, arguments);
  if (!estimate.has_value() && target != nullptr) {
    estimate = EstimateTextMethods(function, *target, arguments);
  }
  if (!estimate.has_value()) estimate = EstimateAuthorizer(function, arguments);
  if (!estimate.has_value()) estimate = EstimateKubernetes(function, overload, arguments);
  if (!estimate.has_value()) estimate = EstimateStandard(overload, target, arguments);
  if (estimate.has_value()) return *estimate;
  return Nominal();
}

}  // namespace kube::cel::internal

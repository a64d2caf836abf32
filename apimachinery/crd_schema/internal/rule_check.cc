#include "apimachinery/crd_schema/internal/rule_check.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "apimachinery/base/status.h"
#include "apimachinery/crd_schema/internal/rule_schema.h"

namespace kube::crd_schema::internal {
namespace {

namespace field = validation::field;
using field::Path;

// apiextensions-apiserver: `StaticEstimatedCostLimit`, `StaticEstimatedCRDCostLimit`.
constexpr uint64_t kMaxCost = 10'000'000;
constexpr uint64_t kMaxTotalCost = 100'000'000;
constexpr size_t kMaxExpensive = 4;
constexpr uint64_t kUnlimited = std::numeric_limits<uint64_t>::max();

uint64_t Multiply(uint64_t a, uint64_t b) {
  return b != 0 && a > kUnlimited / b ? kUnlimited : a * b;
}

uint64_t Add(uint64_t a, uint64_t b) { return a > kUnlimited - b ? kUnlimited : a + b; }

std::optional<uint64_t> Limit(const std::optional<int64_t>& limit) {
  if (!limit.has_value()) return std::nullopt;
  return static_cast<uint64_t>(std::max<int64_t>(*limit, 0));
}

// Returns how many values of a part there may be for each value of the node; nullopt if there is no
// limit (apiextensions-apiserver: `extractMaxElements`).
std::optional<uint64_t> PartsOf(const Node& node) {
  if (node.type == "array") return Limit(node.max_items);
  if (node.type == "object" && node.additional != Additional::kAbsent) {
    return Limit(node.max_properties);
  }
  return uint64_t{1};
}

// Returns a rule as upstream's errors show it.
field::JsonValue JsonOf(const NodeRule& rule) {
  const auto text = [](absl::string_view value) { return field::JsonText(value).json; };
  std::string old_self = "null";
  if (rule.optional_old_self.has_value()) old_self = *rule.optional_old_self ? "true" : "false";
  return {.json = absl::StrCat("{\"Rule\":", text(rule.rule), ",\"Message\":", text(rule.message),
                               ",\"MessageExpression\":", text(rule.message_expression),
                               ",\"Reason\":", rule.reason.empty() ? "null" : text(rule.reason),
                               ",\"FieldPath\":", text(rule.field_path),
                               ",\"OptionalOldSelf\":", old_self, "}")};
}

// apiextensions-apiserver: `getCostErrorMessage`.
std::string TooExpensive(absl::string_view what, uint64_t cost, uint64_t limit) {
  const double factor = static_cast<double>(cost) / static_cast<double>(limit);
  std::string times = "more than 100x";
  if (factor < 1.5) {
    times = absl::StrFormat("%fx", factor);
  } else if (factor <= 100) {
    times = absl::StrFormat("%.1fx", factor);
  }
  return absl::StrCat(what, " exceeds budget by factor of ", times,
                      " (try simplifying the rule, or adding maxItems, maxProperties, and "
                      "maxLength where arrays, maps, and strings are declared)");
}

}  // namespace

// ---- places

RulePlace::RulePlace(const Node& root)
    : parent_(nullptr),
      node_(root),
      step_(Step::kRoot),
      in_scope_(!root.rules.empty()),
      cardinality_(1) {}

RulePlace::RulePlace(const RulePlace& parent, const Node& node, Step step, absl::string_view name)
    : parent_(&parent),
      node_(node),
      step_(step),
      name_(name),
      in_scope_(parent.in_scope_ || !node.rules.empty()) {
  const std::optional<uint64_t> parts = PartsOf(parent.node_);
  if (parent.cardinality_.has_value() && parts.has_value()) {
    cardinality_ = Multiply(*parent.cardinality_, *parts);
  }
}

RulePlace RulePlace::Property(absl::string_view name) const {
  return RulePlace(*this, *node_.FindProperty(name), Step::kProperty, name);
}

RulePlace RulePlace::AdditionalProperties() const {
  return RulePlace(*this, *node_.additional_schema, Step::kElement, "");
}

RulePlace RulePlace::Items() const { return RulePlace(*this, *node_.items, Step::kElement, ""); }

absl::StatusOr<cel::SchemaPtr> RulePlace::FromParent() const {
  KUBE_ASSIGN_OR_RETURN(const cel::SchemaPtr around, parent_->Schema());
  if (step_ == Step::kElement) {
    if (around->element != nullptr) return around->element;
    return absl::InvalidArgumentError("failed to convert to declType for CEL validation rules");
  }
  const auto found = around->properties.find(name_);
  if (found != around->properties.end() && cel::IsVisible(*found->second)) return found->second;
  return RuleSchema(node_, node_.embedded_resource);
}

absl::StatusOr<cel::SchemaPtr> RulePlace::MakeSchema() const {
  if (parent_ != nullptr && parent_->in_scope_) return FromParent();
  return RuleSchema(node_, parent_ == nullptr || node_.embedded_resource);
}

const absl::StatusOr<cel::SchemaPtr>& RulePlace::Schema() const {
  if (schema_.has_value()) return *schema_;
  absl::StatusOr<cel::SchemaPtr> schema = MakeSchema();
  if (schema.ok() && !cel::IsVisible(**schema)) {
    schema = absl::InvalidArgumentError(
        "internal error: failed to construct type information for x-kubernetes-validations rules: "
        "unable to convert structural schema to CEL declarations");
  }
  return schema_.emplace(std::move(schema));
}

// ---- rules

void RuleChecker::Check(const RulePlace& place, const Path& uncorrelatable, const Path& path) {
  const Path rules_path = path.Child("x-kubernetes-validations");
  const absl::StatusOr<cel::SchemaPtr>& schema = place.Schema();
  if (!schema.ok()) {
    errors_.push_back(field::InternalError(rules_path, schema.status().message()));
    return;
  }
  const absl::StatusOr<cel::RuleSet> rules =
      cel::RuleSet::Compile(MakeRules(place.node()), *schema);
  if (!rules.ok()) {
    errors_.push_back(field::InternalError(rules_path, rules.status().message()));
    return;
  }
  for (size_t i = 0; i < place.node().rules.size(); ++i) {
    CheckRule(place, *rules, i, uncorrelatable, rules_path.Index(i));
  }
}

void RuleChecker::CheckRule(const RulePlace& place, const cel::RuleSet& rules, size_t index,
                            const Path& uncorrelatable, const Path& path) {
  const NodeRule& rule = place.node().rules[index];
  const cel::RuleSet::Estimate estimate = rules.EstimateOf(index);
  const uint64_t cardinality = place.cardinality().value_or(rules.MaxCardinality());
  CheckCost("estimated rule cost", Multiply(estimate.rule, cardinality), path.Child("rule"));
  bool message_compiles = !rule.message_expression.empty();
  for (const cel::RuleDefect& defect : rules.defects()) {
    if (defect.rule != index) continue;
    message_compiles = false;
    errors_.push_back(field::Invalid(path.Child(defect.in_message ? "messageExpression" : "rule"),
                                     JsonOf(rule), defect.detail));
  }
  if (message_compiles) {
    CheckCost("estimated messageExpression cost", estimate.message,
              path.Child("messageExpression"));
  }
  CheckOldSelf(rule, rules.UsesOldSelf(index), uncorrelatable, path);
}

void RuleChecker::CheckCost(absl::string_view what, uint64_t cost, const Path& path) {
  if (limits_each_ && cost > kMaxCost) {
    errors_.push_back(field::Forbidden(path, TooExpensive(what, cost, kMaxCost)));
  }
  total_ = Add(total_, cost);
  if (cost < kMaxTotalCost / 100) return;
  const auto place =
      absl::c_find_if(expensive_, [&](const Expensive& other) { return other.cost < cost; });
  expensive_.insert(place, Expensive{.path = path, .cost = cost});
  if (expensive_.size() > kMaxExpensive) expensive_.pop_back();
}

void RuleChecker::CheckOldSelf(const NodeRule& rule, bool uses_old_self, const Path& uncorrelatable,
                               const Path& path) {
  if (!uses_old_self) {
    if (!rule.optional_old_self.has_value()) return;
    errors_.push_back(field::Invalid(path.Child("optionalOldSelf"), *rule.optional_old_self,
                                     "may not be set if oldSelf is not used in rule"));
  } else if (!uncorrelatable.empty()) {
    errors_.push_back(field::Invalid(
        path.Child("rule"), rule.rule,
        absl::StrCat("oldSelf cannot be used on the uncorrelatable portion of the schema within ",
                     uncorrelatable.ToString())));
  }
}

field::ErrorList RuleChecker::CheckTotal(const Path& path) const {
  field::ErrorList errors;
  if (total_ <= kMaxTotalCost) return errors;
  for (const Expensive& each : expensive_) {
    errors.push_back(field::Forbidden(each.path,
                                      "contributed to estimated rule cost total exceeding cost "
                                      "limit for entire OpenAPIv3 schema"));
  }
  errors.push_back(field::Forbidden(
      path, TooExpensive("x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 "
                         "schema",
                         total_, kMaxTotalCost)));
  return errors;
}

field::ErrorList RuleChecker::TakeErrors() { return std::exchange(errors_, {}); }

}  // namespace kube::crd_schema::internal

#include "apimachinery/labels/label_selector.h"

#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/text/go_text.h"
#include "apimachinery/selection/operator.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/string.h"

namespace kube::labels {

namespace metav1 = api::meta::v1;

namespace {

std::optional<Operator> OperatorOf(const String& text) {
  if (text == metav1::kLabelSelectorOpIn) return Operator::kIn;
  if (text == metav1::kLabelSelectorOpNotIn) return Operator::kNotIn;
  if (text == metav1::kLabelSelectorOpExists) return Operator::kExists;
  if (text == metav1::kLabelSelectorOpDoesNotExist) return Operator::kDoesNotExist;
  return std::nullopt;
}

// Returns the operator's name in a label selector; nullopt if there is no such operator.
// (client-go: `metav1.LabelSelectorOperator`)
std::optional<absl::string_view> TextOf(Operator op) {
  switch (op) {
    case Operator::kIn:
      return metav1::kLabelSelectorOpIn;
    case Operator::kNotIn:
      return metav1::kLabelSelectorOpNotIn;
    case Operator::kExists:
      return metav1::kLabelSelectorOpExists;
    case Operator::kDoesNotExist:
      return metav1::kLabelSelectorOpDoesNotExist;
    default:
      return std::nullopt;
  }
}

// Returns INVALID_ARGUMENT with `before`, the quoted `op` and `after`.
absl::Status BadOperator(absl::string_view before, absl::string_view op, absl::string_view after) {
  std::string quoted;
  text::AppendQuoted(quoted, op);
  return absl::InvalidArgumentError(absl::StrCat(before, quoted, after));
}

}  // namespace

absl::StatusOr<Selector> LabelSelectorAsSelector(const metav1::LabelSelector* selector) {
  if (selector == nullptr) return Nothing();
  std::vector<Requirement> requirements;
  for (const auto& [key, value] : selector->match_labels) {
    KUBE_ASSIGN_OR_RETURN(Requirement equals,
                          Requirement::Make(key, Operator::kEquals, {std::string(value)}));
    requirements.push_back(std::move(equals));
  }
  for (const metav1::LabelSelectorRequirement& expression : selector->match_expressions) {
    const std::optional<Operator> op = OperatorOf(expression.operator_);
    if (!op.has_value()) {
      return BadOperator("", expression.operator_, " is not a valid label selector operator");
    }
    std::vector<std::string> values(expression.values.begin(), expression.values.end());
    KUBE_ASSIGN_OR_RETURN(Requirement requirement,
                          Requirement::Make(expression.key, *op, std::move(values)));
    requirements.push_back(std::move(requirement));
  }
  return Selector(std::move(requirements));
}

absl::StatusOr<Set> LabelSelectorAsMap(const metav1::LabelSelector* selector) {
  if (selector == nullptr) return Set();
  constexpr absl::string_view kNoSet = " cannot be converted into the old label selector format";
  Set labels = selector->match_labels.is_null() ? Set::Empty() : selector->match_labels;
  for (const metav1::LabelSelectorRequirement& expression : selector->match_expressions) {
    const std::optional<Operator> op = OperatorOf(expression.operator_);
    if (!op.has_value()) {
      return BadOperator("", expression.operator_, " is not a valid selector operator");
    }
    if (*op != Operator::kIn) return BadOperator("operator ", expression.operator_, kNoSet);
    if (expression.values.size() != 1) {
      return BadOperator("operator ", expression.operator_,
                         absl::StrCat(" without a single value", kNoSet));
    }
    labels[expression.key] = expression.values[0];
  }
  return labels;
}

absl::StatusOr<metav1::LabelSelector> ParseToLabelSelector(absl::string_view text) {
  const absl::StatusOr<Selector> selector = Parse(text);
  if (!selector.ok()) {
    return absl::InvalidArgumentError(absl::StrCat("couldn't parse the selector string \"", text,
                                                   "\": ", selector.status().message()));
  }
  metav1::LabelSelector result;
  result.match_labels = Set::Empty();
  result.match_expressions = List<metav1::LabelSelectorRequirement>::Empty();
  for (const Requirement& requirement : selector->requirements()) {
    const Operator op = requirement.op();
    if (op == Operator::kEquals || op == Operator::kDoubleEquals) {
      result.match_labels[requirement.key()] = requirement.values().front();
      continue;
    }
    const std::optional<absl::string_view> name = TextOf(op);
    if (!name.has_value()) {
      return BadOperator("", selection::ToString(op),
                         op == Operator::kNotEquals ? " is not a valid label selector operator"
                                                    : " isn't supported in label selectors");
    }
    metav1::LabelSelectorRequirement expression = {
        .key = requirement.key(), .operator_ = *name, .values = List<String>::Empty()};
    for (const String& value : requirement.values()) expression.values.push_back(value);
    result.match_expressions.push_back(std::move(expression));
  }
  return result;
}

Box<metav1::LabelSelector> SetAsLabelSelector(const Set& labels) {
  if (labels.is_null()) return nullptr;
  return metav1::LabelSelector{.match_labels = labels};
}

std::string FormatLabelSelector(const metav1::LabelSelector* selector) {
  const absl::StatusOr<Selector> parsed = LabelSelectorAsSelector(selector);
  if (!parsed.ok()) return "<error>";
  std::string text = parsed->ToString();
  return text.empty() ? "<none>" : text;
}

}  // namespace kube::labels

#include "apimachinery/labels/requirement.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <ostream>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "apimachinery/base/status.h"
#include "apimachinery/labels/internal/check.h"
#include "apimachinery/labels/internal/go_integer.h"
#include "apimachinery/validation/field_error.h"

namespace kube::labels {

namespace field = validation::field;

namespace {

bool IsIn(Operator op) {
  return op == Operator::kIn || op == Operator::kEquals || op == Operator::kDoubleEquals;
}

bool IsNotIn(Operator op) { return op == Operator::kNotIn || op == Operator::kNotEquals; }

bool IsComparison(Operator op) { return op == Operator::kGreaterThan || op == Operator::kLessThan; }

// Returns the error text if the number of values does not suit the operator, otherwise "".
absl::string_view CheckCount(Operator op, size_t count) {
  switch (op) {
    case Operator::kIn:
    case Operator::kNotIn:
      return count != 0 ? "" : "for 'in', 'notin' operators, values set can't be empty";
    case Operator::kEquals:
    case Operator::kDoubleEquals:
    case Operator::kNotEquals:
      return count == 1 ? "" : "exact-match compatibility requires one single value";
    case Operator::kExists:
    case Operator::kDoesNotExist:
      return count == 0 ? "" : "values set must be empty for exists and does not exist";
    case Operator::kGreaterThan:
    case Operator::kLessThan:
      return count == 1 ? "" : "for 'Gt', 'Lt' operators, exactly one value is required";
  }
  return "";
}

// Compares the sizes first, because they usually differ.
bool Same(absl::string_view a, absl::string_view b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size()) == 0;
}

// Returns the text between the key and the values.
absl::string_view Symbol(Operator op) {
  switch (op) {
    case Operator::kIn:
      return " in (";
    case Operator::kNotIn:
      return " notin (";
    case Operator::kGreaterThan:
      return ">";
    case Operator::kLessThan:
      return "<";
    default:
      return selection::ToString(op);
  }
}

}  // namespace

Requirement::Requirement(absl::string_view key, Operator op, std::vector<String> values)
    : key_(key), op_(op), values_(std::move(values)) {
  std::sort(values_.begin(), values_.end());
  if (IsComparison(op) && !values_.empty()) {
    number_ = internal::ParseGoInteger(values_.front()).value_or(0);
  }
}

absl::StatusOr<Requirement> Requirement::Make(absl::string_view key, Operator op,
                                              std::vector<std::string> values,
                                              const field::Path& path) {
  field::ErrorList errors = internal::CheckLabelKey(key, path.Child("key"));
  const field::Path values_path = path.Child("values");
  if (const absl::string_view wrong = CheckCount(op, values.size()); !wrong.empty()) {
    errors.push_back(field::Invalid(values_path, field::JsonTexts(values), wrong));
  }
  for (size_t i = 0; IsComparison(op) && i < values.size(); ++i) {
    if (internal::ParseGoInteger(values[i]).has_value()) continue;
    errors.push_back(field::Invalid(values_path.Index(i), values[i],
                                    "for 'Gt', 'Lt' operators, the value must be an integer"));
  }
  for (size_t i = 0; i < values.size(); ++i) {
    field::Append(errors, internal::CheckLabelValue(key, values[i], values_path.Index(i)));
  }
  KUBE_RETURN_IF_ERROR(field::ToAggregate(errors));
  return Requirement(key, op, std::vector<String>(values.begin(), values.end()));
}

Requirement Requirement::MakeEquals(absl::string_view key, absl::string_view value) {
  return Requirement(key, Operator::kEquals, {String(value)});
}

bool Requirement::MatchesPresent(absl::string_view value) const {
  if (op_ == Operator::kExists) return true;
  if (op_ == Operator::kDoesNotExist) return false;
  if (IsComparison(op_)) {
    const std::optional<int64_t> number = internal::ParseGoInteger(value);
    if (!number.has_value()) return false;
    return op_ == Operator::kGreaterThan ? *number > number_ : *number < number_;
  }
  const bool found = std::any_of(values_.begin(), values_.end(),
                                 [&](const String& v) { return Same(v.view(), value); });
  return found == IsIn(op_);
}

bool Requirement::Matches(const String* value) const {
  if (value == nullptr) return IsNotIn(op_) || op_ == Operator::kDoesNotExist;
  return MatchesPresent(value->view());
}

bool Requirement::Matches(std::optional<absl::string_view> value) const {
  if (!value.has_value()) return IsNotIn(op_) || op_ == Operator::kDoesNotExist;
  return MatchesPresent(*value);
}

std::string Requirement::ToString() const {
  if (op_ == Operator::kDoesNotExist) return absl::StrCat("!", key_.view());
  if (op_ == Operator::kExists) return key_;
  const std::string values = absl::StrJoin(
      values_, ",", [](std::string* out, const String& v) { absl::StrAppend(out, v.view()); });
  const bool list = op_ == Operator::kIn || op_ == Operator::kNotIn;
  return absl::StrCat(key_.view(), Symbol(op_), values, list ? ")" : "");
}

std::ostream& operator<<(std::ostream& out, const Requirement& requirement) {
  return out << requirement.ToString();
}

}  // namespace kube::labels

#include "apimachinery/jsonpath/json_path_template.h"

#include <cstddef>
#include <optional>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/json/json_text.h"
#include "apimachinery/jsonpath/internal/evaluate.h"
#include "apimachinery/jsonpath/internal/parser.h"
#include "apimachinery/jsonpath/json_path.h"
#include "apimachinery/types/list.h"
#include "apimachinery/unstructured/value_json.h"

namespace kube::jsonpath {

// A template is a flat sequence of actions and texts, as upstream's; {range} and {end} are actions
// like others. Follow walks over the sequence. An action that begins a range gives values, and for
// each of them Follow walks over the actions behind it, until one of these ends the range. Then it
// goes on behind that end, whose place is kept in `last_end_`.

namespace {

using internal::Actions;
using internal::State;
using internal::Values;
using unstructured::Value;

constexpr size_t kMaxQuoted = 200;
constexpr int kMaxRanges = 100;
constexpr size_t kMaxOutput = size_t{512} << 20;

class Execution {
 public:
  Execution(const Actions& actions, bool allow_missing_keys)
      : actions_(actions), state_{.allow_missing_keys = allow_missing_keys} {}

  // Evaluates the actions from `begin` on, up to the end of the range that is open, and appends
  // their values to `results`. (client-go: `JSONPath.FindResults`)
  absl::Status Follow(const Value& data, size_t begin, std::vector<Values>& results) {
    // In a range, Go has no type for a null, and treats it as no value at all.
    const Value* current = data.is_null() ? &internal::NoValue() : &data;
    for (size_t i = begin; i < actions_.size(); ++i) {
      internal::Outcome outcome = internal::Evaluate({current}, actions_[i], state_);
      KUBE_RETURN_IF_ERROR(outcome.status);
      if (state_.end_range > 0 && state_.end_range <= state_.in_range) {
        --state_.end_range;
        last_end_ = i;
        break;
      }
      if (state_.begin_range == 0) {
        results.push_back(std::move(outcome.values));
        continue;
      }
      KUBE_RETURN_IF_ERROR(FollowRange(outcome.values, i + 1, results));
      if (last_end_.has_value() && *last_end_ > i) i = *last_end_;
    }
    return absl::OkStatus();
  }

 private:
  absl::Status FollowRange(const Values& values, size_t begin, std::vector<Values>& results) {
    --state_.begin_range;
    if (++state_.in_range > kMaxRanges) {
      return absl::ResourceExhaustedError(
          absl::StrCat("ranges are nested more than ", kMaxRanges, " deep"));
    }
    for (const Value* value : values) KUBE_RETURN_IF_ERROR(Follow(*value, begin, results));
    if (values.empty()) {
      // Finds the end of the range.
      std::vector<Values> unused;
      KUBE_RETURN_IF_ERROR(Follow(internal::NoValue(), begin, unused));
    }
    --state_.in_range;
    return absl::OkStatus();
  }

  const Actions& actions_;
  State state_;
  std::optional<size_t> last_end_;
};

absl::StatusOr<std::string> PrintBare(const Value& value) {
  if (&value == &internal::NoValue()) return std::string("<no value>");
  return Print(value);
}

absl::StatusOr<std::string> PrintJson(const Values& values) {
  List<Value> list;
  for (const Value* value : values) list.push_back(*value);
  KUBE_ASSIGN_OR_RETURN(const std::string json, unstructured::EncodeJson(Value(std::move(list))));
  return absl::StrCat(codec::internal::IndentJson(json, "    "), "\n");
}

}  // namespace

absl::StatusOr<JsonPathTemplate> JsonPathTemplate::Parse(absl::string_view text,
                                                         const JsonPathTemplateOptions& options) {
  absl::StatusOr<Actions> actions = internal::Parser(text).Parse();
  if (actions.ok()) return JsonPathTemplate(text, *std::move(actions), options);
  return absl::Status(
      actions.status().code(),
      absl::StrCat("parse template \"", absl::Utf8SafeCHexEscape(text.substr(0, kMaxQuoted)),
                   text.size() > kMaxQuoted ? "..." : "", "\": ", actions.status().message()));
}

absl::StatusOr<std::vector<Values>> JsonPathTemplate::FindResults(const Value& object) const {
  std::vector<Values> results;
  KUBE_RETURN_IF_ERROR(Execution(actions_, options_.allow_missing_keys).Follow(object, 0, results));
  return results;
}

absl::StatusOr<std::string> JsonPathTemplate::Execute(const Value& object) const {
  KUBE_ASSIGN_OR_RETURN(const std::vector<Values> results, FindResults(object));
  std::string text;
  for (const Values& values : results) {
    if (options_.output_json) {
      KUBE_ASSIGN_OR_RETURN(const std::string json, PrintJson(values));
      text += json;
    } else {
      for (size_t i = 0; i < values.size(); ++i) {
        KUBE_ASSIGN_OR_RETURN(const std::string printed, PrintBare(*values[i]));
        absl::StrAppend(&text, i == 0 ? "" : " ", printed);
        if (text.size() > kMaxOutput) break;
      }
    }
    if (text.size() > kMaxOutput) {
      return absl::ResourceExhaustedError(
          absl::StrCat("execute template: more than ", kMaxOutput >> 20, " MiB of text"));
    }
  }
  return text;
}

}  // namespace kube::jsonpath

#include "apimachinery/jsonpath/json_path.h"

#include <optional>
#include <variant>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/text/go_text.h"
#include "apimachinery/jsonpath/internal/evaluate.h"
#include "apimachinery/jsonpath/internal/parser.h"
#include "apimachinery/unstructured/value_json.h"

namespace kube::jsonpath {
namespace {

using codec::ValueForm;
using codec::ValueView;
using internal::Actions;
using internal::FieldNode;
using internal::Node;
using internal::Nodes;
using internal::Outcome;
using unstructured::Value;
using unstructured::ValueType;

constexpr size_t kMaxQuoted = 200;

absl::StatusOr<Value> ToValue(const ValueView& view) {
  KUBE_ASSIGN_OR_RETURN(const std::string json, view.Json());
  return unstructured::ParseJson(json);
}

// Returns whether the value's JSON may omit it, as a member of an object.
bool MayBeOmitted(const Value& value) {
  switch (value.type()) {
    case ValueType::kNull:
      return true;
    case ValueType::kBool:
      return value.boolean() == false;
    case ValueType::kInt:
    case ValueType::kDouble:
      return value.number() == 0.0;
    case ValueType::kString:
      // A quantity or duration of zero may be "0" or "0s".
      return value.text()->empty() || (*value.text())[0] == '0';
    case ValueType::kList:
      return value.list()->empty();
    case ValueType::kObject:
      return value.object()->empty();
  }
  return true;
}

// Returns UNIMPLEMENTED if the nodes have what only templates can have.
absl::Status CheckPath(const Nodes& nodes, bool in_filter) {
  for (const Node& node : nodes) {
    if (const auto* word = std::get_if<internal::IdentifierNode>(&node.node)) {
      return absl::UnimplementedError(absl::StrCat("\"", word->name, "\" is not supported"));
    }
    if (!in_filter && std::holds_alternative<internal::LiteralNode>(node.node)) {
      return absl::UnimplementedError("a constant outside of a filter is not supported");
    }
    if (const auto* filter = std::get_if<internal::FilterNode>(&node.node)) {
      KUBE_RETURN_IF_ERROR(CheckPath(filter->left, true));
      KUBE_RETURN_IF_ERROR(CheckPath(filter->right, true));
    }
    if (const auto* branches = std::get_if<internal::UnionNode>(&node.node)) {
      for (const Nodes& branch : branches->branches) {
        KUBE_RETURN_IF_ERROR(CheckPath(branch, in_filter));
      }
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<Nodes> ParsePath(absl::string_view text) {
  const std::string action =
      !text.empty() && text[0] == '{' ? std::string(text) : absl::StrCat("{", text, "}");
  KUBE_ASSIGN_OR_RETURN(Actions actions, internal::Parser(action).Parse());
  if (actions.size() != 1) {
    return absl::UnimplementedError("text outside of the braces is not supported");
  }
  KUBE_RETURN_IF_ERROR(CheckPath(actions[0], false));
  return std::move(actions[0]);
}

// The value after the member names at the beginning of a path, and their number.
struct Start {
  Value value;
  size_t steps = 0;
};

// Follows the member names at the beginning of the path in the struct itself, so that only what
// they lead to must be converted to JSON. Returns nullopt if only the JSON of the whole object
// tells whether a member is present.
std::optional<Start> FollowMembers(ValueView view, const Nodes& nodes) {
  Start start;
  for (const Node& node : nodes) {
    const auto* field = std::get_if<FieldNode>(&node.node);
    if (field == nullptr) break;
    const std::optional<ValueView> member =
        view.form() == ValueForm::kMap ? view.Find(field->name) : view.Member(field->name);
    if (!member || member->form() == ValueForm::kAbsent) return std::nullopt;
    view = *member;
    ++start.steps;
  }
  absl::StatusOr<Value> value = ToValue(view);
  if (!value.ok() || (start.steps > 0 && MayBeOmitted(*value))) return std::nullopt;
  start.value = *std::move(value);
  return start;
}

}  // namespace

absl::StatusOr<JsonPath> JsonPath::Parse(absl::string_view text, const JsonPathOptions& options) {
  absl::StatusOr<Nodes> nodes = ParsePath(text);
  if (nodes.ok()) return JsonPath(text, *std::move(nodes), options);
  return absl::Status(
      nodes.status().code(),
      absl::StrCat("parse path \"", absl::Utf8SafeCHexEscape(text.substr(0, kMaxQuoted)),
                   text.size() > kMaxQuoted ? "..." : "", "\": ", nodes.status().message()));
}

absl::StatusOr<std::vector<const Value*>> JsonPath::Find(const Value& object) const {
  Outcome outcome = internal::Evaluate({&object}, nodes_, options_.allow_missing_keys);
  KUBE_RETURN_IF_ERROR(outcome.status);
  return std::move(outcome.values);
}

absl::StatusOr<std::vector<Value>> JsonPath::Find(const ValueView& object) const {
  std::optional<Start> start = FollowMembers(object, nodes_);
  if (!start) {
    KUBE_ASSIGN_OR_RETURN(Value value, ToValue(object));
    start = Start{.value = std::move(value), .steps = 0};
  }
  const Outcome outcome =
      internal::Evaluate({&start->value}, absl::MakeConstSpan(nodes_).subspan(start->steps),
                         options_.allow_missing_keys);
  KUBE_RETURN_IF_ERROR(outcome.status);
  std::vector<Value> results;
  results.reserve(outcome.values.size());
  for (const Value* value : outcome.values) results.push_back(*value);
  return results;
}

absl::StatusOr<std::string> Print(const Value& value) {
  switch (value.type()) {
    case ValueType::kString:
      return std::string(*value.text());
    case ValueType::kDouble:
      return text::FormatGeneral(*value.number());
    default:
      return unstructured::EncodeJson(value);
  }
}

}  // namespace kube::jsonpath

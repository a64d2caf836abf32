#include "controller/predicates/internal/field_path.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "apimachinery/types/list.h"
#include "apimachinery/unstructured/value.h"

namespace kube::controller::internal {

namespace {

using unstructured::Unstructured;
using unstructured::Value;

bool IsIndex(absl::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), absl::ascii_isdigit);
}

// Returns the value at the path, or nullopt if it counts as absent.
std::optional<codec::ValueView> PresentField(const codec::ValueView& object,
                                             absl::string_view path) {
  const absl::StatusOr<codec::ValueView> found = codec::FindPath(object, path);
  if (!found.ok()) return std::nullopt;
  const codec::ValueForm form = found->form();
  const bool empty =
      (form == codec::ValueForm::kList || form == codec::ValueForm::kMap) && found->size() == 0;
  if (empty || form == codec::ValueForm::kAbsent) return std::nullopt;
  return *found;
}

const Value* Enter(const Value& value, const FieldStep& step) {
  const List<Value>* list = value.list();
  if (list == nullptr) return value.Find(step.text);
  uint64_t index = 0;
  if (!step.bracket || !absl::SimpleAtoi(step.text, &index) || index >= list->size()) {
    return nullptr;
  }
  return &(*list)[index];
}

// Returns the value at the path, or null if it counts as absent.
const Value* PresentField(const Unstructured& object, const std::vector<FieldStep>& path) {
  const Value* value = object.object.find(path.front().text);
  for (size_t i = 1; value != nullptr && i < path.size(); ++i) value = Enter(*value, path[i]);
  if (value == nullptr || value->is_null()) return nullptr;
  const bool empty = (value->is_list() && value->list()->empty()) ||
                     (value->is_object() && value->object()->empty());
  return empty ? nullptr : value;
}

absl::Status BadPath(absl::string_view path) {
  return absl::InvalidArgumentError(absl::StrCat("follow path \"", path, "\": invalid path"));
}

}  // namespace

std::string WithFirstElements(absl::string_view path) {
  std::string result;
  while (!path.empty()) {
    const size_t begin = path.find('[');
    const size_t end = begin == absl::string_view::npos ? begin : path.find(']', begin);
    if (end == absl::string_view::npos) break;
    const absl::string_view inside = path.substr(begin + 1, end - begin - 1);
    absl::StrAppend(&result, path.substr(0, begin + 1), IsIndex(inside) ? "0" : inside, "]");
    path.remove_prefix(end + 1);
  }
  absl::StrAppend(&result, path);
  return result;
}

bool SameField(const codec::ValueView& before, const codec::ValueView& after,
               absl::string_view path) {
  const std::optional<codec::ValueView> old_value = PresentField(before, path);
  const std::optional<codec::ValueView> new_value = PresentField(after, path);
  if (!old_value.has_value() || !new_value.has_value()) {
    return old_value.has_value() == new_value.has_value();
  }
  return *old_value == *new_value;
}

absl::StatusOr<std::vector<FieldStep>> ParseFieldPath(absl::string_view path) {
  std::vector<FieldStep> steps;
  for (absl::string_view rest = path; !rest.empty();) {
    if (rest[0] == '[') {
      const size_t end = rest.find(']');
      if (steps.empty() || end == absl::string_view::npos) return BadPath(path);
      steps.push_back({.text = std::string(rest.substr(1, end - 1)), .bracket = true});
      rest.remove_prefix(end + 1);
      continue;
    }
    if (!steps.empty() && !absl::ConsumePrefix(&rest, ".")) return BadPath(path);
    const absl::string_view name = rest.substr(0, rest.find_first_of(".["));
    if (name.empty()) return BadPath(path);
    steps.push_back({.text = std::string(name)});
    rest.remove_prefix(name.size());
  }
  if (steps.empty()) return BadPath(path);
  return steps;
}

bool SameField(const Unstructured& before, const Unstructured& after,
               const std::vector<FieldStep>& path) {
  const Value* old_value = PresentField(before, path);
  const Value* new_value = PresentField(after, path);
  if (old_value == nullptr || new_value == nullptr) return old_value == new_value;
  return *old_value == *new_value;
}

}  // namespace kube::controller::internal

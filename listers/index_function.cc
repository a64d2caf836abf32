#include "listers/index_function.h"

#include <cstddef>
#include <optional>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "apimachinery/types/list.h"
#include "apimachinery/unstructured/nested.h"
#include "apimachinery/unstructured/value.h"

namespace kube::listers::internal {
namespace {

// Returns the index value of a leaf, which is a ValueView or a Value. Both have the same accessors.
template <typename V>
std::optional<std::string> LeafText(const V& leaf) {
  if (const std::optional<absl::string_view> text = leaf.text()) return std::string(*text);
  if (const std::optional<int64_t> integer = leaf.integer()) return absl::StrCat(*integer);
  if (const std::optional<bool> boolean = leaf.boolean()) return *boolean ? "true" : "false";
  return std::nullopt;
}

absl::Status NoValue(absl::string_view path) {
  return absl::InvalidArgumentError(absl::StrCat(
      "index by field \"", path, "\": must be a string, an integer, a bool or a list of these"));
}

void AddValue(std::string value, std::vector<std::string>& values) {
  if (!value.empty()) values.push_back(std::move(value));
}

}  // namespace

absl::StatusOr<std::vector<std::string>> FieldValues(const codec::ValueView& object,
                                                     absl::string_view path) {
  std::vector<std::string> values;
  const absl::StatusOr<codec::ValueView> field = codec::FindPath(object, path);
  if (absl::IsNotFound(field.status())) return values;
  if (!field.ok()) return field.status();
  if (field->form() == codec::ValueForm::kAbsent) return values;
  const bool is_list = field->form() == codec::ValueForm::kList;
  for (size_t i = 0; i < (is_list ? field->size() : 1); ++i) {
    std::optional<std::string> value = LeafText(is_list ? field->element(i) : *field);
    if (!value.has_value()) return NoValue(path);
    AddValue(*std::move(value), values);
  }
  return values;
}

absl::StatusOr<std::vector<std::string>> FieldValues(const unstructured::Unstructured& object,
                                                     absl::string_view path) {
  std::vector<std::string> values;
  const std::vector<absl::string_view> names = absl::StrSplit(path, '.');
  absl::StatusOr<const unstructured::Value*> field =
      unstructured::NestedField(object.object, names);
  if (!field.ok()) return field.status();
  if (*field == nullptr || (*field)->is_null()) return values;
  const List<unstructured::Value>* const list = (*field)->list();
  for (size_t i = 0; i < (list != nullptr ? list->size() : 1); ++i) {
    std::optional<std::string> value = LeafText(list != nullptr ? (*list)[i] : **field);
    if (!value.has_value()) return NoValue(path);
    AddValue(*std::move(value), values);
  }
  return values;
}

}  // namespace kube::listers::internal

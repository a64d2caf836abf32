#include "apimachinery/base/log/internal/field_list.h"

#include <cstddef>
#include <memory>
#include <variant>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log_record.h"
#include "apimachinery/base/monotonic_time.h"

namespace kube::log::internal {
namespace {

bool HasKey(absl::Span<const Field> fields, absl::string_view key) {
  return absl::c_any_of(fields, [key](const Field& field) { return field.key == key; });
}

// Returns how many bytes of text a value refers to.
size_t TextSize(const Value& value) {
  if (const auto* text = std::get_if<absl::string_view>(&value.variant())) return text->size();
  if (const auto* object = std::get_if<ObjectRef>(&value.variant())) {
    return object->namespace_name.size() + object->name.size();
  }
  return 0;
}

}  // namespace

std::vector<Field> Merge(absl::Span<const Field> inherited, absl::Span<const Field> own) {
  std::vector<Field> merged;
  merged.reserve(inherited.size() + own.size());
  for (const Field& field : inherited) {
    if (!HasKey(own, field.key)) merged.push_back(field);
  }
  merged.insert(merged.end(), own.begin(), own.end());
  return merged;
}

FieldList::FieldList(absl::Span<const Field> fields) {
  size_t size = 0;
  for (const Field& field : fields) size += field.key.size() + TextSize(field.value);
  text_.reserve(size);
  fields_.reserve(fields.size());
  for (const Field& field : fields) {
    const absl::string_view key = Keep(field.key);
    fields_.push_back({key, Keep(field.value)});
  }
}

absl::string_view FieldList::Keep(absl::string_view text) {
  const size_t begin = text_.size();
  text_.append(text.data(), text.size());
  return absl::string_view(text_).substr(begin);
}

Value FieldList::Keep(const Value& value) {
  if (const auto* text = std::get_if<absl::string_view>(&value.variant())) return Keep(*text);
  if (const auto* object = std::get_if<ObjectRef>(&value.variant())) {
    const absl::string_view namespace_name = Keep(object->namespace_name);
    return KRef(namespace_name, Keep(object->name));
  }
  if (const auto* status = std::get_if<const absl::Status*>(&value.variant())) {
    return statuses_.emplace_front(**status);
  }
  return value;
}

Context FieldList::Attach(const Context& parent, absl::Span<const Field> fields) {
  return Context::MakeChild(parent, base::MonotonicTime::Infinite(),
                            std::make_shared<const FieldList>(Merge(Of(parent), fields)));
}

absl::Span<const Field> FieldList::Of(const Context& ctx) {
  const FieldList* const list = ctx.log_fields();
  if (list == nullptr) return {};
  return list->fields_;
}

}  // namespace kube::log::internal

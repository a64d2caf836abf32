#include "apimachinery/cel/internal/objects/object_values.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "apimachinery/base/no_destructor.h"
#include "apimachinery/cel/escape.h"
#include "apimachinery/types/string.h"
#include "apimachinery/unstructured/go_format.h"

namespace kube::cel::internal {
namespace {

// Returns whether Go has the same behind both. (Go: `reflect.DeepEqual`)
bool IsSame(const unstructured::Value& json, const Value& value) {
  switch (value.kind()) {
    case ValueKind::kBool:
      return json.is_bool() && *json.boolean() == value.boolean();
    case ValueKind::kInt:
      return json.is_int() && *json.integer() == value.integer();
    case ValueKind::kDouble:
      return json.is_double() && *json.number() == value.number();
    case ValueKind::kString:
      return json.is_string() && *json.text() == value.text();
    case ValueKind::kList: {
      const auto* list = dynamic_cast<const ObjectList*>(&value.list());
      return list != nullptr && json.is_list() && *json.list() == list->list();
    }
    case ValueKind::kMap: {
      const auto* map = dynamic_cast<const ObjectMap*>(&value.map());
      return map != nullptr && json.is_object() && *json.object() == map->object();
    }
    case ValueKind::kOpaque: {
      const auto* preserved = dynamic_cast<const PreservedValue*>(&value.opaque());
      return preserved != nullptr && json == preserved->json();
    }
    default:
      return false;
  }
}

}  // namespace

ObjectList::ObjectList(const kube::List<unstructured::Value>& list, const Schema* schema)
    : list_(list), schema_(schema) {
  if (schema_ == nullptr) return;
  for (const std::string& key : schema_->list_keys) {
    keys_.push_back(EscapeIdentifier(key).value_or(key));
  }
}

Value ObjectList::At(size_t index) const {
  return schema_ == nullptr ? ToValue(list_[index]) : ToValue(list_[index], *schema_->element);
}

ListKind ObjectList::list_kind() const {
  return schema_ == nullptr ? ListKind::kAtomic : schema_->list_kind;
}

ObjectMap::ObjectMap(const kube::Map<unstructured::Value>& object, const Schema* schema)
    : object_(object), schema_(schema) {}

bool ObjectMap::is_object() const {
  return schema_ != nullptr && schema_->kind == SchemaKind::kObject && !schema_->properties.empty();
}

const Schema* ObjectMap::MemberSchema(absl::string_view name) const {
  if (schema_ == nullptr) return nullptr;
  if (schema_->kind == SchemaKind::kMap) return schema_->element.get();
  const auto found = schema_->properties.find(name);
  return found == schema_->properties.end() ? nullptr : found->second.get();
}

bool ObjectMap::IsDeclared(absl::string_view name) const {
  if (schema_ == nullptr) return true;
  return MemberSchema(name) != nullptr;
}

std::optional<Value> ObjectMap::Member(absl::string_view name) const {
  const unstructured::Value* value = object_.find(name);
  if (value == nullptr) return std::nullopt;
  if (schema_ == nullptr) return ToValue(*value);
  // A null member of an object counts as absent.
  if (value->is_null() && is_object()) return std::nullopt;
  const Schema* schema = MemberSchema(name);
  if (schema == nullptr) return std::nullopt;
  return ToValue(*value, *schema);
}

std::optional<Value> ObjectMap::Find(const Value& key) const {
  if (!key.is_string()) {
    if (schema_ == nullptr) return std::nullopt;
    return Value::Error("no such overload");
  }
  if (!is_object()) return Member(key.text());
  const std::optional<std::string> name = UnescapeIdentifier(key.text());
  if (!name.has_value()) return std::nullopt;
  return Member(*name);
}

std::vector<Value> ObjectMap::Keys() const {
  std::vector<Value> keys;
  keys.reserve(object_.size());
  for (const auto& entry : object_) {
    const absl::string_view name = entry.key.view();
    if (schema_ != nullptr && MemberSchema(name) == nullptr) continue;
    std::optional<std::string> identifier;
    if (is_object()) identifier = EscapeIdentifier(name);
    keys.push_back(identifier.has_value() && *identifier != name
                       ? Value::FromString(*std::move(identifier))
                       : Value::FromView(name));
  }
  return keys;
}

const TypePtr& PreservedValue::type() const {
  static base::NoDestructor<const TypePtr> type(OpaqueType("unknown"));
  return *type;
}

Value PreservedValue::Equals(const Value& other) const {
  return Value::FromBool(IsSame(json_, other));
}

std::string PreservedValue::ToString() const { return unstructured::FormatAsGo(json_); }

Value WithoutSchema(const Value& optional) {
  if (!optional.is_optional() || optional.optional() == nullptr) return optional;
  const Value& value = *optional.optional();
  if (value.is_error()) {
    return Value::Optional(Value::Error(
        absl::StrCat("unsupported conversion to ref.Val: (*errors.errorString)", value.error())));
  }
  if (value.is_list() && value.list().has_schema()) {
    const auto* list = dynamic_cast<const ObjectList*>(&value.list());
    if (list == nullptr) return optional;
    return Value::Optional(
        Value::FromList(std::make_shared<const ObjectList>(list->list(), nullptr)));
  }
  if (value.is_map() && value.map().has_schema()) {
    const auto* map = dynamic_cast<const ObjectMap*>(&value.map());
    if (map == nullptr) return optional;
    return Value::Optional(
        Value::FromMap(std::make_shared<const ObjectMap>(map->object(), nullptr)));
  }
  return optional;
}

}  // namespace kube::cel::internal

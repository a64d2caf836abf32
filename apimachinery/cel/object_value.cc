#include "apimachinery/cel/object_value.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/cel/format.h"
#include "apimachinery/cel/internal/time.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"

namespace kube::cel {
namespace {

using Json = unstructured::Value;

constexpr int kMaxDepth = 1'000;

// What a value takes at least: one character and a comma.
constexpr size_t kLeastBytes = 2;

absl::StatusOr<Json> Convert(const Value& value, int depth, JsonBudget& budget);

absl::StatusOr<Json> ConvertList(const ListValue& list, int depth, JsonBudget& budget) {
  List<Json> elements;
  for (size_t i = 0; i < list.size(); ++i) {
    KUBE_ASSIGN_OR_RETURN(Json element, Convert(list.At(i), depth, budget));
    elements.push_back(std::move(element));
  }
  return Json(std::move(elements));
}

absl::StatusOr<Json> ConvertMap(const MapValue& map, int depth, JsonBudget& budget) {
  Map<Json> members;
  for (const Value& key : map.Keys()) {
    if (!key.is_string()) {
      return absl::InvalidArgumentError(
          absl::StrCat("map key ", FormatValue(key), " is not a string"));
    }
    const std::optional<Value> member = map.Find(key);
    if (!member.has_value()) continue;
    KUBE_RETURN_IF_ERROR(budget.Take(key.text().size()));
    KUBE_ASSIGN_OR_RETURN(members[key.text()], Convert(*member, depth, budget));
  }
  return Json(std::move(members));
}

absl::StatusOr<Json> ConvertObject(const ObjectValue& object, int depth, JsonBudget& budget) {
  Map<Json> members;
  for (const auto& [name, field] : object.fields()) {
    KUBE_RETURN_IF_ERROR(budget.Take(name.size()));
    absl::StatusOr<Json> member = Convert(field, depth, budget);
    if (!member.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat("fail to convert field \"", name, "\": ", member.status().message()));
    }
    members[name] = *std::move(member);
  }
  return Json(std::move(members));
}

Json OfUnsigned(uint64_t value) {
  if (value > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) {
    return Json(static_cast<double>(value));
  }
  return Json(static_cast<int64_t>(value));
}

absl::StatusOr<Json> Convert(const Value& value, int depth, JsonBudget& budget) {
  if (depth > kMaxDepth) return absl::InvalidArgumentError("value is nested too deeply");
  KUBE_RETURN_IF_ERROR(budget.Take(kLeastBytes));
  switch (value.kind()) {
    case ValueKind::kNull:
      return Json();
    case ValueKind::kBool:
      return Json(value.boolean());
    case ValueKind::kInt:
      return Json(value.integer());
    case ValueKind::kUint:
      return OfUnsigned(value.unsigned_integer());
    case ValueKind::kDouble:
      return Json(value.number());
    case ValueKind::kString:
      KUBE_RETURN_IF_ERROR(budget.Take(value.text().size()));
      return Json(value.text());
    case ValueKind::kBytes:
      KUBE_RETURN_IF_ERROR(budget.Take(value.bytes().size()));
      return Json(absl::Base64Escape(value.bytes()));
    case ValueKind::kDuration:
      return Json(absl::StrCat(internal::FormatSeconds(value.duration()), "s"));
    case ValueKind::kTimestamp:
      return Json(internal::FormatTimestamp(value.timestamp()));
    case ValueKind::kList:
      return ConvertList(value.list(), depth + 1, budget);
    case ValueKind::kMap:
      return ConvertMap(value.map(), depth + 1, budget);
    case ValueKind::kError:
      return absl::InvalidArgumentError(value.error());
    case ValueKind::kOpaque:
      if (const ObjectValue* object = ObjectOf(value)) {
        return ConvertObject(*object, depth + 1, budget);
      }
      break;
    case ValueKind::kType:
    case ValueKind::kOptional:
      break;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("type conversion error from '", value.type()->name, "' to JSON"));
}

}  // namespace

Value ObjectValue::Equals(const Value& other) const {
  const ObjectValue* const object = ObjectOf(other);
  if (object == nullptr || object->type()->name != type_->name ||
      object->fields().size() != fields_.size()) {
    return Value::FromBool(false);
  }
  for (const auto& [name, field] : fields_) {
    const Value* const same = object->Find(name);
    if (same == nullptr || FormatValue(*same) != FormatValue(field)) return Value::FromBool(false);
  }
  return Value::FromBool(true);
}

std::string ObjectValue::ToString() const {
  std::string text = absl::StrCat(type_->name, "{");
  for (const auto& [name, field] : fields_) {
    absl::StrAppend(&text, text.back() == '{' ? "" : ", ", name, ": ", FormatValue(field));
  }
  return text + "}";
}

const Value* ObjectValue::Find(absl::string_view name) const {
  for (const auto& [field, value] : fields_) {
    if (field == name) return &value;
  }
  return nullptr;
}

const ObjectValue* ObjectOf(const Value& value) {
  if (value.kind() != ValueKind::kOpaque) return nullptr;
  return dynamic_cast<const ObjectValue*>(&value.opaque());
}

absl::Status JsonBudget::Take(size_t bytes) {
  if (bytes > left_) {
    return absl::InvalidArgumentError(
        absl::StrCat("value is greater than ", limit_, " bytes as JSON"));
  }
  left_ -= bytes;
  return absl::OkStatus();
}

absl::StatusOr<unstructured::Value> ToJson(const Value& value) {
  JsonBudget budget;
  return ToJson(value, budget);
}

absl::StatusOr<unstructured::Value> ToJson(const Value& value, JsonBudget& budget) {
  return Convert(value, /*depth=*/0, budget);
}

}  // namespace kube::cel

#include "apimachinery/cel/internal/objects/go_key.h"

#include <cstdint>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/cel/internal/objects/object_values.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/go_format.h"
#include "apimachinery/unstructured/value.h"

namespace kube::cel::internal {
namespace {

// Go compares up to three members as an array, and more as a text.
constexpr size_t kMaxArraySize = 3;

GoKey Unhashable(absl::string_view type, Budget& budget) {
  budget.Fail(absl::StrCat("internal error: runtime error: hash of unhashable type ", type));
  return std::nullopt;
}

std::string BoolKey(bool value) { return value ? "t" : "f"; }
std::string IntKey(int64_t value) { return absl::StrCat("i", value); }
std::string TextKey(absl::string_view text) { return absl::StrCat("s", text); }

std::string DoubleKey(double value) {
  // Zero has the same key with either sign.
  if (value == 0) value = 0;
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  return absl::StrCat("d", bits);
}

GoKey JsonKey(const unstructured::Value& json, Budget& budget) {
  switch (json.type()) {
    case unstructured::ValueType::kNull:
      return "nil";
    case unstructured::ValueType::kBool:
      return BoolKey(*json.boolean());
    case unstructured::ValueType::kInt:
      return IntKey(*json.integer());
    case unstructured::ValueType::kDouble:
      return DoubleKey(*json.number());
    case unstructured::ValueType::kString:
      return TextKey(*json.text());
    case unstructured::ValueType::kList:
    case unstructured::ValueType::kObject:
      break;
  }
  return Unhashable(unstructured::GoType(json), budget);
}

bool IsFromJson(const ListValue& list) {
  return list.has_schema() || dynamic_cast<const ObjectList*>(&list) != nullptr;
}

bool IsFromJson(const MapValue& map) {
  return map.has_schema() || dynamic_cast<const ObjectMap*>(&map) != nullptr;
}

}  // namespace

GoKey SetKey(const Value& element, Budget& budget) {
  switch (element.kind()) {
    case ValueKind::kNull:
      // Not Go's nil, but the null of protocol buffers.
      return "null";
    case ValueKind::kBool:
      return BoolKey(element.boolean());
    case ValueKind::kInt:
      return IntKey(element.integer());
    case ValueKind::kUint:
      return absl::StrCat("u", element.unsigned_integer());
    case ValueKind::kDouble:
      return DoubleKey(element.number());
    case ValueKind::kString:
      return TextKey(element.text());
    case ValueKind::kDuration:
      return absl::StrCat("h", element.duration());
    case ValueKind::kTimestamp:
      return absl::StrCat("w", element.timestamp().seconds, ".", element.timestamp().nanoseconds);
    case ValueKind::kBytes:
      return Unhashable("[]uint8", budget);
    case ValueKind::kList:
      return Unhashable(IsFromJson(element.list()) ? "[]interface {}" : "[]ref.Val", budget);
    case ValueKind::kMap:
      return Unhashable(
          IsFromJson(element.map()) ? "map[string]interface {}" : "map[ref.Val]ref.Val", budget);
    case ValueKind::kOpaque:
      if (const auto* value = dynamic_cast<const PreservedValue*>(&element.opaque())) {
        return JsonKey(value->json(), budget);
      }
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

GoKey StoredSetKey(const ListValue& list, size_t index, Budget& budget) {
  const auto* stored = dynamic_cast<const ObjectList*>(&list);
  if (stored != nullptr) return JsonKey(stored->list()[index], budget);
  return SetKey(list.At(index), budget);
}

GoKey ListMapKey(const Value& element, const std::vector<std::string>& keys, Budget& budget) {
  const auto* object = element.is_map() ? dynamic_cast<const ObjectMap*>(&element.map()) : nullptr;
  if (object == nullptr) return std::nullopt;
  kube::List<unstructured::Value> values = kube::List<unstructured::Value>::Empty();
  std::string text;
  for (const std::string& key : keys) {
    const unstructured::Value* found = object->object().find(key);
    const unstructured::Value value = found == nullptr ? unstructured::Value() : *found;
    if (keys.size() > kMaxArraySize) {
      values.push_back(value);
      continue;
    }
    const GoKey part = JsonKey(value, budget);
    if (!part.has_value()) return std::nullopt;
    absl::StrAppend(&text, part->size(), ":", *part);
  }
  if (keys.empty() || keys.size() > kMaxArraySize) {
    return unstructured::FormatAsGo(unstructured::Value(std::move(values)));
  }
  return text;
}

}  // namespace kube::cel::internal

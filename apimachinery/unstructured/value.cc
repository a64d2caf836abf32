#include "apimachinery/unstructured/value.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <ostream>
#include <utility>

#include "absl/strings/string_view.h"
#include "apimachinery/base/no_destructor.h"
#include "apimachinery/table/layout.h"
#include "apimachinery/table/message.h"
#include "apimachinery/table/print.h"
#include "apimachinery/table/walk.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"

namespace kube::unstructured {

using table::ValueTag;

Value::Value(const char* data, size_t size) {
  const auto rep =
      size == 0 ? table::StringRep::PresentEmpty() : table::StringRep::Copy(data, size);
  std::memcpy(bytes_, &rep, sizeof(rep));
}

Value::Value(List<Value> list) {
  if (list.is_null()) list.clear();
  SetTag(ValueTag::kList);
  *this->list() = std::move(list);  // the zero bits are a null list
}

Value::Value(Map<Value> object) {
  if (object.is_null()) object.clear();
  SetTag(ValueTag::kObject);
  *this->object() = std::move(object);
}

ValueType Value::type() const {
  switch (tag()) {
    case ValueTag::kNull:
      return ValueType::kNull;
    case ValueTag::kString:
      return ValueType::kString;
    case ValueTag::kBool:
      return ValueType::kBool;
    case ValueTag::kInt:
      return ValueType::kInt;
    case ValueTag::kDouble:
      return ValueType::kDouble;
    case ValueTag::kList:
      return ValueType::kList;
    case ValueTag::kObject:
      return ValueType::kObject;
  }
  return ValueType::kNull;
}

std::optional<bool> Value::boolean() const {
  if (!is_bool()) return std::nullopt;
  return bytes_[0] != 0;
}

std::optional<int64_t> Value::integer() const {
  if (!is_int()) return std::nullopt;
  return table::Load<int64_t>(bytes_);
}

std::optional<double> Value::number() const {
  if (is_int()) return static_cast<double>(table::Load<int64_t>(bytes_));
  if (!is_double()) return std::nullopt;
  return table::Load<double>(bytes_);
}

std::optional<absl::string_view> Value::text() const {
  if (!is_string()) return std::nullopt;
  return table::ViewAt(bytes_);
}

const Value& Value::Null() {
  static base::NoDestructor<Value> null;
  return *null;
}

std::ostream& operator<<(std::ostream& out, const Value& value) {
  return table::PrintValue(out, value.bytes_, table::TypeOf<Value>());
}

}  // namespace kube::unstructured

#ifndef APIMACHINERY_TABLE_WALK_H_
#define APIMACHINERY_TABLE_WALK_H_

// Basics of algorithms over field tables: reading the bits of a value, and the types of fields. For
// source files, not for public headers.

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "absl/strings/string_view.h"
#include "apimachinery/table/layout.h"
#include "apimachinery/table/message.h"

namespace kube::table {

// Return and set the bits at `at` as a T, whatever class is there.
template <typename T>
T Load(const char* at) {
  T value;
  std::memcpy(static_cast<void*>(&value), at, sizeof(value));
  return value;
}
template <typename T>
void Store(char* at, const T& value) {
  std::memcpy(at, static_cast<const void*>(&value), sizeof(value));
}

// Returns the bytes of the StringRep at `at`, which must stay there.
inline absl::string_view ViewAt(const char* at) {
  const auto* rep = reinterpret_cast<const StringRep*>(at);
  return {rep->data(), rep->size()};
}

inline constexpr Type kStringType = {Kind::kString, sizeof(StringRep), nullptr};
inline constexpr Type kValueType = {Kind::kValue, 16, nullptr};

// Returns the storage of a value of this kind.
constexpr Storage StorageOf(Kind kind) {
  switch (kind) {
    case Kind::kString:
    case Kind::kBytes:
    case Kind::kQuantity:
    case Kind::kRawExtension:
    case Kind::kFieldsV1:
    case Kind::kRawJson:
    case Kind::kIntOrString:
      return Storage::kString;
    case Kind::kStringList:
      return Storage::kList;
    case Kind::kMessage:
      return Storage::kMessage;
    case Kind::kValue:
      return Storage::kValue;
    case Kind::kBool:
    case Kind::kInt32:
    case Kind::kInt64:
    case Kind::kDouble:
    case Kind::kTime:
    case Kind::kMicroTime:
    case Kind::kDuration:
      break;
  }
  return Storage::kNone;
}

// Returns the size in bytes of a value of this kind, which must not be kMessage.
constexpr uint32_t SizeOf(Kind kind) {
  switch (kind) {
    case Kind::kBool:
      return 1;
    case Kind::kInt32:
      return 4;
    case Kind::kInt64:
    case Kind::kDouble:
    case Kind::kTime:
    case Kind::kDuration:
    case Kind::kStringList:
      return 8;
    case Kind::kIntOrString:
      return 24;
    default:
      return 16;
  }
}

// Returns the T of a field whose member is a List<T>, Map<T>, Box<T>, Opt<T> or T.
inline Type ValueType(const Message& message, const Field& field) {
  const Message* sub = message.sub(field);
  return {field.kind, sub != nullptr ? sub->size : SizeOf(field.kind), sub};
}

// Returns the same, except for a List<String> by value (Kind::kStringList): it is stored like a
// list, so its element type is String.
inline Type ElementType(const Message& message, const Field& field) {
  if (field.kind == Kind::kStringList && field.shape == Shape::kValue) return kStringType;
  return ValueType(message, field);
}

}  // namespace kube::table

#endif  // APIMACHINERY_TABLE_WALK_H_

#ifndef APIMACHINERY_TABLE_MESSAGE_H_
#define APIMACHINERY_TABLE_MESSAGE_H_

// Field tables: what the engine knows of a generated struct. protoc-gen-kube writes them, one
// `const Message` a struct as its static member kMessage; they are constant data. Every algorithm
// (JSON, protobuf, copy, equality, diff ...) is one function over them.
//
// A Message points to its fields and to the Messages of its sub-structs, so that a program links
// the tables of the kinds that it names and of what these contain, across libraries.

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "absl/strings/string_view.h"

namespace kube {

class String;
class Bytes;
class Quantity;
class RawExtension;
class FieldsV1;
class RawJson;
class Time;
class MicroTime;
class Duration;
class IntOrString;
template <typename T>
class List;

namespace unstructured {
class Value;
}  // namespace unstructured

}  // namespace kube

namespace kube::table {

// What a value is, whatever holds it.
enum class Kind : uint8_t {
  kString,
  kBytes,         // JSON: base64
  kQuantity,      // on the wire: a message with the text
  kRawExtension,  // any JSON; on the wire: a message with the bytes
  kFieldsV1,      // as kRawExtension
  kRawJson,       // as kRawExtension; apiextensions' JSON
  kBool,
  kInt32,
  kInt64,
  kDouble,
  kTime,
  kMicroTime,
  kDuration,
  kIntOrString,
  kStringList,  // List<String>; on the wire: a message with the items (Go's ExtraValue, Verbs)
  kMessage,
  kValue,  // any JSON, decoded; not on the wire
};

// What holds it.
enum class Shape : uint8_t {
  kValue,  // T
  kOpt,    // Opt<T>: the value, a byte of presence after it; Go: a pointer to a leaf
  kBox,    // Box<T>: Go: a pointer to a struct
  kList,   // List<T>
  kMap,    // Map<T>, keys are strings
};

// How copying, destroying and measuring look at the member: what memory it may own.
enum class Storage : uint8_t {
  kNone,     // plain bits
  kString,   // a StringRep at its start, plain bits after it
  kMessage,  // a struct by value
  kValue,    // see ValueTag
  kBox,
  kList,  // also List<String> by value
  kMap,
};

// Of a field.
enum FieldFlags : uint8_t {
  kOmitEmpty = 1,  // json:",omitempty": false, 0, "", null, lists and maps of no elements
  kOmitZero = 2,   // json:",omitzero": the zero value, where types may define it (Time, Quantity)
  kHasMerge = 4,   // merge rules follow its name: see MergeRules
  kNoJson = 8,     // json:"-": on the wire only
};

// Sixteen bytes without a pointer: costs nothing to load. An alignment that is said also keeps
// compilers from aligning tables more than that, which would be a tenth of them in gaps.
struct alignas(16) Field {
  uint16_t name;          // of its JSON name in Message::names
  uint8_t name_size;      // of its JSON name
  uint8_t flags;          // FieldFlags
  uint16_t offset;        // in the struct
  uint16_t element_size;  // of T; of a map's entry: with its key
  uint16_t number;        // protobuf's; 0: not on the wire
  Kind kind;
  Shape shape;
  uint16_t sub;  // of kMessage: in MessageWith::subs
  Storage storage;
  uint8_t reserved;

  // Where the presence byte of a kOpt is.
  size_t presence_offset() const { return size_t{offset} + element_size; }
};
static_assert(sizeof(Field) == 16);

// How a message looks in JSON.
enum class JsonForm : uint8_t {
  kObject,         // {"field": ...}
  kOrBool,         // JSONSchemaPropsOrBool {allows, schema}: the bool, or the schema
  kOrArray,        // JSONSchemaPropsOrArray {schema, jSONSchemas}: the schema, or the array
  kOrStringArray,  // JSONSchemaPropsOrStringArray {schema, property}: likewise of strings
  kOnlyField,      // Unstructured {object}: the value of its one field
};

// Of Message::wire(): the low bits are a position in it, where an inline struct's own entries are:
// its number, their count, and they.
constexpr uint16_t kWireInline = 0x8000;

// Of nearly all messages wire() is a part of this: 0, 1, 2 ...
struct WireInOrder {
  uint16_t entries[128];
};
constexpr WireInOrder MakeWireInOrder() {
  WireInOrder wire = {};
  for (uint16_t i = 0; i < 128; ++i) wire.entries[i] = i;
  return wire;
}
inline constexpr WireInOrder kWireInOrder = MakeWireInOrder();

// Of Message::wire_start: wire() is what follows the fields.
constexpr uint8_t kWireAfterFields = 255;

// Thirty-two bytes, of which two pointers: what can be found without one has none. Behind it are
// pointers to the Messages of its sub-structs: MessageWith.
struct alignas(8) Message {
  const Field* fields;  // in the order of JSON, as Go declares them
  const char* names;    // of a whole library; 16 bytes more than it needs are readable
  uint16_t size;        // of the struct
  uint16_t field_count;
  uint16_t wire_count;  // of the entries of the message itself, which come first
  uint16_t name;        // "Pod", in names
  uint8_t name_size;
  JsonForm json_form;
  uint8_t all_optional;  // 1: an apply configuration; what is there is written, also when empty
  uint8_t wire_start;    // first entry of kWireInOrder, or kWireAfterFields
  uint32_t reserved;

  absl::string_view type_name() const { return {names + name, name_size}; }
  absl::string_view field_name(const Field& field) const {
    return {names + field.name, field.name_size};
  }
  // Indices of fields, ascending by number; or kWireInline and a position.
  const uint16_t* wire() const {
    return wire_start == kWireAfterFields ? reinterpret_cast<const uint16_t*>(fields + field_count)
                                          : kWireInOrder.entries + wire_start;
  }
  // Of a field that is a kMessage.
  const Message& sub_message(const Field& field) const {
    return *reinterpret_cast<const Message* const*>(this + 1)[field.sub];
  }
  // Null of other fields.
  const Message* sub(const Field& field) const {
    return field.kind == Kind::kMessage ? &sub_message(field) : nullptr;
  }
};
static_assert(sizeof(Message) == 32);

// A message with sub-structs, each once. Whoever uses it takes it for a Message.
template <size_t n>
struct MessageWith : Message {
  const Message* subs[n];
};
template <>
struct MessageWith<0> : Message {};
static_assert(sizeof(MessageWith<1>) == sizeof(Message) + sizeof(const Message*));

// How lists and maps merge (strategic merge patch, server-side apply). In Message::names, after the
// name of a field with kHasMerge: one byte of strategy, and two texts, each with its size before
// it.
struct MergeRules {
  enum Strategy : uint8_t {
    kMerge = 1,       // patchStrategy: merge
    kRetainKeys = 2,  // patchStrategy: retainKeys
    kReplace = 4,     // patchStrategy: replace
    kListAtomic = 8,  // x-kubernetes-list-type, x-kubernetes-map-type, struct type: atomic
    kListSet = 16,    // x-kubernetes-list-type: set
    kListMap = 32,    // x-kubernetes-list-type: map
  };
  uint8_t strategy = 0;
  absl::string_view merge_key;      // patchMergeKey
  absl::string_view list_map_keys;  // x-kubernetes-list-map-keys, joined by ","
};
MergeRules MergeRulesOf(const Message& message, const Field& field);

// A type at run time: what List<T>, Map<T> and Box<T> pass to functions that are not templates.
struct Type {
  Kind kind;
  uint32_t size;
  const Message* message;  // of kMessage
};

template <typename T>
constexpr Type TypeOf() {
  if constexpr (std::is_same_v<T, String>) {
    return {Kind::kString, 16, nullptr};
  } else if constexpr (std::is_same_v<T, Bytes>) {
    return {Kind::kBytes, 16, nullptr};
  } else if constexpr (std::is_same_v<T, Quantity>) {
    return {Kind::kQuantity, 16, nullptr};
  } else if constexpr (std::is_same_v<T, RawExtension>) {
    return {Kind::kRawExtension, 16, nullptr};
  } else if constexpr (std::is_same_v<T, FieldsV1>) {
    return {Kind::kFieldsV1, 16, nullptr};
  } else if constexpr (std::is_same_v<T, RawJson>) {
    return {Kind::kRawJson, 16, nullptr};
  } else if constexpr (std::is_same_v<T, bool>) {
    return {Kind::kBool, 1, nullptr};
  } else if constexpr (std::is_same_v<T, int32_t>) {
    return {Kind::kInt32, 4, nullptr};
  } else if constexpr (std::is_same_v<T, int64_t>) {
    return {Kind::kInt64, 8, nullptr};
  } else if constexpr (std::is_same_v<T, double>) {
    return {Kind::kDouble, 8, nullptr};
  } else if constexpr (std::is_same_v<T, Time>) {
    return {Kind::kTime, 8, nullptr};
  } else if constexpr (std::is_same_v<T, MicroTime>) {
    return {Kind::kMicroTime, 16, nullptr};
  } else if constexpr (std::is_same_v<T, Duration>) {
    return {Kind::kDuration, 8, nullptr};
  } else if constexpr (std::is_same_v<T, IntOrString>) {
    return {Kind::kIntOrString, 24, nullptr};
  } else if constexpr (std::is_same_v<T, List<String>>) {
    return {Kind::kStringList, 8, nullptr};
  } else if constexpr (std::is_same_v<T, unstructured::Value>) {
    return {Kind::kValue, 16, nullptr};
  } else {
    static_assert(std::is_base_of_v<Message, std::remove_cv_t<decltype(T::kMessage)>>,
                  "not a value of an API object: see apimachinery/types");
    return {Kind::kMessage, sizeof(T), &T::kMessage};
  }
}

}  // namespace kube::table

#endif  // APIMACHINERY_TABLE_MESSAGE_H_

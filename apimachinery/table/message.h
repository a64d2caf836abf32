#ifndef APIMACHINERY_TABLE_MESSAGE_H_
#define APIMACHINERY_TABLE_MESSAGE_H_

// Field tables describe generated structs at run time. protoc-gen-kube writes them as constant
// data, one Message per struct, its static member kMessage. Every algorithm (JSON, protobuf, copy,
// equality, diff ...) is one function over them.
//
// A Message points to its fields and to the Messages of its sub-structs. A program therefore links
// the tables of the kinds that it uses and of what these contain, across libraries.

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

// The type of a value, whatever holds it.
enum class Kind : uint8_t {
  kString,
  kBytes,         // JSON: base64
  kQuantity,      // protobuf: a message with the text
  kRawExtension,  // any JSON; protobuf: a message with the bytes
  kFieldsV1,      // like kRawExtension
  kRawJson,       // like kRawExtension; apiextensions' JSON
  kBool,
  kInt32,
  kInt64,
  kDouble,
  kTime,
  kMicroTime,
  kDuration,
  kIntOrString,
  kStringList,  // List<String>; protobuf: a message with the items (Go's ExtraValue, Verbs)
  kMessage,
  kValue,  // any JSON, decoded; not in protobuf
};

// The type of the member that holds the value.
enum class Shape : uint8_t {
  kValue,  // T
  kOpt,    // Opt<T>: the value, then a byte for presence; Go: a pointer to a leaf
  kBox,    // Box<T>: Go: a pointer to a struct
  kList,   // List<T>
  kMap,    // Map<T>; the keys are strings
};

// The storage class of a member, by which copying, destroying and measuring find its memory.
enum class Storage : uint8_t {
  kNone,     // plain bits, no memory
  kString,   // begins with a StringRep, then plain bits
  kMessage,  // a struct by value
  kValue,    // see ValueTag
  kBox,
  kList,  // also List<String> by value
  kMap,
};

// Flags of a field.
enum FieldFlags : uint8_t {
  kOmitEmpty = 1,  // json:",omitempty": omit false, 0, "", null, and empty lists and maps
  kOmitZero = 2,   // json:",omitzero": omit the zero value, which types may define (Time, Quantity)
  kHasMerge = 4,   // merge rules follow the name: see MergeRules
  kNoJson = 8,     // json:"-": only in protobuf
  // A map of values of any JSON, the last field of its message: the members of the JSON object that
  // no other field has. Always together with kNoJson, as its own name is not in JSON.
  kUnknownFields = 16,
};

// A field of a message, in sixteen bytes without a pointer, so that the loader has nothing to
// relocate. The explicit alignment keeps compilers from aligning tables more strictly, which would
// make a tenth of them padding.
struct alignas(16) Field {
  uint16_t name;          // position of the JSON name in Message::names
  uint8_t name_size;      // size of the JSON name
  uint8_t flags;          // FieldFlags
  uint16_t offset;        // of the member in the struct
  uint16_t element_size;  // size of T; for a map, of an entry with its key
  uint16_t number;        // field number in protobuf; 0: not in protobuf
  Kind kind;
  Shape shape;
  uint16_t sub;  // for kMessage: index in MessageWith::subs
  Storage storage;
  uint8_t reserved;

  // Returns the offset of the presence byte of a kOpt.
  size_t presence_offset() const { return size_t{offset} + element_size; }
};
static_assert(sizeof(Field) == 16);

// The form of a message in JSON.
enum class JsonForm : uint8_t {
  kObject,         // {"field": ...}
  kOrBool,         // JSONSchemaPropsOrBool {allows, schema}: the bool or the schema
  kOrArray,        // JSONSchemaPropsOrArray {schema, jSONSchemas}: the schema or the array
  kOrStringArray,  // JSONSchemaPropsOrStringArray {schema, property}: the schema, or strings
  kOnlyField,      // Unstructured {object}: the value of its one field
};

// A flag of entries of Message::wire(). The low bits are then the position in wire() of an inline
// struct's entries: its field number, the number of its entries, and these.
constexpr uint16_t kWireInline = 0x8000;

// The numbers 0, 1, 2 ..., of which wire() is a part for nearly all messages.
struct WireInOrder {
  uint16_t entries[128];
};
constexpr WireInOrder MakeWireInOrder() {
  WireInOrder wire = {};
  for (uint16_t i = 0; i < 128; ++i) wire.entries[i] = i;
  return wire;
}
inline constexpr WireInOrder kWireInOrder = MakeWireInOrder();

// The value of Message::wire_start if wire() follows the fields.
constexpr uint8_t kWireAfterFields = 255;

// A generated struct, in thirty-two bytes with two pointers; pointers that can be computed are not
// stored. Pointers to the Messages of the sub-structs follow it: see MessageWith.
struct alignas(8) Message {
  const Field* fields;  // in the order of JSON, which is that of Go's declaration
  const char* names;    // of a whole library; 16 bytes after the last name are readable
  uint16_t size;        // of the struct, in bytes
  uint16_t field_count;
  uint16_t wire_count;  // entries of the message itself, which come first
  uint16_t name;        // position of the type name, such as "Pod", in `names`
  uint8_t name_size;
  JsonForm json_form;
  uint8_t all_optional;  // 1 for an apply configuration: a present field is written even if empty
  uint8_t wire_start;    // first entry of kWireInOrder, or kWireAfterFields
  uint8_t is_atomic;     // 1 if a manager owns the struct as a whole; Go: +structType=atomic
  uint8_t reserved[3];

  absl::string_view type_name() const { return {names + name, name_size}; }
  absl::string_view field_name(const Field& field) const {
    return {names + field.name, field.name_size};
  }
  // Returns the field that holds the members of the JSON object that no other field has, or null if
  // these are dropped.
  const Field* unknown_fields() const {
    if (field_count == 0) return nullptr;
    const Field& last = fields[field_count - 1];
    return (last.flags & kUnknownFields) != 0 ? &last : nullptr;
  }
  // Returns indices of fields in ascending order of their numbers; or kWireInline and a position.
  const uint16_t* wire() const {
    return wire_start == kWireAfterFields ? reinterpret_cast<const uint16_t*>(fields + field_count)
                                          : kWireInOrder.entries + wire_start;
  }
  // Returns the Message of a field whose kind is kMessage.
  const Message& sub_message(const Field& field) const {
    return *reinterpret_cast<const Message* const*>(this + 1)[field.sub];
  }
  // Returns the Message of a field, or null if its kind is not kMessage.
  const Message* sub(const Field& field) const {
    return field.kind == Kind::kMessage ? &sub_message(field) : nullptr;
  }
};
static_assert(sizeof(Message) == 32);

// A Message with its sub-structs, each listed once. It is only ever used as a Message.
template <size_t n>
struct MessageWith : Message {
  const Message* subs[n];
};
template <>
struct MessageWith<0> : Message {};
static_assert(sizeof(MessageWith<1>) == sizeof(Message) + sizeof(const Message*));

// The rules for merging lists and maps in strategic merge patch and server-side apply. They are
// stored in Message::names after the name of a field with kHasMerge: one byte of strategy, then two
// texts, each preceded by its size, and for a kListMap a third.
struct MergeRules {
  enum Strategy : uint8_t {
    kMerge = 1,         // patchStrategy: merge
    kRetainKeys = 2,    // patchStrategy: retainKeys
    kReplace = 4,       // patchStrategy: replace
    kListAtomic = 8,    // x-kubernetes-list-type, x-kubernetes-map-type: atomic
    kListSet = 16,      // x-kubernetes-list-type: set
    kListMap = 32,      // x-kubernetes-list-type: map
    kMapGranular = 64,  // x-kubernetes-map-type: granular; overrides is_atomic of the struct
  };
  uint8_t strategy = 0;
  absl::string_view merge_key;      // patchMergeKey
  absl::string_view list_map_keys;  // x-kubernetes-list-map-keys, joined by ","
  // The default of each of these keys as JSON, joined by ",": `0,"TCP"`. A key without a default
  // has an empty text; if no key has one, all of it is empty.
  absl::string_view list_map_defaults;
};
MergeRules MergeRulesOf(const Message& message, const Field& field);

// A type at run time, which List<T>, Map<T> and Box<T> pass to functions that are not templates.
struct Type {
  Kind kind;
  uint32_t size;
  const Message* message;  // for kMessage, otherwise null
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

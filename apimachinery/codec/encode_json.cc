#include "apimachinery/codec/encode_json.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/text/base64.h"
#include "apimachinery/base/text/duration_text.h"
#include "apimachinery/base/text/go_text.h"
#include "apimachinery/base/text/time_text.h"
#include "apimachinery/codec/internal/leaf.h"
#include "apimachinery/codec/internal/output_buffer.h"
#include "apimachinery/codec/json/json_text.h"
#include "apimachinery/table/layout.h"
#include "apimachinery/table/message.h"
#include "apimachinery/table/ops.h"
#include "apimachinery/table/walk.h"

namespace kube::codec::internal {
namespace {

using kube::table::EntrySize;
using kube::table::JsonForm;
using kube::table::kValueType;
using kube::table::ValueTag;

// Writes one object in a single pass over its field table. Each function takes the position to
// write at and returns the position after what it wrote, or null after an error; so the position
// stays in a register and is not stored for each character.
//
// Who reserves space: the writer of a member or element reserves space for its name, for a scalar
// and for punctuation. Strings, structs and lists reserve their own space. Every member and element
// is followed by a comma; Close replaces the last comma by the closing bracket.
//
// After an error, each function on the way back prepends its step to `path_`.
class JsonEncoder {
 public:
  // Appends the JSON to `out`, or leaves it unchanged and returns an error.
  absl::Status Run(std::string& out, const char* value, Type type,
                   const EncodeJsonOptions& options) {
    const char* end = WriteValue(buffer_.begin(), value, type.kind, type.message);
    if (end == nullptr) return Error(type);
    if (options.indent.empty()) {
      const absl::string_view json = buffer_.Written(end);
      out.append(json.data(), json.size());
    } else {
      out += IndentJson(buffer_.Written(end), options.indent);
    }
    if (options.final_newline) out += '\n';
    return absl::OkStatus();
  }

  static bool IsLeftOut(const char* member, const Message& message, const Field& field) {
    if ((field.flags & kOmit) == 0 && message.all_optional == 0) return false;
    if ((field.flags & kube::table::kNoJson) != 0) return true;
    switch (field.shape) {
      case Shape::kValue:
        return IsValueLeftOut(member, message, field);
      case Shape::kOpt:
        return IsOptLeftOut(member, message, field);
      case Shape::kBox:
        return Load<uint64_t>(member) == 0;
      case Shape::kList:
      case Shape::kMap: {
        const ListBlock* block = AsBlock(member);
        if (block == nullptr) return true;
        return block->size == 0 && message.all_optional == 0 &&
               (field.flags & kube::table::kOmitEmpty) != 0;
      }
    }
    return false;
  }

 private:
  // Space for the longest scalar, a time, with its quotes and a comma.
  static constexpr size_t kScalarRoom = 64;
  static constexpr size_t kNameRoom = 256 + 32;

  // A member that has none of these flags is always written.
  static constexpr uint8_t kOmit =
      kube::table::kOmitEmpty | kube::table::kOmitZero | kube::table::kNoJson;

  absl::Status Error(Type type) const {
    absl::string_view path = path_;
    if (!path.empty() && path[0] == '.') path.remove_prefix(1);
    if (path.empty()) path = type.message == nullptr ? "value" : type.message->type_name();
    return absl::InvalidArgumentError(absl::StrCat("encode ", path, ": ", error_));
  }

  char* Fail(absl::string_view error) {
    error_ = std::string(error.data(), error.size());
    return nullptr;
  }

  // Prepends a step to the path of the error.
  char* FailIn(absl::string_view step) {
    path_.insert(0, step.data(), step.size());
    return nullptr;
  }

  // Functions that build strings are separate and not inlined. This keeps the stack frames of the
  // recursive functions small, as JSON may be nested ten thousand deep.
  [[gnu::cold, gnu::noinline]] char* FailInElement(uint32_t i) {
    return FailIn(absl::StrCat("[", i, "]"));
  }
  [[gnu::cold, gnu::noinline]] char* FailInEntry(const char* entry) {
    return FailIn(absl::StrCat("[", TextOf(entry), "]"));
  }
  [[gnu::cold, gnu::noinline]] char* FailInField(absl::string_view name) {
    return FailIn(absl::StrCat(".", name));
  }

  static char* Copy(char* out, absl::string_view text) {
    std::memcpy(out, text.data(), text.size());
    return out + text.size();
  }

  static char* WriteNull(char* out) { return Copy(out, "null"); }

  // Names are plain ASCII, and the 16 bytes after each may be read. Most names are shorter than 16
  // bytes.
  static char* WriteName(char* out, const char* name, size_t size) {
    *out++ = '"';
    size_t copied = 0;
    do {
      std::memcpy(out + copied, name + copied, 16);
      copied += 16;
    } while (__builtin_expect(copied < size, 0));
    out += size;
    *out++ = '"';
    *out++ = ':';
    return out;
  }

  char* WriteMessage(char* out, const char* value, const Message& message) {
    if (__builtin_expect(message.json_form != JsonForm::kObject, 0)) {
      return WriteForm(out, value, message);
    }
    out = buffer_.Reserve(out, 2);
    *out++ = '{';
    for (const Field *field = message.fields, *end = field + message.field_count; field != end;
         ++field) {
      const char* member = value + field->offset;
      if (IsLeftOut(member, message, *field)) continue;
      out = buffer_.Reserve(out, kNameRoom + kScalarRoom);
      out = WriteName(out, message.names + field->name, field->name_size);
      out = WriteMember(out, member, message, *field);
      if (__builtin_expect(out == nullptr, 0)) {
        return FailInField(message.field_name(*field));
      }
      *out++ = ',';
    }
    if (const Field* unknown = message.unknown_fields(); unknown != nullptr) [[unlikely]] {
      out = WriteUnknownFields(out, AsBlock(value + unknown->offset), *unknown);
      if (out == nullptr) return nullptr;
    }
    return Close(out, '{', '}');
  }

  // Writes the members of the JSON object that no other field has.
  [[gnu::noinline]] char* WriteUnknownFields(char* out, const ListBlock* block,
                                             const Field& field) {
    return block == nullptr ? out
                            : WriteEntries(out, block, field.kind, field.element_size, nullptr);
  }

  // Replaces the comma after the last member or element by the closing bracket.
  static char* Close(char* out, char open, char close) {
    if (out[-1] == open) {
      *out++ = close;
    } else {
      out[-1] = close;
    }
    return out;
  }

  static bool IsValueLeftOut(const char* member, const Message& message, const Field& field) {
    if ((field.flags & kube::table::kOmitZero) != 0 &&
        IsZero(member, field.kind, message.sub(field))) {
      return true;
    }
    if (message.all_optional != 0 && field.kind == Kind::kBytes) {
      return AsString(member).is_zero();
    }
    if (message.all_optional != 0 && field.kind == Kind::kStringList) {
      return AsBlock(member) == nullptr;
    }
    return (field.flags & kube::table::kOmitEmpty) != 0 && IsEmpty(member, field.kind);
  }

  // omitzero calls IsZero of a type that has it, also through a pointer that is not null.
  static bool IsOptLeftOut(const char* member, const Message& message, const Field& field) {
    if (member[field.element_size] == 0) return true;
    const bool has_is_zero = field.kind == Kind::kTime || field.kind == Kind::kMicroTime ||
                             field.kind == Kind::kQuantity;
    return (field.flags & kube::table::kOmitZero) != 0 && has_is_zero &&
           IsZero(member, field.kind, message.sub(field));
  }

  char* WriteMember(char* out, const char* member, const Message& message, const Field& field) {
    switch (field.shape) {
      case Shape::kValue:
        return WriteValue(out, member, field.kind, message.sub(field));
      case Shape::kOpt:
        if (member[field.element_size] == 0) return WriteNull(out);
        return WriteValue(out, member, field.kind, message.sub(field));
      case Shape::kBox: {
        const char* value = AsBox(member);
        if (value == nullptr) return WriteNull(out);
        return WriteValue(out, value, field.kind, message.sub(field));
      }
      case Shape::kList:
        return WriteList(out, AsBlock(member), field.kind, field.element_size, message.sub(field));
      case Shape::kMap:
        return WriteMap(out, AsBlock(member), field.kind, field.element_size, message.sub(field));
    }
    return Fail("unknown shape");
  }

  char* WriteList(char* out, const ListBlock* block, Kind kind, size_t element_size,
                  const Message* sub) {
    out = buffer_.Reserve(out, kScalarRoom);
    if (block == nullptr) return WriteNull(out);
    *out++ = '[';
    const char* element = block->elements();
    for (uint32_t i = 0; i < block->size; ++i, element += element_size) {
      out = buffer_.Reserve(out, kScalarRoom);
      out = WriteValue(out, element, kind, sub);
      if (__builtin_expect(out == nullptr, 0)) return FailInElement(i);
      *out++ = ',';
    }
    return Close(buffer_.Reserve(out, kScalarRoom), '[', ']');
  }

  char* WriteMap(char* out, const ListBlock* block, Kind kind, size_t entry_size,
                 const Message* sub) {
    if (block == nullptr) return WriteNull(out);
    *out++ = '{';
    out = WriteEntries(out, block, kind, entry_size, sub);
    if (__builtin_expect(out == nullptr, 0)) return nullptr;
    return Close(buffer_.Reserve(out, kScalarRoom), '{', '}');
  }

  char* WriteEntries(char* out, const ListBlock* block, Kind kind, size_t entry_size,
                     const Message* sub) {
    const char* entry = block->elements();
    for (uint32_t i = 0; i < block->size; ++i, entry += entry_size) {
      out = WriteJsonString(buffer_, out, AsString(entry));
      out = buffer_.Reserve(out, kScalarRoom);
      *out++ = ':';
      out = WriteValue(out, entry + kEntryValue, kind, sub);
      if (__builtin_expect(out == nullptr, 0)) return FailInEntry(entry);
      *out++ = ',';
    }
    return out;
  }

  // Leaves space for a comma or a closing bracket after the value.
  char* WriteValue(char* out, const char* value, Kind kind, const Message* sub) {
    switch (kind) {
      case Kind::kString:
        return buffer_.Reserve(WriteJsonString(buffer_, out, AsString(value)), kScalarRoom);
      case Kind::kBool:
        return *value != 0 ? Copy(out, "true") : Copy(out, "false");
      case Kind::kInt32:
        return std::to_chars(out, out + kScalarRoom, Load<int32_t>(value)).ptr;
      case Kind::kInt64:
        return std::to_chars(out, out + kScalarRoom, Load<int64_t>(value)).ptr;
      case Kind::kMessage:
        out = WriteMessage(out, value, *sub);
        return out == nullptr ? nullptr : buffer_.Reserve(out, kScalarRoom);
      case Kind::kTime:
        return WriteTime(out, Load<int64_t>(value));
      case Kind::kMicroTime:
        return WriteMicroTime(out, Load<MicroTimeBits>(value));
      case Kind::kQuantity:
        return WriteQuantity(out, TextOf(value));
      case Kind::kIntOrString:
        return WriteIntOrString(out, AsIntOrString(value));
      case Kind::kBytes:
        return WriteBytes(out, AsString(value));
      case Kind::kRawExtension:
      case Kind::kFieldsV1:
      case Kind::kRawJson:
        return WriteRaw(out, AsString(value), kind);
      case Kind::kDouble:
        return WriteDouble(out, Load<double>(value));
      case Kind::kDuration:
        return WriteDuration(out, Load<int64_t>(value));
      case Kind::kStringList:
        return WriteList(out, AsBlock(value), Kind::kString, sizeof(StringRep), nullptr);
      case Kind::kValue:
        return WriteJsonValue(out, value);
    }
    return Fail("unknown kind");
  }

  char* WriteJsonValue(char* out, const char* value) {
    switch (kube::table::ValueTagOf(value)) {
      case ValueTag::kNull:
        return WriteNull(out);
      case ValueTag::kString:
        return WriteValue(out, value, Kind::kString, nullptr);
      case ValueTag::kBool:
        return WriteValue(out, value, Kind::kBool, nullptr);
      case ValueTag::kInt:
        return WriteValue(out, value, Kind::kInt64, nullptr);
      case ValueTag::kDouble:
        return WriteDouble(out, Load<double>(value));
      case ValueTag::kList:
        if (AsBlock(value) == nullptr) return Copy(out, "[]");
        return WriteList(out, AsBlock(value), Kind::kValue, kValueType.size, nullptr);
      case ValueTag::kObject:
        if (AsBlock(value) == nullptr) return Copy(out, "{}");
        return WriteMap(out, AsBlock(value), Kind::kValue, EntrySize(kValueType), nullptr);
    }
    return Fail("unknown type");
  }

  static char* WriteTime(char* out, int64_t seconds) {
    if (seconds == 0) return WriteNull(out);
    *out++ = '"';
    out = kube::text::WriteRfc3339(seconds, out);
    *out++ = '"';
    return out;
  }

  static char* WriteMicroTime(char* out, const MicroTimeBits& time) {
    if (time.seconds == 0 && time.micros == 0) return WriteNull(out);
    *out++ = '"';
    out = kube::text::WriteRfc3339Micro({.seconds = time.seconds, .micros = time.micros}, out);
    *out++ = '"';
    return out;
  }

  [[gnu::noinline]] static char* WriteDuration(char* out, int64_t nanoseconds) {
    *out++ = '"';
    out = Copy(out, kube::text::FormatGoDuration(nanoseconds));
    *out++ = '"';
    return out;
  }

  // A canonical quantity needs no escapes.
  [[gnu::noinline]] char* WriteQuantity(char* out, absl::string_view text) {
    std::string scratch;
    absl::string_view canonical;
    if (!CanonicalQuantity(text, scratch, canonical)) {
      return Fail(absl::StrCat("\"", text, "\" is not a quantity"));
    }
    out = buffer_.Reserve(out, canonical.size() + kScalarRoom);
    *out++ = '"';
    out = Copy(out, canonical);
    *out++ = '"';
    return out;
  }

  [[gnu::noinline]] char* WriteIntOrString(char* out, const IntOrStringBits& bits) {
    switch (bits.type) {
      case IntOrStringBits::kInt:
        return std::to_chars(out, out + kScalarRoom, bits.number).ptr;
      case IntOrStringBits::kString:
        return buffer_.Reserve(WriteJsonString(buffer_, out, bits.text), kScalarRoom);
      default:
        return Fail(absl::StrCat("expected an int or a string, got type ", bits.type));
    }
  }

  [[gnu::noinline]] char* WriteBytes(char* out, const StringRep& bytes) {
    if (bytes.is_zero()) return WriteNull(out);
    const size_t size = kube::text::Base64EncodedSize(bytes.size());
    out = buffer_.Reserve(out, size + kScalarRoom);
    *out++ = '"';
    out = kube::text::EncodeBase64(TextOf(bytes), out);
    *out++ = '"';
    return out;
  }

  // Writes null bytes as null. Empty bytes are null too, except in a RawExtension: Go fails there
  // because its MarshalJSON returns no JSON.
  [[gnu::noinline]] char* WriteRaw(char* out, const StringRep& raw, Kind kind) {
    if (raw.is_zero() || (raw.size() == 0 && kind != Kind::kRawExtension)) return WriteNull(out);
    out = WriteCompactJson(buffer_, out, TextOf(raw));
    if (out == nullptr) return Fail("invalid JSON");
    return buffer_.Reserve(out, kScalarRoom);
  }

  [[gnu::noinline]] char* WriteDouble(char* out, double value) {
    if (!std::isfinite(value)) return Fail("unsupported value: infinity or NaN");
    return Copy(out, text::FormatJson(value));
  }

  // Writes a struct whose JSON is not an object with its fields, but the value of one of them.
  char* WriteForm(char* out, const char* value, const Message& message) {
    const Field& first = message.fields[0];
    if (message.json_form == JsonForm::kOnlyField) {
      return WriteMember(out, value + first.offset, message, first);
    }
    const Field& second = message.fields[1];
    // With kOrBool the fields are a bool and a schema, and the schema is written if there is one.
    // Otherwise they are a schema and a list, and the list is written if it is not empty.
    const bool or_bool = message.json_form == JsonForm::kOrBool;
    const Field& schema = or_bool ? second : first;
    if (!or_bool && SizeOf(AsBlock(value + second.offset)) != 0) {
      return WriteMember(out, value + second.offset, message, second);
    }
    if (or_bool && AsBox(value + schema.offset) == nullptr) {
      return WriteMember(out, value + first.offset, message, first);
    }
    return WriteMember(out, value + schema.offset, message, schema);
  }

  OutputBuffer buffer_;
  // Path and cause of an error.
  std::string path_;
  std::string error_;
};

}  // namespace
}  // namespace kube::codec::internal

namespace kube::codec {

absl::Status AppendJsonValue(std::string& out, const void* value, kube::table::Type type) {
  return internal::JsonEncoder().Run(out, static_cast<const char*>(value), type, {});
}

bool IsWrittenToJson(const void* member, const kube::table::Message& message,
                     const kube::table::Field& field) {
  return !internal::JsonEncoder::IsLeftOut(static_cast<const char*>(member), message, field);
}

absl::Status AppendJson(std::string& out, const void* value, const kube::table::Message& message,
                        const EncodeJsonOptions& options) {
  return internal::JsonEncoder().Run(out, static_cast<const char*>(value),
                                     {kube::table::Kind::kMessage, message.size, &message},
                                     options);
}

}  // namespace kube::codec

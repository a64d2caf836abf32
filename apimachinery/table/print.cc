#include "apimachinery/table/print.h"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/text/duration_text.h"
#include "apimachinery/base/text/time_text.h"
#include "apimachinery/table/layout.h"
#include "apimachinery/table/message.h"
#include "apimachinery/table/ops.h"
#include "apimachinery/table/walk.h"

namespace kube::table {
namespace {

bool AllZero(const char* bytes, size_t size) {
  for (size_t i = 0; i < size; ++i) {
    if (bytes[i] != 0) return false;
  }
  return true;
}

bool IsZero(const char* at, const Message& message, const table::Field& field) {
  if (field.shape == Shape::kOpt) return at[field.element_size] == 0;
  if (field.shape != Shape::kValue) return AllZero(at, sizeof(void*));
  const Type type = ValueType(message, field);
  if (type.kind != Kind::kMessage) return AllZero(at, type.size);
  // Member by member, because the padding between them may have any bits.
  for (size_t i = 0; i < type.message->field_count; ++i) {
    const table::Field& member = type.message->fields[i];
    if (!IsZero(at + member.offset, *type.message, member)) return false;
  }
  return true;
}

// The offset of the type in an IntOrString, 1 for a text; the number is before it.
constexpr size_t kIntOrStringType = sizeof(StringRep) + sizeof(int32_t);

// Fields that contain credentials in some API: Secret's stringData, tokens, and those of
// kubeconfigs.
bool IsCredential(absl::string_view name) {
  for (const absl::string_view each : {"stringData", "token", "password", "bearerToken"}) {
    if (name == each) return true;
  }
  return false;
}

// Returns the block of a list or an object of JSON.
const ListBlock* BlockAt(const char* value) {
  const auto* block = Load<const ListBlock*>(value);
  return block != nullptr ? block : EmptyListBlock();
}

// Returns whether the JSON object is a Secret, whose data is text in JSON.
bool IsSecret(const ListBlock* block) {
  const char* kind = FindInMap(block, kValueType, "kind");
  return kind != nullptr && ValueTagOf(kind) == ValueTag::kString && ViewAt(kind) == "Secret";
}

// An annotation with the whole object, which may be a Secret.
constexpr absl::string_view kLastApplied = "kubectl.kubernetes.io/last-applied-configuration";

// Collects text up to the limit; after it, it skips elements, entries and fields.
class Printer {
 public:
  void Fields(const char* value, const Message& message);
  void Value(const char* value, Type type);
  void List(const ListBlock* block, Type type);
  void Map(const ListBlock* block, Type type);
  void Entry(const char* entry, Type type);

  std::ostream& WriteTo(std::ostream& out) const {
    if (text_.size() <= kMaxPrintedBytes) return out << text_;
    size_t end = kMaxPrintedBytes;
    // Not in the middle of a character.
    while ((static_cast<uint8_t>(text_[end]) & 0xC0) == 0x80) --end;
    return out.write(text_.data(), static_cast<std::streamsize>(end)) << "…";
  }

 private:
  bool full() const { return text_.size() > kMaxPrintedBytes; }
  void JsonValue(const char* value);
  void Field(const char* at, const Message& message, const table::Field& field);
  void Quoted(absl::string_view text) { absl::StrAppend(&text_, "\"", Escaped(text), "\""); }
  static std::string Escaped(absl::string_view text) {
    return absl::Utf8SafeCEscape(text.substr(0, kMaxPrintedBytes + 1));
  }
  void Double(double value);
  void Time(const char* value, Kind kind);

  std::string text_;
  // Only the size of texts is printed.
  bool hidden_ = false;
};

void Printer::Double(double value) {
  char text[32];
  const std::to_chars_result result = std::to_chars(text, text + sizeof(text), value);
  text_.append(text, result.ptr);
}

void Printer::Time(const char* value, Kind kind) {
  char text[text::kMaxRfc3339Size];
  const int64_t seconds = Load<int64_t>(value);
  const char* end =
      kind == Kind::kTime
          ? text::WriteRfc3339(seconds, text)
          : text::WriteRfc3339Micro(
                {.seconds = seconds, .micros = Load<int32_t>(value + sizeof(seconds))}, text);
  text_.append(static_cast<const char*>(text), end);
}

void Printer::Value(const char* value, Type type) {
  switch (type.kind) {
    case Kind::kString:
      if (hidden_) return absl::StrAppend(&text_, "<", ViewAt(value).size(), " bytes>");
      return Quoted(ViewAt(value));
    case Kind::kQuantity:
      return text_.append(Escaped(ViewAt(value))), void();
    case Kind::kBytes:
    case Kind::kRawExtension:
    case Kind::kFieldsV1:
    case Kind::kRawJson:
      return absl::StrAppend(&text_, "<", ViewAt(value).size(), " bytes>");
    case Kind::kBool:
      return text_.append(*value != 0 ? "true" : "false"), void();
    case Kind::kInt32:
      return absl::StrAppend(&text_, Load<int32_t>(value));
    case Kind::kInt64:
      return absl::StrAppend(&text_, Load<int64_t>(value));
    case Kind::kTime:
    case Kind::kMicroTime:
      return Time(value, type.kind);
    case Kind::kDuration:
      return text_.append(text::FormatGoDuration(Load<int64_t>(value))), void();
    case Kind::kDouble:
      return Double(Load<double>(value));
    case Kind::kIntOrString:
      if (Load<int32_t>(value + kIntOrStringType) == 1) return Quoted(ViewAt(value));
      return absl::StrAppend(&text_, Load<int32_t>(value + sizeof(StringRep)));
    case Kind::kStringList:
      return List(Load<const ListBlock*>(value), kStringType);
    case Kind::kMessage:
      return Fields(value, *type.message);
    case Kind::kValue:
      return JsonValue(value);
  }
}

void Printer::JsonValue(const char* value) {
  switch (ValueTagOf(value)) {
    case ValueTag::kNull:
      return text_.append("null"), void();
    case ValueTag::kString:
      return Value(value, kStringType);
    case ValueTag::kBool:
      return Value(value, {Kind::kBool, 1, nullptr});
    case ValueTag::kInt:
      return Value(value, {Kind::kInt64, 8, nullptr});
    case ValueTag::kDouble:
      return Double(Load<double>(value));
    case ValueTag::kList:
      return List(BlockAt(value), kValueType);
    case ValueTag::kObject:
      return Map(BlockAt(value), kValueType);
  }
}

void Printer::List(const ListBlock* block, Type type) {
  if (block == nullptr) return text_.append("null"), void();
  text_ += '[';
  const char* element = block->elements();
  for (size_t i = 0; i < block->size && !full(); ++i, element += type.size) {
    if (i != 0) text_ += ", ";
    Value(element, type);
  }
  text_ += ']';
}

void Printer::Entry(const char* entry, Type type) {
  absl::StrAppend(&text_, Escaped(ViewAt(entry)), ": ");
  const bool is_hidden =
      ViewAt(entry) == kLastApplied || (type.kind == Kind::kValue && IsCredential(ViewAt(entry)));
  const bool hidden = std::exchange(hidden_, hidden_ || is_hidden);
  Value(entry + sizeof(StringRep), type);
  hidden_ = hidden;
}

void Printer::Map(const ListBlock* block, Type type) {
  if (block == nullptr) return text_.append("null"), void();
  text_ += '{';
  const bool is_secret = type.kind == Kind::kValue && IsSecret(block);
  const char* entry = block->elements();
  for (size_t i = 0; i < block->size && !full(); ++i, entry += EntrySize(type)) {
    if (i != 0) text_ += ", ";
    const bool hidden = std::exchange(hidden_, hidden_ || (is_secret && ViewAt(entry) == "data"));
    Entry(entry, type);
    hidden_ = hidden;
  }
  text_ += '}';
}

void Printer::Field(const char* at, const Message& message, const table::Field& field) {
  const Type type = ValueType(message, field);
  switch (field.shape) {
    case Shape::kValue:
    case Shape::kOpt:
      return Value(at, type);
    case Shape::kBox:
      return Value(Load<BoxRep>(at).value(), type);
    case Shape::kList:
      return List(Load<const ListBlock*>(at), type);
    case Shape::kMap:
      return Map(Load<const ListBlock*>(at), type);
  }
}

void Printer::Fields(const char* value, const Message& message) {
  text_ += '{';
  bool first = true;
  for (size_t i = 0; i < message.field_count && !full(); ++i) {
    const table::Field& field = message.fields[i];
    const char* at = value + field.offset;
    if (IsZero(at, message, field)) continue;
    absl::StrAppend(&text_, first ? "" : ", ", message.field_name(field), ": ");
    first = false;
    const bool hidden = std::exchange(hidden_, hidden_ || IsCredential(message.field_name(field)));
    Field(value + field.offset, message, field);
    hidden_ = hidden;
  }
  text_ += '}';
}

}  // namespace

std::ostream& PrintMessage(std::ostream& out, const void* value, const Message& message) {
  Printer printer;
  printer.Fields(static_cast<const char*>(value), message);
  return printer.WriteTo(out);
}

std::ostream& PrintValue(std::ostream& out, const void* value, Type type) {
  Printer printer;
  printer.Value(static_cast<const char*>(value), type);
  return printer.WriteTo(out);
}

std::ostream& PrintPointer(std::ostream& out, const void* value, Type type) {
  return value == nullptr ? out << "absent" : PrintValue(out, value, type);
}

std::ostream& PrintList(std::ostream& out, const ListBlock* block, Type type) {
  Printer printer;
  printer.List(block, type);
  return printer.WriteTo(out);
}

std::ostream& PrintMap(std::ostream& out, const ListBlock* block, Type type) {
  Printer printer;
  printer.Map(block, type);
  return printer.WriteTo(out);
}

std::ostream& PrintEntry(std::ostream& out, const void* entry, Type type) {
  Printer printer;
  printer.Entry(static_cast<const char*>(entry), type);
  return printer.WriteTo(out);
}

}  // namespace kube::table

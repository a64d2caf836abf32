#include "apimachinery/codec/reflect.h"

#include <charconv>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/text/duration_text.h"
#include "apimachinery/base/text/quantity_text.h"
#include "apimachinery/base/text/time_text.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/codec/internal/leaf.h"
#include "apimachinery/codec/internal/output_buffer.h"
#include "apimachinery/codec/json/json_text.h"
#include "apimachinery/table/layout.h"
#include "apimachinery/table/message.h"
#include "apimachinery/table/ops.h"
#include "apimachinery/table/walk.h"

namespace kube::codec {

using internal::AsBlock;
using internal::AsBox;
using internal::AsIntOrString;
using internal::IntOrStringBits;
using internal::kEntryValue;
using internal::SizeOf;
using internal::TextOf;
using kube::table::EntrySize;
using kube::table::Field;
using kube::table::Kind;
using kube::table::ListBlock;
using kube::table::Load;
using kube::table::Message;
using kube::table::Shape;
using kube::table::Store;
using kube::table::StringRep;
using kube::table::Type;
using kube::table::ValueType;

namespace {

// A List<String> that is stored as a value is treated as a list.
bool IsStringList(Type type, Shape shape) {
  return shape == Shape::kValue && type.kind == Kind::kStringList;
}

// One step of a path: a member's name, or the text in brackets.
struct Step {
  bool bracket = false;
  absl::string_view text;
};

absl::Status BadPath(absl::string_view path, absl::string_view why) {
  return absl::InvalidArgumentError(absl::StrCat("follow path \"", path, "\": ", why));
}

// Returns whether `rest` begins with `name`, followed by the end of the path or by another step.
bool BeginsWithName(absl::string_view rest, absl::string_view name) {
  if (rest.substr(0, name.size()) != name) return false;
  return rest.size() == name.size() || rest[name.size()] == '.' || rest[name.size()] == '[';
}

// Removes the first step from `rest`, which is not empty, and returns it. `message` describes the
// value that the step applies to, and is null if the value has no members. Returns nullopt if
// `rest` is malformed.
std::optional<Step> TakeStep(absl::string_view& rest, bool first, const Message* message) {
  Step step;
  if (rest[0] == '[') {
    const size_t end = rest.find(']');
    if (end == absl::string_view::npos) return std::nullopt;
    step = {.bracket = true, .text = rest.substr(1, end - 1)};
    rest.remove_prefix(end + 1);
    return step;
  }
  if (!first) {
    if (rest[0] != '.') return std::nullopt;
    rest.remove_prefix(1);
  }
  step.text = rest.substr(0, rest.find_first_of(".["));
  for (size_t i = 0; message != nullptr && i < message->field_count; ++i) {
    const absl::string_view name = message->field_name(message->fields[i]);
    if (name.size() > step.text.size() && BeginsWithName(rest, name)) step.text = name;
  }
  rest.remove_prefix(step.text.size());
  if (step.text.empty()) return std::nullopt;
  return step;
}

}  // namespace

const char* ValueView::value() const {
  switch (shape_) {
    case Shape::kOpt:
      return member_[type_.size] == 0 ? nullptr : member_;
    case Shape::kBox:
      return AsBox(member_);
    default:
      return member_;
  }
}

ValueForm ValueView::form() const {
  if (value() == nullptr) return ValueForm::kAbsent;
  if (shape_ == Shape::kList || IsStringList(type_, shape_)) return ValueForm::kList;
  if (shape_ == Shape::kMap) return ValueForm::kMap;
  return type_.kind == Kind::kMessage ? ValueForm::kObject : ValueForm::kLeaf;
}

size_t ValueView::size() const {
  switch (form()) {
    case ValueForm::kObject:
      return type_.message->field_count;
    case ValueForm::kList:
    case ValueForm::kMap:
      return SizeOf(AsBlock(member_));
    default:
      return 0;
  }
}

absl::string_view ValueView::type_name() const {
  return type_.message == nullptr ? absl::string_view() : type_.message->type_name();
}

absl::string_view ValueView::member_name(size_t i) const {
  return type_.message->field_name(type_.message->fields[i]);
}

ValueView ValueView::member(size_t i) const {
  const Field& field = type_.message->fields[i];
  return ValueView(value() + field.offset, ValueType(*type_.message, field), field.shape);
}

std::optional<ValueView> ValueView::Member(absl::string_view name) const {
  if (form() != ValueForm::kObject) return std::nullopt;
  for (size_t i = 0; i < type_.message->field_count; ++i) {
    if (member_name(i) == name) return member(i);
  }
  return std::nullopt;
}

ValueView ValueView::element(size_t i) const {
  const char* elements = AsBlock(member_)->elements();
  if (shape_ == Shape::kMap) {
    return ValueView(elements + i * EntrySize(type_) + kEntryValue, type_, Shape::kValue);
  }
  const Type type = shape_ == Shape::kList ? type_ : kube::table::kStringType;
  return ValueView(elements + i * type.size, type, Shape::kValue);
}

absl::string_view ValueView::key(size_t i) const {
  return TextOf(AsBlock(member_)->elements() + i * EntrySize(type_));
}

std::optional<ValueView> ValueView::Find(absl::string_view key) const {
  if (shape_ != Shape::kMap) return std::nullopt;
  const char* found = kube::table::FindInMap(AsBlock(member_), type_, key);
  if (found == nullptr) return std::nullopt;
  return ValueView(found, type_, Shape::kValue);
}

std::optional<absl::string_view> ValueView::text() const {
  if (form() != ValueForm::kLeaf) return std::nullopt;
  switch (type_.kind) {
    case Kind::kString:
    case Kind::kBytes:
    case Kind::kQuantity:
    case Kind::kRawExtension:
    case Kind::kFieldsV1:
    case Kind::kRawJson:
      return TextOf(value());
    case Kind::kIntOrString:
      if (AsIntOrString(value()).type != IntOrStringBits::kString) return std::nullopt;
      return TextOf(value());
    default:
      return std::nullopt;
  }
}

std::optional<int64_t> ValueView::integer() const {
  if (form() != ValueForm::kLeaf) return std::nullopt;
  switch (type_.kind) {
    case Kind::kInt32:
      return Load<int32_t>(value());
    case Kind::kInt64:
      return Load<int64_t>(value());
    case Kind::kIntOrString:
      if (AsIntOrString(value()).type != IntOrStringBits::kInt) return std::nullopt;
      return AsIntOrString(value()).number;
    default:
      return std::nullopt;
  }
}

std::optional<bool> ValueView::boolean() const {
  if (form() != ValueForm::kLeaf || type_.kind != Kind::kBool) return std::nullopt;
  return *value() != 0;
}

std::optional<double> ValueView::number() const {
  if (form() != ValueForm::kLeaf || type_.kind != Kind::kDouble) return std::nullopt;
  return Load<double>(value());
}

absl::StatusOr<std::string> ValueView::Json() const {
  std::string json;
  if (value() == nullptr) {
    json = "null";
    return json;
  }
  if (shape_ != Shape::kList && shape_ != Shape::kMap) {
    KUBE_RETURN_IF_ERROR(AppendJsonValue(json, value(), type_));
    return json;
  }
  if (AsBlock(member_) == nullptr) {
    json = "null";
    return json;
  }
  const bool map = shape_ == Shape::kMap;
  json = map ? "{" : "[";
  for (size_t i = 0; i < size(); ++i) {
    if (i != 0) json += ',';
    if (map) {
      const StringRep name = StringRep::InBlock(key(i).data(), key(i).size());
      KUBE_RETURN_IF_ERROR(AppendJsonValue(json, &name, kube::table::kStringType));
      json += ':';
    }
    KUBE_RETURN_IF_ERROR(AppendJsonValue(json, element(i).member_, type_));
  }
  json += map ? '}' : ']';
  return json;
}

bool operator==(const ValueView& a, const ValueView& b) {
  if (a.type_.kind != b.type_.kind || a.type_.message != b.type_.message) return false;
  if (a.shape_ == Shape::kMap || b.shape_ == Shape::kMap) {
    return a.shape_ == b.shape_ &&
           kube::table::EqualMaps(AsBlock(a.member_), AsBlock(b.member_), a.type_);
  }
  if (a.shape_ == Shape::kList || b.shape_ == Shape::kList) {
    return a.shape_ == b.shape_ &&
           kube::table::EqualLists(AsBlock(a.member_), AsBlock(b.member_), a.type_);
  }
  const char* x = a.value();
  const char* y = b.value();
  if (x == nullptr || y == nullptr) return x == y;
  return kube::table::EqualValues(x, y, a.type_);
}

absl::StatusOr<ValueView> FindPath(ValueView root, absl::string_view path) {
  ValueView at = root;
  for (absl::string_view rest = path; !rest.empty();) {
    const absl::string_view done = path.substr(0, path.size() - rest.size());
    const std::optional<Step> step = TakeStep(rest, done.empty(), at.message());
    if (!step.has_value()) return BadPath(path, "invalid path");
    if (at.form() == ValueForm::kAbsent) {
      return absl::NotFoundError(
          absl::StrCat("follow path \"", path, "\": \"", done, "\" is absent"));
    }
    std::optional<ValueView> next;
    uint64_t index = 0;
    if (!step->bracket) {
      next = at.Member(step->text);
      if (!next.has_value()) {
        return BadPath(path, absl::StrCat("\"", done, "\" has no member \"", step->text, "\""));
      }
    } else if (at.form() == ValueForm::kMap) {
      next = at.Find(step->text);
    } else if (at.form() == ValueForm::kList && absl::SimpleAtoi(step->text, &index)) {
      if (index < at.size()) next = at.element(index);
    } else {
      return BadPath(path, absl::StrCat("\"", done, "\" has no element [", step->text, "]"));
    }
    if (!next.has_value()) {
      return absl::NotFoundError(absl::StrCat("follow path \"", path, "\": \"", done,
                                              "\" has no element [", step->text, "]"));
    }
    at = *next;
  }
  return at;
}

namespace {

using internal::BoxRep;
using internal::MicroTimeBits;
using internal::OutputBuffer;
using internal::WriteCompactJson;

// A value that may be changed, as a ValueView is one that may only be read.
struct Place {
  char* member;
  Type type;
  Shape shape;
};

// Creates a zero value if the place is a null pointer or an absent Opt. Returns the address of the
// value.
char* MakePresent(const Place& place) {
  if (place.shape == Shape::kOpt) place.member[place.type.size] = 1;
  if (place.shape != Shape::kBox) return place.member;
  if (const auto box = Load<BoxRep>(place.member)) return box.value();
  char* value = kube::table::Allocate(place.type.size);
  std::memset(value, 0, place.type.size);
  Store(place.member, BoxRep::Owned(value));
  return value;
}

absl::StatusOr<Place> EnterMember(const Place& place, absl::string_view name,
                                  absl::string_view path) {
  const Message* message = place.type.message;
  const bool object =
      message != nullptr && place.shape != Shape::kList && place.shape != Shape::kMap;
  for (size_t i = 0; object && i < message->field_count; ++i) {
    const Field& field = message->fields[i];
    if (message->field_name(field) != name) continue;
    return Place{MakePresent(place) + field.offset, ValueType(*message, field), field.shape};
  }
  return BadPath(path, absl::StrCat("no member \"", name, "\""));
}

absl::StatusOr<Place> EnterElement(const Place& place, absl::string_view text,
                                   absl::string_view path) {
  auto* block = Load<ListBlock*>(place.member);
  if (place.shape == Shape::kMap) {
    char* value = kube::table::FindOrInsertInMap(block, place.type, text);
    Store(place.member, block);
    return Place{value, place.type, Shape::kValue};
  }
  const bool strings = IsStringList(place.type, place.shape);
  uint64_t index = 0;
  if ((place.shape != Shape::kList && !strings) || !absl::SimpleAtoi(text, &index)) {
    return BadPath(path, absl::StrCat("no element [", text, "]"));
  }
  const Type type = strings ? kube::table::kStringType : place.type;
  const size_t size = SizeOf(block);
  if (index > size) {
    return absl::OutOfRangeError(absl::StrCat("follow path \"", path, "\": element [", text,
                                              "] is out of range, size is ", size));
  }
  if (index == size) {
    const bool room = block != nullptr && block->is_owned() && block->capacity() > size;
    if (!room) block = kube::table::GrowList(block, size + 1, type);
    std::memset(block->elements() + size * type.size, 0, type.size);
    ++block->size;
    Store(place.member, block);
  }
  return Place{block->elements() + index * type.size, type, Shape::kValue};
}

// Destroys the value at the place and sets it to zero bits.
void Clear(const Place& place) {
  const Type type = place.type;
  switch (place.shape) {
    case Shape::kOpt:
    case Shape::kValue:
      kube::table::DestroyValue(place.member, type);
      std::memset(place.member, 0, type.size + (place.shape == Shape::kOpt ? 1 : 0));
      return;
    case Shape::kBox:
      if (const auto box = Load<BoxRep>(place.member)) kube::table::DestroyBox(box, type);
      break;
    case Shape::kList:
      if (auto* block = Load<ListBlock*>(place.member)) kube::table::DestroyList(block, type);
      break;
    case Shape::kMap:
      if (auto* block = Load<ListBlock*>(place.member)) kube::table::DestroyMap(block, type);
      break;
  }
  Store(place.member, uint64_t{0});
}

bool IsJson(absl::string_view text) {
  OutputBuffer buffer;
  return WriteCompactJson(buffer, buffer.begin(), text) != nullptr;
}

template <typename T>
bool ParseInteger(absl::string_view text, T& number) {
  const char* end = text.data() + text.size();
  const auto [parsed, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && parsed == end;
}

template <typename T>
bool StoreParsed(char* value, const std::optional<T>& parsed) {
  if (!parsed.has_value()) return false;
  Store(value, *parsed);
  return true;
}

// Parses `text` into the bits of a leaf of `kind` at `value`, which must own nothing. Returns false
// if `text` is not such a value.
bool ParseLeaf(char* value, Kind kind, absl::string_view text) {
  switch (kind) {
    case Kind::kQuantity:
      if (kube::text::ParseQuantityText(text).error != kube::text::QuantityError::kNone) {
        return false;
      }
      break;
    case Kind::kRawExtension:
    case Kind::kFieldsV1:
    case Kind::kRawJson:
      if (!IsJson(text)) return false;
      break;
    case Kind::kString:
      break;
    case Kind::kBytes:
      if (!text.empty()) break;
      Store(value, StringRep::PresentEmpty());
      return true;
    case Kind::kIntOrString: {
      int32_t number = 0;
      IntOrStringBits bits = {};
      if (ParseInteger(text, number)) {
        bits.number = number;
      } else {
        bits.text = StringRep::Copy(text.data(), text.size());
        bits.type = IntOrStringBits::kString;
      }
      Store(value, bits);
      return true;
    }
    case Kind::kBool:
      *value = static_cast<char>(text == "true");
      return text == "true" || text == "false";
    case Kind::kInt32: {
      int32_t number = 0;
      if (!ParseInteger(text, number)) return false;
      Store(value, number);
      return true;
    }
    case Kind::kInt64: {
      int64_t number = 0;
      if (!ParseInteger(text, number)) return false;
      Store(value, number);
      return true;
    }
    case Kind::kDouble: {
      double number = 0;
      if (!absl::SimpleAtod(text, &number)) return false;
      Store(value, number);
      return true;
    }
    case Kind::kTime:
      return StoreParsed(value, kube::text::ParseRfc3339(text));
    case Kind::kMicroTime: {
      const auto parsed = kube::text::ParseRfc3339Micro(text);
      if (!parsed.has_value()) return false;
      Store(value, MicroTimeBits{parsed->seconds, parsed->micros, 0});
      return true;
    }
    case Kind::kDuration:
      return StoreParsed(value, kube::text::ParseGoDuration(text));
    default:
      return false;
  }
  Store(value, StringRep::Copy(text.data(), text.size()));
  return true;
}

absl::Status SetLeaf(const Place& place, absl::string_view text, absl::string_view path) {
  const bool leaf = place.type.kind != Kind::kMessage && place.type.kind != Kind::kStringList &&
                    (place.shape == Shape::kValue || place.shape == Shape::kOpt);
  if (!leaf) return BadPath(path, "not a leaf field");
  // Large enough for every kind of leaf.
  char bits[sizeof(IntOrStringBits)] = {};
  if (!ParseLeaf(bits, place.type.kind, text)) {
    return absl::InvalidArgumentError(
        absl::StrCat("set \"", path, "\": \"", text, "\" is not a value of its type"));
  }
  kube::table::DestroyValue(place.member, place.type);
  std::memcpy(place.member, bits, place.type.size);
  if (place.shape == Shape::kOpt) place.member[place.type.size] = 1;
  return absl::OkStatus();
}

}  // namespace

absl::Status SetPath(void* root, const Message& message, absl::string_view path,
                     std::optional<absl::string_view> text) {
  if (!text.has_value()) {
    const ValueView view(root, {Kind::kMessage, message.size, &message}, Shape::kValue);
    const absl::Status there = FindPath(view, path).status();
    if (absl::IsNotFound(there)) return absl::OkStatus();
    KUBE_RETURN_IF_ERROR(there);
  }
  Place at = {static_cast<char*>(root), {Kind::kMessage, message.size, &message}, Shape::kValue};
  for (absl::string_view rest = path; !rest.empty();) {
    const std::optional<Step> step = TakeStep(rest, rest.size() == path.size(), at.type.message);
    if (!step.has_value()) return BadPath(path, "invalid path");
    absl::StatusOr<Place> next =
        step->bracket ? EnterElement(at, step->text, path) : EnterMember(at, step->text, path);
    KUBE_RETURN_IF_ERROR(next.status());
    at = *next;
  }
  if (text.has_value()) return SetLeaf(at, *text, path);
  Clear(at);
  return absl::OkStatus();
}

}  // namespace kube::codec

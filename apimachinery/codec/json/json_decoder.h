#ifndef APIMACHINERY_CODEC_JSON_JSON_DECODER_H_
#define APIMACHINERY_CODEC_JSON_JSON_DECODER_H_

// Decodes JSON text into the members of a struct, by its field table, in one pass and without a
// tree. It is a template of the builder, which decides where memory comes from and what is shared.
//
// It accepts what sigs.k8s.io/json accepts, as apimachinery uses it, with the same meaning: names
// are case-sensitive; null leaves values unchanged and removes pointers, lists and maps; a field
// that occurs twice is decoded into the value that exists; an integer must not have a fraction.
//
// Each function takes the position `p` of a value in padded text (see json_scan.h) and returns the
// position after it, or null after Fail. The padding guarantees that reading ahead is safe and that
// no loop runs past the end: whether a token lies within the text is checked only when an error is
// reported. Strict mode and `path_` are kept beside the recursion: each struct has a PathFrame on
// the stack, and its field, index and key always name the value that is being decoded.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "apimachinery/base/text/quantity_text.h"
#include "apimachinery/codec/internal/builder.h"
#include "apimachinery/codec/internal/decode_context.h"
#include "apimachinery/codec/internal/decode_path.h"
#include "apimachinery/codec/internal/field_names.h"
#include "apimachinery/codec/internal/leaf_text.h"
#include "apimachinery/codec/internal/projection_node.h"
#include "apimachinery/codec/json/json_leaf.h"
#include "apimachinery/codec/json/json_scan.h"
#include "apimachinery/codec/json/json_text_decoder.h"
#include "apimachinery/table/message.h"

namespace kube::codec::internal {

using kube::table::Field;
using kube::table::JsonForm;
using kube::table::Kind;
using kube::table::Message;
using kube::table::Shape;

template <typename BuilderT>
class JsonDecoder : public JsonTextDecoder<BuilderT> {
 public:
  using Base = JsonTextDecoder<BuilderT>;
  using Base::Base;

  // Decodes the only value of the text into a struct. Returns the end of the text.
  const char* DecodeDocument(char* to, const char* p, const Message& message) {
    p = Struct(to, SkipSpace(p), message, context_.projection);
    if (p == nullptr) return nullptr;
    // If the text is part of a larger one, the bytes after it do not belong to it.
    while (p < end_ && IsJsonSpace(*p)) ++p;
    return p == end_ ? p : Base::Stop(p, "unexpected data after the object");
  }

  // Decodes the value at `p` into the struct.
  const char* Struct(char* to, const char* p, const Message& message, const ProjectionNode* node) {
    if (message.json_form != JsonForm::kObject) [[unlikely]] {
      return SpecialForm(to, p, message, node);
    }
    return Object(to, p, message, node);
  }

  // Decodes the value at `p` into the member that `field` describes.
  const char* Member(char* member, const char* p, const Message& message, const Field& field,
                     const ProjectionNode* node) {
    if constexpr (BuilderT::kShares) {
      builder_.EnterField(field);
      if (const char* after = builder_.ShareJson(*this, member, p, message, field, node)) {
        return after;
      }
    }
    const Type type{field.kind, field.element_size, message.sub(field)};
    switch (field.shape) {
      case Shape::kValue:
        return field.kind == Kind::kString ? String(member, p) : Value(member, p, type, node);
      case Shape::kOpt:
        return Optional(member, p, type, node);
      case Shape::kBox:
        return Box(member, p, type, node);
      case Shape::kList:
        return List(member, p, type, node);
      case Shape::kMap:
        return Map(member, p, BuilderT::MapType(message, field), node);
    }
    return nullptr;
  }

  // Decodes the value at `p` into `member` as if it were this field. For a part of a text.
  const char* MemberAlone(char* member, const char* p, const Message& message, const Field& field,
                          const ProjectionNode* node) {
    PathFrame* const enclosing = path_;
    PathFrame frame{enclosing, &message, &field};
    path_ = &frame;
    p = Member(member, p, message, field, node);
    if (frame.has_unsorted_map) builder_.SortMap(member, BuilderT::MapType(message, field));
    path_ = enclosing;
    return p;
  }

 private:
  // Names of a base class that depends on a template parameter must be declared.
  using Base::AfterColon;
  using Base::builder_;
  using Base::CheckDuplicate;
  using Base::CheckDuplicateKey;
  using Base::context_;
  using Base::depth_;
  using Base::Done;
  using Base::end_;
  using Base::Fail;
  using Base::JsonValue;
  using Base::kMaxTextDepth;
  using Base::Null;
  using Base::OneEntry;
  using Base::path_;
  using Base::RawString;
  using Base::Report;
  using Base::strict_errors_;
  using Base::String;
  using Base::Text;
  using Base::TextDepth;
  using typename Base::OtherName;
  using typename Base::SeenFields;

  // ---- structs

  const char* Object(char* to, const char* p, const Message& message, const ProjectionNode* node) {
    if (*p != '{') return *p == 'n' ? Null(p) : Fail(p, "expected an object");
    if (depth_ >= context_.max_depth) return Fail(p, "nested too deeply");
    ++depth_;
    PathFrame* const enclosing = path_;
    PathFrame frame{enclosing, &message};
    path_ = &frame;
    p = Members(to, SkipSpace(p + 1), message, node, frame);
    if (frame.has_unsorted_map) builder_.SortMaps(to, message);
    path_ = enclosing;
    --depth_;
    return p;
  }

  // Reads from after the opening brace to after the closing one.
  const char* Members(char* to, const char* p, const Message& message, const ProjectionNode* node,
                      PathFrame& frame) {
    if (*p == '}') return p + 1;
    SeenFields seen;
    OtherName other;
    uint32_t next = 0;
    for (;;) {
      if (*p != '"') [[unlikely]] {
        return Fail(p, "expected a field name in quotes");
      }
      const char* name = p + 1;
      uint32_t i = FindQuotedField(message, next, name);
      if (i < message.field_count && IsInJson(message.fields[i])) [[likely]] {
        p = name + message.fields[i].name_size + 1;
      } else {
        p = UnexpectedName(message, name, i, other);
        if (p == nullptr) return nullptr;
      }
      p = AfterColon(p);
      if (p == nullptr) return nullptr;
      if (i < message.field_count) [[likely]] {
        const Field& field = message.fields[i];
        next = i + 1;
        frame.field = &field;
        if (strict_errors_ != nullptr) CheckDuplicate(seen, i, message, frame);
        const ProjectionNode* child = node == nullptr ? nullptr : node->field(i);
        p = child == ProjectionNode::Dropped()
                ? Skip(p)
                : Member(to + field.offset, p, message, field, child);
        frame.field = nullptr;
      } else {
        p = UnknownField(to, p, message, other, node, frame);
      }
      if (p == nullptr) [[unlikely]] {
        return nullptr;
      }
      p = SkipSpace(p);
      if (*p == ',') {
        p = SkipSpace(p + 1);
        continue;
      }
      return *p == '}' ? p + 1 : Fail(p, "expected ',' or '}' after a field");
    }
  }

  // Handles a name that was not found as it is written; it may contain escapes. Sets `i` to the
  // index of the field, or to field_count.
  const char* UnexpectedName(const Message& message, const char* name, uint32_t& i,
                             OtherName& other) {
    const char* after = Text(name - 1, other.text, &other.in_input);
    if (after == nullptr) return nullptr;
    i = FindField(message, other.text);
    if (i == message.field_count && strict_errors_ != nullptr &&
        message.unknown_fields() == nullptr) {
      Report("unknown field", other.text);
    }
    return after;
  }

  // Decodes the value at `p` of a member that no field has into the map of such members, or skips
  // it if the message has none.
  [[gnu::noinline]] const char* UnknownField(char* to, const char* p, const Message& message,
                                             const OtherName& name, const ProjectionNode* node,
                                             PathFrame& frame) {
    const Field* const field = message.unknown_fields();
    if (field == nullptr) return Skip(p);
    const size_t last = message.field_count - 1u;
    if (node != nullptr && node->field(last) == ProjectionNode::Dropped()) return Skip(p);
    if constexpr (BuilderT::kShares) builder_.EnterField(*field);
    const Type type = BuilderT::MapType(message, *field);
    return OneEntry(to + field->offset, type, name, p, frame);
  }

  // Decodes JSONSchemaPropsOrBool and its like, and Unstructured. As in Go, where each of these
  // types decodes its own text, the old value is discarded and strict mode does not look into them.
  const char* SpecialForm(char* to, const char* p, const Message& message,
                          const ProjectionNode* node) {
    builder_.Clear(to, {Kind::kMessage, message.size, &message});
    PathFrame* const enclosing = path_;
    PathFrame frame{enclosing, &message};
    path_ = &frame;
    std::vector<std::string>* const strict_errors = std::exchange(strict_errors_, nullptr);
    p = SpecialFormValue(to, p, message, node);
    strict_errors_ = strict_errors;
    path_ = enclosing;
    return p;
  }

  const char* SpecialFormValue(char* to, const char* p, const Message& message,
                               const ProjectionNode* node) {
    const Field& first = message.fields[0];
    if (message.json_form == JsonForm::kOnlyField) {
      return Member(to + first.offset, p, message, first, nullptr);
    }
    const Field& second = message.fields[1];
    if (message.json_form == JsonForm::kOrBool) {
      // {bool allows; X schema}: an object means that it is allowed, and is the schema.
      bool* allows = reinterpret_cast<bool*>(to + first.offset);
      if (*p == '{') {
        *allows = true;
        return Member(to + second.offset, p, message, second, nullptr);
      }
      if (*p != 't' && *p != 'f') return Fail(p, "expected a boolean or an object");
      return Done(p, ScanBool(p, *allows));
    }
    if (*p == '{') return Member(to + first.offset, p, message, first, node);
    if (*p == '[') return Member(to + second.offset, p, message, second, node);
    // Go ignores any other value.
    return Skip(p);
  }

  // ---- what holds values

  const char* Optional(char* member, const char* p, Type type, const ProjectionNode* node) {
    char* presence = member + type.size;
    if (*p == 'n') {
      builder_.Clear(member, type);
      *presence = 0;
      return Null(p);
    }
    *presence = 1;
    return Value(member, p, type, node);
  }

  const char* Box(char* member, const char* p, Type type, const ProjectionNode* node) {
    if (*p == 'n') {
      builder_.ClearBox(member, type);
      return Null(p);
    }
    builder_.MakeBoxMutable(member, type);
    return Struct(builder_.OpenBox(member, type.size), p, *type.message, node);
  }

  const char* List(char* member, const char* p, Type type, const ProjectionNode* node) {
    if (*p == 'n') {
      builder_.ClearList(member, type);
      return Null(p);
    }
    if (*p != '[') return Fail(p, "expected an array");
    builder_.MakeListMutable(member, type);
    // If the list occurs twice, its elements are decoded into those of the first occurrence.
    const size_t old_size = builder_.ListSize(member);
    size_t count = 0;
    p = SkipSpace(p + 1);
    if (*p == ']') {
      builder_.TruncateList(member, type, 0);
      return p + 1;
    }
    // The list may be inside a list or map of lists, which has a frame of its own.
    PathFrame* const frame = path_;
    for (;; ++count) {
      frame->index = static_cast<uint32_t>(count);
      char* element = count < old_size ? builder_.ElementAt(member, type.size, count)
                                       : builder_.AddElement(member, type.size);
      p = type.kind == Kind::kString ? String(element, p) : Value(element, p, type, node);
      if (p == nullptr) [[unlikely]] {
        return nullptr;
      }
      p = SkipSpace(p);
      if (*p == ',') {
        p = SkipSpace(p + 1);
        continue;
      }
      if (*p != ']') return Fail(p, "expected ',' or ']' after an element");
      break;
    }
    frame->index = PathFrame::kNoIndex;
    if (count + 1 < old_size) builder_.TruncateList(member, type, count + 1);
    builder_.CloseList(member, type.size, old_size);
    return p + 1;
  }

  const char* Map(char* member, const char* p, Type type, const ProjectionNode* node) {
    if (*p == 'n') {
      builder_.ClearMap(member, type);
      return Null(p);
    }
    if (*p != '{') return Fail(p, "expected an object");
    builder_.MakeMapMutable(member, type);
    const size_t old_size = builder_.ListSize(member);
    builder_.OpenList(member);
    p = SkipSpace(p + 1);
    if (*p == '}') return p + 1;
    PathFrame* const frame = path_;
    std::set<std::string> keys_before;  // of this object; used in strict mode only
    for (;;) {
      if (*p != '"') return Fail(p, "expected a key in quotes");
      bool in_input = false;
      absl::string_view key;
      p = Text(p, key, &in_input);
      if (p == nullptr) return nullptr;
      if (strict_errors_ != nullptr) CheckDuplicateKey(keys_before, key);
      const bool is_dropped = node != nullptr && node->DropsKey(key);
      char* value = is_dropped ? nullptr
                    : in_input ? builder_.KeepKey(member, type, key)
                               : builder_.CopyKey(member, type, key);
      p = AfterColon(p);
      if (p == nullptr) return nullptr;
      if (is_dropped) {
        p = Skip(p);
      } else {
        const StringRep& kept = *reinterpret_cast<const StringRep*>(value - sizeof(StringRep));
        frame->key = kept.data();
        frame->key_size = kept.size();
        p = type.kind == Kind::kString ? String(value, p) : Value(value, p, type, node);
      }
      if (p == nullptr) [[unlikely]] {
        return nullptr;
      }
      frame->key = nullptr;  // errors at the next key belong to the map itself
      p = SkipSpace(p);
      if (*p == ',') {
        p = SkipSpace(p + 1);
        continue;
      }
      if (*p != '}') return Fail(p, "expected ',' or '}' after a value");
      break;
    }
    if (!builder_.CloseMap(member, type, old_size)) frame->has_unsorted_map = true;
    return p + 1;
  }

  // ---- values

  // Decodes into a value that exists. Kinds treat null differently, as in Go: some become zero, and
  // others keep their value.
  const char* Value(char* to, const char* p, Type type, const ProjectionNode* node) {
    switch (type.kind) {
      case Kind::kString:
        return String(to, p);
      case Kind::kMessage:
        return Struct(to, p, *type.message, node);
      case Kind::kBool:
        return *p == 'n' ? Null(p) : Done(p, ScanBool(p, *reinterpret_cast<bool*>(to)));
      case Kind::kInt32:
        return *p == 'n' ? Null(p) : Done(p, ScanInt32(p, *reinterpret_cast<int32_t*>(to)));
      case Kind::kInt64:
        return *p == 'n' ? Null(p) : Done(p, ScanInt64(p, *reinterpret_cast<int64_t*>(to)));
      case Kind::kDouble:
        return *p == 'n' ? Null(p) : Done(p, ScanDouble(p, *reinterpret_cast<double*>(to)));
      case Kind::kQuantity:
        return Quantity(to, p);
      case Kind::kTime:
      case Kind::kMicroTime:
      case Kind::kDuration:
        return TextualValue(to, p, type.kind);
      case Kind::kIntOrString:
        return IntOrString(to, p);
      case Kind::kBytes:
        return Bytes(to, p);
      case Kind::kRawExtension:
      case Kind::kFieldsV1:
      case Kind::kRawJson:
        return Raw(to, p);
      case Kind::kStringList:
        return List(to, p, {Kind::kString, sizeof(StringRep), nullptr}, nullptr);
      case Kind::kValue:
        builder_.Clear(to, type);
        return JsonValue(to, p, TextDepth());
    }
    return nullptr;
  }

  const char* Quantity(char* to, const char* p) {
    if (*p == 'n') {
      builder_.Clear(to, {Kind::kQuantity, sizeof(StringRep), nullptr});
      return Null(p);
    }
    absl::string_view text;
    bool has_backslash = false;  // Go's Quantity does not unescape, so such a text is invalid
    const char* after = *p == '"' ? RawString(p, text, has_backslash)
                                  : Done(p, ScanNumber(p), "expected a quantity");
    if (after == nullptr) return nullptr;
    if (*p != '"') text = {p, static_cast<size_t>(after - p)};
    if (!kube::text::IsPlainQuantity(text)) {
      text = kube::text::TrimGoSpace(text);
      if (const char* error = CheckQuantity(text)) return Fail(p, error);
    }
    builder_.KeepString(to, text.data(), text.size());
    return after;
  }

  // Decodes a Time, MicroTime or Duration. null sets a time to zero and is an error for a Duration.
  const char* TextualValue(char* to, const char* p, Kind kind) {
    if (*p == 'n' && kind != Kind::kDuration) {
      std::memset(to, 0, kind == Kind::kTime ? 8 : 16);
      return Null(p);
    }
    if (*p != '"') return Fail(p, "expected a string");
    absl::string_view text;
    const char* after = Text(p, text);
    if (after == nullptr) return nullptr;
    if (const char* error = ParseTextual(kind, text, to)) return Fail(p, error);
    return after;
  }

  const char* IntOrString(char* to, const char* p) {
    auto* value = reinterpret_cast<int32_t*>(to + sizeof(StringRep));
    int32_t* is_string = value + 1;
    *is_string = *p == '"' ? 1 : 0;
    if (*p == '"') return String(to, p);
    if (*p == 'n') return Null(p);
    return Done(p, ScanInt32(p, *value), "expected an integer or a string");
  }

  const char* Bytes(char* to, const char* p) {
    if (*p == 'n') {
      builder_.Clear(to, {Kind::kBytes, sizeof(StringRep), nullptr});
      return Null(p);
    }
    const char* after = nullptr;
    if (*p == '[') {
      // Go also accepts a list of numbers, and decodes it into the existing bytes.
      const StringRep& old = *reinterpret_cast<const StringRep*>(to);
      decoded_.assign(old.data(), old.size());
      after = Done(p, ScanByteList(p, decoded_));
      if (after == nullptr) return nullptr;
    } else {
      if (*p != '"') return Fail(p, "expected a base64 string");
      absl::string_view text;
      after = Text(p, text);
      if (after == nullptr) return nullptr;
      if (!DecodeBase64Text(text, decoded_)) return Fail(p, "expected a base64 string");
    }
    builder_.CopyBytes(to, decoded_.data(), decoded_.size());
    return after;
  }

  // Keeps the text of any value. null leaves the member unchanged.
  const char* Raw(char* to, const char* p) {
    if constexpr (BuilderT::kShares) {
      // Text that is found in the store has been checked before.
      if (const char* after = builder_.ShareRawJson(*this, to, p)) return after;
    }
    const char* after = SkipPlainObject(p, end_, kMaxTextDepth - TextDepth());
    if (after == nullptr) after = Skip(p);
    if (after == nullptr || *p == 'n') return after;
    builder_.KeepUnshared(to, p, static_cast<size_t>(after - p));
    return after;
  }

  // Returns the position after the value at `p`, which is checked to be valid.
  const char* Skip(const char* p) {
    const char* error = nullptr;
    const char* after = SkipValue(p, end_, kMaxTextDepth - TextDepth(), &error);
    return after != nullptr ? after : Fail(error, "expected a value");
  }

  std::string decoded_;
};

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_JSON_JSON_DECODER_H_

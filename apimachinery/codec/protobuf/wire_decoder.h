#ifndef APIMACHINERY_CODEC_PROTOBUF_WIRE_DECODER_H_
#define APIMACHINERY_CODEC_PROTOBUF_WIRE_DECODER_H_

// Decodes protobuf messages into the members of a struct, by its field table, in one pass. It is a
// template of the builder, which decides where memory comes from and what is shared.
//
// It accepts what gogo's generated code accepts, with the same meaning: unknown fields are skipped,
// a wrong wire type is an error, a sub-message that occurs twice is merged, and a map entry
// replaces an earlier entry with the same key.
//
// The bytes must be padded (see PaddedBuffer). Each function takes the position after a field's tag
// and returns the position after the value, or null after Fail. The elements of one list, and the
// entries of one map, are usually adjacent: List, Map and ScalarList take the whole run of fields
// with the same tag, so that the list is allocated once and completed once. Each struct has a
// PathFrame on the stack, whose field, index and key name the value that is being decoded.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "absl/strings/string_view.h"
#include "apimachinery/base/text/time_text.h"
#include "apimachinery/codec/internal/builder.h"
#include "apimachinery/codec/internal/decode_context.h"
#include "apimachinery/codec/internal/decode_path.h"
#include "apimachinery/codec/internal/leaf_text.h"
#include "apimachinery/codec/internal/projection_node.h"
#include "apimachinery/codec/protobuf/wire.h"
#include "apimachinery/codec/protobuf/wire_fields.h"
#include "apimachinery/table/message.h"

namespace kube::codec::internal {

using kube::table::Field;
using kube::table::Kind;
using kube::table::kWireInline;
using kube::table::Message;
using kube::table::Shape;

template <typename BuilderT>
class WireDecoder {
 public:
  WireDecoder(BuilderT& builder, const DecodeContext& context)
      : builder_(builder), context_(context) {}

  // Decodes all of [p, end) into a struct. Returns false after an error.
  bool DecodeMessage(char* to, const char* p, const char* end, const Message& message) {
    return Struct(to, p, end, message, context_.projection) != nullptr;
  }

  const char* Struct(char* to, const char* p, const char* end, const Message& message,
                     const ProjectionNode* node) {
    if (depth_ >= context_.max_depth) return Fail(p, "nested too deeply");
    ++depth_;
    PathFrame* const enclosing = path_;
    PathFrame frame{enclosing, &message};
    path_ = &frame;
    p = Fields(to, p, end, message, message.wire(), message.wire_count, node, frame);
    if (frame.has_unsorted_map) [[unlikely]] {
      builder_.SortMaps(to, message);
    }
    path_ = enclosing;
    --depth_;
    return p;
  }

  // Decodes adjacent values of one field into its member. `p` is the position after the first
  // value's tag. Lists and maps take all adjacent values. For decoding a part of an object.
  const char* MemberAlone(char* member, const char* p, const char* end, uint64_t tag,
                          const Message& message, const Field& field, const ProjectionNode* node) {
    PathFrame* const enclosing = path_;
    PathFrame frame{enclosing, &message, &field};
    path_ = &frame;
    p = Member(member, p, end, tag, message, field, node);
    if (frame.has_unsorted_map) builder_.SortMap(member, BuilderT::MapType(message, field));
    path_ = enclosing;
    return p;
  }

  const DecodeError& error() const { return error_; }
  const DecodeContext& context() const { return context_; }
  // The number of structs that are open.
  int depth() const { return depth_; }

 private:
  // Decodes fields until `end`. `wire` and `wire_count` are the entries of the message, or of an
  // inline struct in it.
  const char* Fields(char* to, const char* p, const char* end, const Message& message,
                     const uint16_t* wire, uint32_t wire_count, const ProjectionNode* node,
                     PathFrame& frame) {
    uint32_t next = 0;
    while (p < end) {
      const char* start = p;
      uint64_t tag = 0;
      p = ReadTag(p, end, tag);
      if (p == nullptr) [[unlikely]] {
        return Fail(start, "truncated tag");
      }
      const uint32_t i =
          FindWireEntry(message, wire, wire_count, next, static_cast<uint32_t>(tag >> 3));
      if (i == wire_count) [[unlikely]] {
        p = SkipUnknown(p, end, tag);
        if (p == nullptr) return nullptr;
        continue;
      }
      next = i;
      const uint16_t entry = wire[i];
      if ((entry & kWireInline) != 0) [[unlikely]] {
        const uint16_t* group = message.wire() + (entry & ~kWireInline);
        p = Inline(to, p, end, tag, message, group, node, frame);
        if (p == nullptr) return nullptr;
        continue;
      }
      const Field& field = message.fields[entry];
      const ProjectionNode* child = node == nullptr ? nullptr : node->field(entry);
      if (child == ProjectionNode::Dropped()) {
        p = SkipUnknown(p, end, tag);
      } else if (const char* after = Text(to + field.offset, p, end, tag, field)) {
        p = after;
      } else {
        frame.field = &field;
        p = Member(to + field.offset, p, end, tag, message, field, child);
        frame.field = nullptr;
      }
      if (p == nullptr) [[unlikely]] {
        return nullptr;
      }
    }
    return p;
  }

  // The short way for strings, which most members are. Returns null if the field is not a string,
  // or the value is malformed.
  [[gnu::always_inline]] const char* Text(char* member, const char* p, const char* end,
                                          uint64_t tag, const Field& field) {
    if (field.kind != Kind::kString || field.shape != Shape::kValue) return nullptr;
    if ((tag & 7) != WireType::kBytes) return nullptr;
    const char* data = nullptr;
    const char* after = ReadBytes(p, end, data);
    if (after == nullptr) [[unlikely]] {
      return nullptr;
    }
    if constexpr (BuilderT::kShares) builder_.EnterField(field);
    builder_.KeepString(member, data, static_cast<size_t>(after - data));
    return after;
  }

  const char* Inline(char* to, const char* p, const char* end, uint64_t tag, const Message& message,
                     const uint16_t* group, const ProjectionNode* node, PathFrame& frame) {
    const char* data = nullptr;
    const char* after = (tag & 7) == WireType::kBytes ? ReadBytes(p, end, data) : nullptr;
    if (after == nullptr) return Fail(p, "expected a message");
    return Fields(to, data, after, message, group + 2, group[1], node, frame) == nullptr ? nullptr
                                                                                         : after;
  }

  const char* SkipUnknown(const char* p, const char* end, uint64_t tag) {
    if (static_cast<int32_t>(tag >> 3) <= 0) {
      return Fail(p, "expected a field number greater than zero");
    }
    const char* after = SkipWireValue(p, end, tag);
    return after != nullptr ? after : Fail(p, "truncated value of an unknown field");
  }

  const char* Member(char* member, const char* p, const char* end, uint64_t tag,
                     const Message& message, const Field& field, const ProjectionNode* node) {
    const Type type{field.kind, field.element_size, message.sub(field)};
    const WireType want = field.shape == Shape::kMap ? WireType::kBytes : WireTypeOf(field.kind);
    if ((tag & 7) != want) [[unlikely]] {
      if (field.shape != Shape::kList || (tag & 7) != WireType::kBytes) {
        return Fail(p, "wrong wire type");
      }
      return Packed(member, p, end, type);
    }
    if (want != WireType::kBytes) [[unlikely]] {
      if (field.shape == Shape::kList) return ScalarList(member, p, end, tag, type);
      return Scalar(PlaceOf(member, type, field.shape), p, end, type.kind);
    }
    if constexpr (BuilderT::kShares) {
      builder_.EnterField(field);
      if (const char* after =
              builder_.ShareWire(*this, member, p, end, tag, message, field, node)) {
        return after;
      }
    }
    switch (field.shape) {
      case Shape::kList:
        return List(member, p, end, tag, type, node);
      case Shape::kMap:
        return Map(member, p, end, tag, field, type.message, node);
      case Shape::kBox:
        builder_.MakeBoxMutable(member, type);
        break;
      default:
        break;
    }
    const char* data = nullptr;
    const char* after = ReadBytes(p, end, data);
    if (after == nullptr) [[unlikely]] {
      return Fail(p, "truncated value");
    }
    return Value(PlaceOf(member, type, field.shape), data, after, type, node) ? after : nullptr;
  }

  // Returns where to store a value of a field that is not a map, and not a list of length-delimited
  // values.
  char* PlaceOf(char* member, Type type, Shape shape) {
    switch (shape) {
      case Shape::kOpt:
        member[type.size] = 1;
        return member;
      case Shape::kBox:
        return builder_.OpenBox(member, type.size);
      case Shape::kList:
        builder_.MakeListMutable(member, type);
        return builder_.AddElement(member, type.size);
      default:
        return member;
    }
  }

  const char* Scalar(char* to, const char* p, const char* end, Kind kind) {
    if (kind == Kind::kDouble) {
      if (end - p < 8) return Fail(p, "truncated value");
      std::memcpy(to, p, 8);
      return p + 8;
    }
    uint64_t value = 0;
    const char* after = ReadVarint(p, end, value);
    if (after == nullptr) [[unlikely]] {
      return Fail(p, "truncated value");
    }
    if (kind == Kind::kBool) {
      *reinterpret_cast<bool*>(to) = value != 0;
    } else if (kind == Kind::kInt32) {
      *reinterpret_cast<int32_t*>(to) = static_cast<int32_t>(value);
    } else {
      *reinterpret_cast<int64_t*>(to) = static_cast<int64_t>(value);
    }
    return after;
  }

  const char* ScalarList(char* member, const char* p, const char* end, uint64_t tag, Type type) {
    const size_t old_size = builder_.ListSize(member);
    do {
      p = Scalar(PlaceOf(member, type, Shape::kList), p, end, type.kind);
      if (p == nullptr) return nullptr;
    } while (SameTag(p, end, tag));
    builder_.CloseList(member, type.size, old_size);
    return p;
  }

  // Decodes several scalars in one value. Kubernetes does not write this form, but gogo reads it.
  const char* Packed(char* member, const char* p, const char* end, Type type) {
    const char* data = nullptr;
    const char* after = ReadBytes(p, end, data);
    if (after == nullptr) return Fail(p, "truncated value");
    const size_t old_size = builder_.ListSize(member);
    while (data != nullptr && data < after) {
      data = Scalar(PlaceOf(member, type, Shape::kList), data, after, type.kind);
    }
    builder_.CloseList(member, type.size, old_size);
    return data == nullptr ? nullptr : after;
  }

  const char* List(char* member, const char* p, const char* end, uint64_t tag, Type type,
                   const ProjectionNode* node) {
    builder_.MakeListMutable(member, type);
    const size_t old_size = builder_.ListSize(member);
    builder_.ReserveList(member, type.size, CountRun(p, end, tag));
    PathFrame* const frame = path_;
    for (;;) {
      frame->index = static_cast<uint32_t>(builder_.ListSize(member));
      const char* data = nullptr;
      const char* after = ReadBytes(p, end, data);
      if (after == nullptr) [[unlikely]] {
        return Fail(p, "truncated value");
      }
      if (!Value(builder_.AddElement(member, type.size), data, after, type, node)) return nullptr;
      p = after;
      if (!SameTag(p, end, tag)) break;
    }
    frame->index = PathFrame::kNoIndex;
    builder_.CloseList(member, type.size, old_size);
    return p;
  }

  // Returns whether the next field has the same tag, and moves `p` past the tag if so.
  static bool SameTag(const char*& p, const char* end, uint64_t tag) {
    if (p >= end) return false;
    uint64_t next = 0;
    const char* after = ReadTag(p, end, next);
    if (after == nullptr || next != tag) return false;
    p = after;
    return true;
  }

  const char* Map(char* member, const char* p, const char* end, uint64_t tag, const Field& field,
                  const Message* sub, const ProjectionNode* node) {
    const Type type{field.kind, static_cast<uint32_t>(field.element_size - sizeof(StringRep)), sub};
    builder_.MakeMapMutable(member, type);
    const size_t old_size = builder_.ListSize(member);
    builder_.ReserveList(member, field.element_size, CountRun(p, end, tag));
    do {
      const char* data = nullptr;
      const char* after = ReadBytes(p, end, data);
      if (after == nullptr) [[unlikely]] {
        return Fail(p, "truncated value");
      }
      if (!MapEntry(member, data, after, type, node)) return nullptr;
      p = after;
    } while (SameTag(p, end, tag));
    if (!builder_.CloseMap(member, type, old_size)) path_->has_unsorted_map = true;
    return p;
  }

  bool MapEntry(char* member, const char* p, const char* end, Type type,
                const ProjectionNode* node) {
    const uint64_t value_tag = 2 << 3 | WireTypeOf(type.kind);
    absl::string_view key(p, 0);  // not null: KeepKey loads sixteen bytes from it
    const char* value = nullptr;
    const char* value_end = nullptr;
    while (p < end) {
      const char* start = p;
      uint64_t tag = 0;
      p = ReadTag(p, end, tag);
      if (p == nullptr) return Fail(start, "truncated entry of a map") != nullptr;
      const char* data = p;
      if (tag == (1 << 3 | WireType::kBytes)) {
        p = ReadBytes(p, end, data);
        if (p != nullptr) key = {data, static_cast<size_t>(p - data)};
      } else if (tag == value_tag) {
        p = value_tag == (2 << 3 | WireType::kBytes) ? ReadBytes(p, end, data)
                                                     : SkipWireValue(p, end, tag);
        value = data;
        value_end = p;
      } else if (tag >> 3 == 1 || tag >> 3 == 2) {
        return Fail(start, "wrong wire type in a map") != nullptr;
      } else {
        p = SkipUnknown(p, end, tag);
        if (p == nullptr) return false;
      }
      if (p == nullptr) return Fail(start, "truncated entry of a map") != nullptr;
    }
    if (node != nullptr && node->DropsKey(key)) return true;
    char* place = builder_.KeepKey(member, type, key);
    PathFrame* const frame = path_;
    frame->key = key.data();
    frame->key_size = key.size();
    const bool ok = value == nullptr ? Missing(place, type)
                    : WireTypeOf(type.kind) == WireType::kBytes
                        ? Value(place, value, value_end, type, node)
                        : Scalar(place, value, value_end, type.kind) != nullptr;
    if (ok) frame->key = nullptr;
    return ok;
  }

  // gogo starts a map's value as empty bytes or an empty list, not as null.
  bool Missing(char* place, Type type) {
    if (type.kind == Kind::kBytes) builder_.KeepBytes(place, nullptr, 0);
    if (type.kind == Kind::kStringList) builder_.OpenList(place);
    return true;
  }

  // Decodes a length-delimited value, whose bytes are [p, end).
  bool Value(char* to, const char* p, const char* end, Type type, const ProjectionNode* node) {
    switch (type.kind) {
      case Kind::kMessage:
        return Struct(to, p, end, *type.message, node) != nullptr;
      case Kind::kString:
        builder_.KeepString(to, p, static_cast<size_t>(end - p));
        return true;
      case Kind::kBytes:
        builder_.KeepBytes(to, p, static_cast<size_t>(end - p));
        return true;
      case Kind::kStringList: {
        const size_t old_size = builder_.ListSize(to);
        builder_.OpenList(to);
        const bool ok = Parts(to, p, end, type.kind);
        builder_.CloseList(to, sizeof(StringRep), old_size);
        return ok;
      }
      default:
        return Parts(to, p, end, type.kind);
    }
  }

  // Decodes a leaf that is a small message on the wire.
  bool Parts(char* to, const char* p, const char* end, Kind kind) {
    int64_t seconds = 0;
    int32_t nanos = 0;
    const bool empty = p == end;
    while (p < end) {
      const char* start = p;
      uint64_t tag = 0;
      p = ReadTag(p, end, tag);
      if (p == nullptr) return Fail(start, "truncated tag") != nullptr;
      if (kind == Kind::kTime || kind == Kind::kMicroTime) {
        p = TimePart(p, end, tag, seconds, nanos);
      } else {
        p = Part(to, p, end, tag, kind);
      }
      if (p == nullptr) return false;
    }
    if (kind == Kind::kTime || kind == Kind::kMicroTime) {
      SetTime(to, kind, empty, seconds, nanos);
    }
    return true;
  }

  const char* TimePart(const char* p, const char* end, uint64_t tag, int64_t& seconds,
                       int32_t& nanos) {
    if (tag == (1 << 3 | kVarint))
      return Scalar(reinterpret_cast<char*>(&seconds), p, end, Kind::kInt64);
    if (tag == (2 << 3 | kVarint))
      return Scalar(reinterpret_cast<char*>(&nanos), p, end, Kind::kInt32);
    return Other(p, end, tag, 2);
  }

  // An empty message is the zero time.
  static void SetTime(char* to, Kind kind, bool empty, int64_t seconds, int32_t nanos) {
    int64_t since_year_1 = empty ? 0 : kube::text::UnixToYear1(seconds);
    int32_t micros = nanos / 1000;
    if (kind == Kind::kMicroTime) {
      // Carries nanoseconds outside of one second, as Go's time.Unix does.
      constexpr int32_t kMicrosPerSecond = 1'000'000;
      since_year_1 += micros / kMicrosPerSecond;
      micros %= kMicrosPerSecond;
      if (micros < 0) {
        micros += kMicrosPerSecond;
        --since_year_1;
      }
      std::memcpy(to + sizeof(since_year_1), &micros, sizeof(micros));
    }
    std::memcpy(to, &since_year_1, sizeof(since_year_1));
  }

  const char* Part(char* to, const char* p, const char* end, uint64_t tag, Kind kind) {
    if (kind == Kind::kDuration) {
      return tag == (1 << 3 | kVarint) ? Scalar(to, p, end, Kind::kInt64) : Other(p, end, tag, 1);
    }
    if (kind == Kind::kIntOrString) return IntOrStringPart(to, p, end, tag);
    if (tag != (1 << 3 | WireType::kBytes)) return Other(p, end, tag, 1);
    const char* data = nullptr;
    const char* after = ReadBytes(p, end, data);
    if (after == nullptr) return Fail(p, "truncated value");
    const auto size = static_cast<size_t>(after - data);
    if (kind == Kind::kQuantity) {
      if (const char* error = CheckQuantity({data, size})) return Fail(p, error);
      builder_.KeepString(to, data, size);
    } else if (kind == Kind::kStringList) {
      builder_.KeepString(builder_.AddElement(to, sizeof(StringRep)), data, size);
    } else {
      builder_.KeepBytes(to, data, size);
    }
    return after;
  }

  const char* IntOrStringPart(char* to, const char* p, const char* end, uint64_t tag) {
    char* value = to + sizeof(StringRep);
    if (tag == (1 << 3 | kVarint)) return Scalar(value + 4, p, end, Kind::kInt32);
    if (tag == (2 << 3 | kVarint)) return Scalar(value, p, end, Kind::kInt32);
    if (tag != (3 << 3 | WireType::kBytes)) return Other(p, end, tag, 3);
    const char* data = nullptr;
    const char* after = ReadBytes(p, end, data);
    if (after == nullptr) return Fail(p, "truncated value");
    builder_.KeepString(to, data, static_cast<size_t>(after - data));
    return after;
  }

  // Handles a field of such a message that was not read. A number up to `known` means that the
  // field is known, but has the wrong wire type; others are skipped.
  const char* Other(const char* p, const char* end, uint64_t tag, uint32_t known) {
    if (tag >> 3 >= 1 && tag >> 3 <= known) return Fail(p, "wrong wire type");
    return SkipUnknown(p, end, tag);
  }

  [[gnu::cold, gnu::noinline]] const char* Fail(const char* p, absl::string_view cause) {
    error_.at = p;
    error_.path = PathText(path_);
    error_.cause = std::string(cause);
    return nullptr;
  }

  BuilderT& builder_;
  const DecodeContext& context_;
  int depth_ = 0;
  PathFrame* path_ = nullptr;
  DecodeError error_;
};

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_PROTOBUF_WIRE_DECODER_H_

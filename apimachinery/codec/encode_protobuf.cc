#include "apimachinery/codec/encode_protobuf.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/internal/back_buffer.h"
#include "apimachinery/codec/internal/leaf.h"
#include "apimachinery/types/internal/message.h"
#include "apimachinery/types/internal/time_text.h"

namespace kube::codec::internal {
namespace {

using kube::internal::kWireInline;

enum WireType : uint32_t { kVarint = 0, kFixed64 = 1, kLength = 2 };

constexpr uint32_t Tag(uint32_t number, WireType type) { return number << 3 | type; }

// Writes one object from its end to its start, as gogo's marshalers do. Functions take the position
// and return the next one, which is lower, or null after an error.
//
// Who writes a value asks for room for a tag and the largest scalar.
class ProtobufEncoder {
 public:
  char* Begin() { return buffer_.end(); }

  char* WriteMessage(char* out, const char* value, const Message& message) {
    return WriteEntries(out, value, message, message.wire, message.wire_count);
  }

  // A field of type bytes or string.
  char* WriteText(char* out, uint32_t number, absl::string_view text) {
    out = buffer_.Reserve(out, text.size() + kScalarRoom);
    out = CopyBefore(out, text.data(), text.size());
    return WriteVarint(WriteVarint(out, text.size()), Tag(number, kLength));
  }

  // Puts the size and the tag before a message that was written from `out` to where `size_after`
  // was still to the end.
  char* WriteHeader(char* out, uint32_t number, size_t size_after) {
    out = buffer_.Reserve(out, kScalarRoom);
    return WriteVarint(WriteVarint(out, SizeFrom(out) - size_after), Tag(number, kLength));
  }

  size_t SizeFrom(const char* out) const { return buffer_.SizeFrom(out); }

  absl::string_view Written(const char* out) const { return buffer_.Written(out); }

  absl::Status Error(const Message& message) const {
    absl::string_view path = path_;
    if (!path.empty() && path[0] == '.') path.remove_prefix(1);
    return absl::InvalidArgumentError(
        absl::StrCat("encode ", path.empty() ? message.type_name() : path, ": ", error_));
  }

 private:
  // Of tags and two scalars, the longest of which has ten bytes.
  static constexpr size_t kScalarRoom = 40;

  char* FailIn(absl::string_view step) {
    path_.insert(0, step.data(), step.size());
    return nullptr;
  }

  static char* CopyBefore(char* out, const char* data, size_t size) {
    out -= size;
    if (size > 16) {
      std::memcpy(out, data, size);
    } else if (size >= 8) {
      // The halves overlap: two moves instead of a call.
      const auto first = Load<uint64_t>(data);
      const auto last = Load<uint64_t>(data + size - 8);
      std::memcpy(out, &first, 8);
      std::memcpy(out + size - 8, &last, 8);
    } else {
      for (size_t i = 0; i < size; ++i) out[i] = data[i];
    }
    return out;
  }

  static char* WriteVarint(char* out, uint64_t value) {
    if (__builtin_expect(value < 0x80, 1)) {
      *--out = static_cast<char>(value);
      return out;
    }
    out -= (std::bit_width(value) + 6) / 7;
    char* at = out;
    for (; value >= 0x80; value >>= 7) *at++ = static_cast<char>(value | 0x80);
    *at = static_cast<char>(value);
    return out;
  }

  static char* WriteVarintField(char* out, uint32_t number, uint64_t value) {
    return WriteVarint(WriteVarint(out, value), Tag(number, kVarint));
  }

  char* WriteEntries(char* out, const char* value, const Message& message, const uint16_t* entries,
                     size_t count) {
    for (size_t i = count; i-- > 0;) {
      const uint16_t entry = entries[i];
      if (__builtin_expect((entry & kWireInline) != 0, 0)) {
        // An inline struct: its number, the count of its entries, and they.
        const uint16_t* inlined = message.wire + (entry & ~kWireInline);
        const size_t after = SizeFrom(out);
        out = WriteEntries(out, value, message, inlined + 2, inlined[1]);
        if (__builtin_expect(out == nullptr, 0)) return nullptr;
        out = WriteHeader(out, inlined[0], after);
        continue;
      }
      const Field& field = message.fields[entry];
      if (IsAbsent(value + field.offset, field)) continue;
      // The most common of those that are there: no way through the switches.
      if (field.shape == Shape::kValue && field.kind == Kind::kString) {
        out = WriteText(out, field.number, TextOf(value + field.offset));
        continue;
      }
      out = WriteField(out, value + field.offset, message, field);
      if (__builtin_expect(out == nullptr, 0)) {
        return FailIn(absl::StrCat(".", message.field_name(field)));
      }
    }
    return out;
  }

  // A null pointer, list or map, which most members are.
  static bool IsAbsent(const char* member, const Field& field) {
    if (field.shape == Shape::kValue) return false;
    if (field.shape == Shape::kOpt) return member[field.element_size] == 0;
    return Load<uint64_t>(member) == 0;
  }

  // Of a member that is not absent.
  char* WriteField(char* out, const char* member, const Message& message, const Field& field) {
    switch (field.shape) {
      case Shape::kValue:
        // Null bytes and lists of strings are nil slices.
        if (field.kind == Kind::kBytes && AsString(member).is_zero()) return out;
        if (field.kind == Kind::kStringList && AsBlock(member) == nullptr) return out;
        return WriteValue(out, member, field.number, field.kind, message.sub(field));
      case Shape::kOpt:
        return WriteValue(out, member, field.number, field.kind, message.sub(field));
      case Shape::kBox:
        return WriteValue(out, AsBox(member), field.number, field.kind, message.sub(field));
      case Shape::kList:
        return WriteList(out, AsBlock(member), message, field);
      case Shape::kMap:
        return WriteMap(out, AsBlock(member), message, field);
    }
    return out;
  }

  char* WriteList(char* out, const ListBlock* block, const Message& message, const Field& field) {
    for (size_t i = SizeOf(block); i-- > 0;) {
      out = WriteValue(out, block->elements() + i * field.element_size, field.number, field.kind,
                       message.sub(field));
      if (__builtin_expect(out == nullptr, 0)) return FailIn(absl::StrCat("[", i, "]"));
    }
    return out;
  }

  char* WriteMap(char* out, const ListBlock* block, const Message& message, const Field& field) {
    for (size_t i = SizeOf(block); i-- > 0;) {
      const char* entry = block->elements() + i * field.element_size;
      const char* value = entry + kEntryValue;
      const size_t after = SizeFrom(out);
      if (field.kind != Kind::kBytes || !AsString(value).is_zero()) {
        out = WriteValue(out, value, 2, field.kind, message.sub(field));
        if (__builtin_expect(out == nullptr, 0)) {
          return FailIn(absl::StrCat("[", TextOf(entry), "]"));
        }
      }
      out = WriteHeader(WriteText(out, 1, TextOf(entry)), field.number, after);
    }
    return out;
  }

  char* WriteValue(char* out, const char* value, uint32_t number, Kind kind, const Message* sub) {
    switch (kind) {
      case Kind::kString:
      case Kind::kBytes:
        return WriteText(out, number, TextOf(value));
      case Kind::kBool:
        out = buffer_.Reserve(out, kScalarRoom);
        *--out = static_cast<char>(*value != 0);
        return WriteVarint(out, Tag(number, kVarint));
      case Kind::kInt32:
        return WriteVarintField(buffer_.Reserve(out, kScalarRoom), number,
                                static_cast<uint64_t>(int64_t{Load<int32_t>(value)}));
      case Kind::kInt64:
        return WriteVarintField(buffer_.Reserve(out, kScalarRoom), number, Load<uint64_t>(value));
      case Kind::kDouble:
        out = buffer_.Reserve(out, kScalarRoom) - sizeof(double);
        std::memcpy(out, value, sizeof(double));
        return WriteVarint(out, Tag(number, kFixed64));
      default:
        break;
    }
    // The rest are messages.
    const size_t after = SizeFrom(out);
    out = WriteBody(out, value, kind, sub);
    if (__builtin_expect(out == nullptr, 0)) return nullptr;
    return WriteHeader(out, number, after);
  }

  char* WriteBody(char* out, const char* value, Kind kind, const Message* sub) {
    switch (kind) {
      case Kind::kMessage:
        return WriteMessage(out, value, *sub);
      case Kind::kTime:
        return WriteTime(out, Load<int64_t>(value), 0);
      case Kind::kMicroTime: {
        const auto time = Load<MicroTimeBits>(value);
        return WriteTime(out, time.seconds, time.micros);
      }
      case Kind::kDuration:
        return WriteVarintField(buffer_.Reserve(out, kScalarRoom), 1, Load<uint64_t>(value));
      case Kind::kQuantity:
        return WriteQuantity(out, TextOf(value));
      case Kind::kIntOrString: {
        const IntOrStringBits& bits = AsIntOrString(value);
        out = WriteText(out, 3, TextOf(bits.text));
        out = buffer_.Reserve(out, kScalarRoom);
        out = WriteVarintField(out, 2, static_cast<uint64_t>(int64_t{bits.number}));
        return WriteVarintField(out, 1, static_cast<uint64_t>(int64_t{bits.type}));
      }
      case Kind::kFieldsV1:
        return AsString(value).size() == 0 ? out : WriteText(out, 1, TextOf(value));
      case Kind::kRawExtension:
      case Kind::kRawJson:
        return AsString(value).is_zero() ? out : WriteText(out, 1, TextOf(value));
      default:  // kStringList
        const ListBlock* block = AsBlock(value);
        for (size_t i = SizeOf(block); i-- > 0;) {
          out = WriteText(out, 1, TextOf(block->elements() + i * sizeof(StringRep)));
        }
        return out;
    }
  }

  // A zero time is an empty message.
  char* WriteTime(char* out, int64_t seconds, int32_t micros) {
    if (seconds == 0 && micros == 0) return out;
    out = WriteVarintField(buffer_.Reserve(out, kScalarRoom), 2, uint64_t{1000} * micros);
    return WriteVarintField(out, 1, static_cast<uint64_t>(kube::internal::Year1ToUnix(seconds)));
  }

  char* WriteQuantity(char* out, absl::string_view text) {
    std::string scratch;
    absl::string_view canonical;
    if (CanonicalQuantity(text, scratch, canonical)) return WriteText(out, 1, canonical);
    error_ = absl::StrCat("\"", text, "\" is not a quantity");
    return nullptr;
  }

  BackBuffer buffer_;
  // Of an error.
  std::string path_;
  std::string error_;
};

// The start of the envelope. (COD-1)
constexpr absl::string_view kMagic("k8s\0", 4);

}  // namespace

absl::Status AppendProtobuf(std::string& out, const void* value, const Message& message) {
  ProtobufEncoder encoder;
  const char* begin =
      encoder.WriteMessage(encoder.Begin(), static_cast<const char*>(value), message);
  if (begin == nullptr) return encoder.Error(message);
  const absl::string_view bytes = encoder.Written(begin);
  out.append(bytes.data(), bytes.size());
  return absl::OkStatus();
}

absl::Status AppendKubernetesProtobuf(std::string& out, const void* value, const Message& message,
                                      const ProtobufTypeMeta& type_meta) {
  // runtime.Unknown: typeMeta, raw, contentEncoding, contentType; the last two are empty.
  ProtobufEncoder encoder;
  char* at = encoder.WriteText(encoder.WriteText(encoder.Begin(), 4, ""), 3, "");
  size_t after = encoder.SizeFrom(at);
  at = encoder.WriteMessage(at, static_cast<const char*>(value), message);
  if (at == nullptr) return encoder.Error(message);
  at = encoder.WriteHeader(at, 2, after);
  after = encoder.SizeFrom(at);
  at = encoder.WriteText(encoder.WriteText(at, 2, type_meta.kind), 1, type_meta.api_version);
  at = encoder.WriteHeader(at, 1, after);
  const absl::string_view bytes = encoder.Written(at);
  out.reserve(out.size() + kMagic.size() + bytes.size());
  out.append(kMagic.data(), kMagic.size());
  out.append(bytes.data(), bytes.size());
  return absl::OkStatus();
}

}  // namespace kube::codec::internal

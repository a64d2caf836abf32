#include "apimachinery/codec/encode_protobuf.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/text/time_text.h"
#include "apimachinery/codec/internal/back_buffer.h"
#include "apimachinery/codec/internal/leaf.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/envelope_prefix.h"

namespace kube::codec::internal {
namespace {

using kube::table::kWireInline;

enum WireType : uint32_t { kVarint = 0, kFixed64 = 1, kLength = 2 };

// Writes one object backwards, from its end to its start, as gogo's marshalers do: when the length
// of a sub-message is to be written in front of it, the sub-message is complete and its length is
// known. Each function takes the position after the bytes to write and returns the lower position
// where they begin, or null after an error. For the same reason fields, elements and entries are
// visited in reverse order.
//
// The writer of a value reserves space for a tag and the largest scalar. After an error, each
// function on the way back prepends its step to `path_`.
class ProtobufEncoder {
 public:
  char* Begin() { return buffer_.end(); }

  char* WriteMessage(char* out, const char* value, const Message& message) {
    return WriteEntries(out, value, message, message.wire(), message.wire_count);
  }

  // Writes a field of type bytes or string.
  char* WriteText(char* out, uint32_t number, absl::string_view text) {
    out = buffer_.Reserve(out, text.size() + kRoom);
    out = CopyBefore(out, text.data(), text.size());
    return WriteTag(WriteVarint(out, text.size()), number, kLength);
  }

  // Writes the length and the tag of a message that begins at `out`. `size_after` is the number of
  // bytes that had been written before the message.
  char* WriteHeader(char* out, uint32_t number, size_t size_after) {
    out = buffer_.Reserve(out, kRoom);
    return WriteTag(WriteVarint(out, SizeFrom(out) - size_after), number, kLength);
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
  // Space for tags and two scalars of at most ten bytes each, or for a tag and a short string.
  static constexpr size_t kRoom = 40;

  char* FailIn(absl::string_view step) {
    path_.insert(0, step.data(), step.size());
    return nullptr;
  }

  static char* CopyBefore(char* out, const char* data, size_t size) {
    out -= size;
    if (size > 64 || size < 16) {
      // `data` may be null if the text is empty.
      if (size > 0) std::memcpy(out, data, size);
      return out;
    }
    // Copies in overlapping pieces of 16 bytes, to avoid a call of memcpy.
    struct Piece {
      uint64_t words[2];
    };
    const auto move = [&](size_t at) {
      const auto piece = Load<Piece>(data + at);
      std::memcpy(out + at, &piece, sizeof(piece));
    };
    move(0);
    if (size > 32) {
      move(16);
      move(size - 32);
    }
    move(size - 16);
    return out;
  }

  // Writes a string member; these are the most frequent fields.
  [[gnu::always_inline]] char* WriteString(char* out, uint32_t number, const StringRep& text) {
    if (!text.is_inline()) [[unlikely]] {
      return WriteText(out, number, TextOf(text));
    }
    // Copies the whole 16-byte representation so that its text ends at `out`. The bytes before the
    // text are not written yet and may be overwritten; the shift drops the tag byte of the
    // representation.
    const size_t size = text.size();
    unsigned __int128 bits;
    static_assert(sizeof(bits) == sizeof(text));
    std::memcpy(&bits, &text, sizeof(bits));
    bits = bits << 8 << (8 * (StringRep::kMaxInline - size));
    out = buffer_.Reserve(out, kRoom);
    std::memcpy(out - sizeof(bits), &bits, sizeof(bits));
    out -= size;
    *--out = static_cast<char>(size);
    return WriteTag(out, number, kLength);
  }

  [[gnu::always_inline]] static char* WriteTag(char* out, uint32_t number, WireType type) {
    const uint32_t tag = number << 3 | type;
    if (tag < 0x80) [[likely]] {
      *--out = static_cast<char>(tag);
      return out;
    }
    if (tag >= 0x4000) [[unlikely]] {
      return WriteVarint(out, tag);
    }
    *--out = static_cast<char>(tag >> 7);
    *--out = static_cast<char>(tag | 0x80);
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
    return WriteTag(WriteVarint(out, value), number, kVarint);
  }

  // For objects that are not in the processor's cache, most of the time goes into waiting for
  // memory, and the hardware prefetcher does not help with backward access. Inline, because g++
  // removes calls of functions that only prefetch.
  [[gnu::always_inline]] static void Prefetch(const char* from, size_t bytes) {
    constexpr size_t kLine = 64;
    constexpr size_t kMost = 32 * kLine;
    for (size_t i = 0; i < bytes && i < kMost; i += kLine) __builtin_prefetch(from + i);
  }
  [[gnu::always_inline]] static void Prefetch(const ListBlock* block, const Field& field) {
    Prefetch(reinterpret_cast<const char*>(block),
             ListBlock::Bytes(block->size, field.element_size));
  }

  char* WriteEntries(char* out, const char* value, const Message& message, const uint16_t* entries,
                     size_t count) {
    for (size_t i = count; i-- > 0;) {
      const uint16_t entry = entries[i];
      if (__builtin_expect((entry & kWireInline) != 0, 0)) {
        // The entries of an inline struct: its field number, the number of its entries, and the
        // entries.
        const uint16_t* inlined = message.wire() + (entry & ~kWireInline);
        const size_t after = SizeFrom(out);
        out = WriteEntries(out, value, message, inlined + 2, inlined[1]);
        if (__builtin_expect(out == nullptr, 0)) return nullptr;
        out = WriteHeader(out, inlined[0], after);
        continue;
      }
      const Field& field = message.fields[entry];
      const char* const member = value + field.offset;
      // Most members are absent, and most of the others are strings.
      if (field.shape >= Shape::kBox && Load<uint64_t>(member) == 0) continue;
      if (field.shape == Shape::kValue && field.kind == Kind::kString) {
        out = WriteString(out, field.number, AsString(member));
        continue;
      }
      out = WriteField(out, member, message, field);
      if (__builtin_expect(out == nullptr, 0)) {
        return FailIn(absl::StrCat(".", message.field_name(field)));
      }
    }
    return out;
  }

  // Writes a member. A Box, List or Map is not null here.
  char* WriteField(char* out, const char* member, const Message& message, const Field& field) {
    switch (field.shape) {
      case Shape::kValue:
        // Null bytes and null lists of strings are nil slices in Go, which are not written.
        if (field.kind == Kind::kBytes && AsString(member).is_zero()) return out;
        if (field.kind == Kind::kStringList && AsBlock(member) == nullptr) return out;
        return WriteValue(out, member, field.number, field.kind, message.sub(field));
      case Shape::kOpt:
        if (member[field.element_size] == 0) return out;
        return WriteValue(out, member, field.number, field.kind, message.sub(field));
      case Shape::kBox:
        Prefetch(AsBox(member), field.element_size);
        return WriteValue(out, AsBox(member), field.number, field.kind, message.sub(field));
      case Shape::kList:
        Prefetch(AsBlock(member), field);
        return WriteList(out, AsBlock(member), message, field);
      case Shape::kMap:
        Prefetch(AsBlock(member), field);
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
      out = WriteHeader(WriteString(out, 1, AsString(entry)), field.number, after);
    }
    return out;
  }

  char* WriteValue(char* out, const char* value, uint32_t number, Kind kind, const Message* sub) {
    switch (kind) {
      case Kind::kString:
      case Kind::kBytes:
        return WriteString(out, number, AsString(value));
      case Kind::kBool:
        out = buffer_.Reserve(out, kRoom);
        *--out = static_cast<char>(*value != 0);
        return WriteTag(out, number, kVarint);
      case Kind::kInt32:
        return WriteVarintField(buffer_.Reserve(out, kRoom), number,
                                static_cast<uint64_t>(int64_t{Load<int32_t>(value)}));
      case Kind::kInt64:
        return WriteVarintField(buffer_.Reserve(out, kRoom), number, Load<uint64_t>(value));
      case Kind::kDouble:
        out = buffer_.Reserve(out, kRoom) - sizeof(double);
        std::memcpy(out, value, sizeof(double));
        return WriteTag(out, number, kFixed64);
      default:
        break;
    }
    // Values of all other kinds are messages.
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
        return WriteVarintField(buffer_.Reserve(out, kRoom), 1, Load<uint64_t>(value));
      case Kind::kQuantity:
        return WriteQuantity(out, TextOf(value));
      case Kind::kIntOrString: {
        const IntOrStringBits& bits = AsIntOrString(value);
        out = WriteText(out, 3, TextOf(bits.text));
        out = buffer_.Reserve(out, kRoom);
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

  // A zero time is written as an empty message.
  char* WriteTime(char* out, int64_t seconds, int32_t micros) {
    if (seconds == 0 && micros == 0) return out;
    out = WriteVarintField(buffer_.Reserve(out, kRoom), 2, uint64_t{1000} * micros);
    return WriteVarintField(out, 1, static_cast<uint64_t>(kube::text::Year1ToUnix(seconds)));
  }

  char* WriteQuantity(char* out, absl::string_view text) {
    std::string scratch;
    absl::string_view canonical;
    if (CanonicalQuantity(text, scratch, canonical)) return WriteText(out, 1, canonical);
    error_ = absl::StrCat("\"", text, "\" is not a quantity");
    return nullptr;
  }

  BackBuffer buffer_;
  // Path and cause of an error.
  std::string path_;
  std::string error_;
};

}  // namespace
}  // namespace kube::codec::internal

namespace kube::codec {

absl::Status AppendProtobuf(std::string& out, const void* value,
                            const kube::table::Message& message) {
  internal::ProtobufEncoder encoder;
  const char* begin =
      encoder.WriteMessage(encoder.Begin(), static_cast<const char*>(value), message);
  if (begin == nullptr) return encoder.Error(message);
  const absl::string_view bytes = encoder.Written(begin);
  out.append(bytes.data(), bytes.size());
  return absl::OkStatus();
}

absl::Status AppendKubernetesProtobuf(std::string& out, const void* value,
                                      const kube::table::Message& message,
                                      const ProtobufTypeMeta& type_meta) {
  // runtime.Unknown: typeMeta, raw, contentEncoding, contentType; the last two are empty.
  internal::ProtobufEncoder encoder;
  char* at = encoder.WriteText(encoder.WriteText(encoder.Begin(), 4, ""), 3, "");
  size_t after = encoder.SizeFrom(at);
  at = encoder.WriteMessage(at, static_cast<const char*>(value), message);
  if (at == nullptr) return encoder.Error(message);
  at = encoder.WriteHeader(at, 2, after);
  after = encoder.SizeFrom(at);
  at = encoder.WriteText(encoder.WriteText(at, 2, type_meta.kind), 1, type_meta.api_version);
  at = encoder.WriteHeader(at, 1, after);
  const absl::string_view bytes = encoder.Written(at);
  out.reserve(out.size() + kEnvelopePrefix.size() + bytes.size());
  out.append(kEnvelopePrefix.data(), kEnvelopePrefix.size());
  out.append(bytes.data(), bytes.size());
  return absl::OkStatus();
}

}  // namespace kube::codec

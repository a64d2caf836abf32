#ifndef APIMACHINERY_CODEC_PROTOBUF_WIRE_H_
#define APIMACHINERY_CODEC_PROTOBUF_WIRE_H_

// Reads the elements of the protobuf wire format, with the leniency of gogo's generated code. The
// bytes must be padded (see PaddedBuffer). Each function returns the position after what it read,
// or null if it is malformed or incomplete. Pure functions: thread-safe.

#include <cstddef>
#include <cstdint>

namespace kube::codec::internal {

enum WireType : uint32_t {
  kVarint = 0,
  kFixed64 = 1,
  kBytes = 2,
  kStartGroup = 3,
  kEndGroup = 4,
  kFixed32 = 5,
};

// Reads a varint of more than one byte. Like gogo, it ignores the bits of the tenth byte that do
// not fit into 64 bits.
const char* ReadLongVarint(const char* p, const char* end, uint64_t& value);

// Reads a tag of more than two bytes. Like gogo, it keeps 32 bits of the field number.
const char* ReadLongTag(const char* p, const char* end, uint64_t& tag);

[[gnu::always_inline]] inline const char* ReadVarint(const char* p, const char* end,
                                                     uint64_t& value) {
  if (p < end && static_cast<uint8_t>(*p) < 0x80) [[likely]] {
    value = static_cast<uint8_t>(*p);
    return p + 1;
  }
  return ReadLongVarint(p, end, value);
}

// Reads a tag, which is a field number and a WireType. Requires `p` < `end`.
[[gnu::always_inline]] inline const char* ReadTag(const char* p, const char* end, uint64_t& tag) {
  const auto first = static_cast<uint8_t>(*p);
  if (first < 0x80) [[likely]] {
    tag = first;
    return p + 1;
  }
  if (p + 1 < end && static_cast<uint8_t>(p[1]) < 0x80) [[likely]] {
    tag = (first & 0x7Fu) | static_cast<uint64_t>(static_cast<uint8_t>(p[1])) << 7;
    return p + 2;
  }
  return ReadLongTag(p, end, tag);
}

// Reads a length and sets `data` to the start of the bytes of this length. Returns the position
// after them.
[[gnu::always_inline]] inline const char* ReadBytes(const char* p, const char* end,
                                                    const char*& data) {
  uint64_t size = 0;
  p = ReadVarint(p, end, size);
  if (p == nullptr || size > static_cast<uint64_t>(end - p)) [[unlikely]] {
    return nullptr;
  }
  data = p;
  return p + size;
}

// Returns the position after the value that follows `tag`, of any wire type; a group is skipped
// with everything in it.
const char* SkipWireValue(const char* p, const char* end, uint64_t tag);

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_PROTOBUF_WIRE_H_

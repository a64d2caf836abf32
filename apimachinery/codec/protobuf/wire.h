#ifndef APIMACHINERY_CODEC_PROTOBUF_WIRE_H_
#define APIMACHINERY_CODEC_PROTOBUF_WIRE_H_

// The pieces of the protobuf wire format, read as gogo's generated code reads them. Bytes are
// padded (see PaddedBuffer); functions return where they stopped, or null.

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

// Of more than one byte. Of the tenth byte gogo ignores what does not fit.
const char* ReadLongVarint(const char* p, const char* end, uint64_t& value);

// Of a number of a field gogo keeps 32 bits.
const char* ReadLongTag(const char* p, const char* end, uint64_t& tag);

[[gnu::always_inline]] inline const char* ReadVarint(const char* p, const char* end,
                                                     uint64_t& value) {
  if (p < end && static_cast<uint8_t>(*p) < 0x80) [[likely]] {
    value = static_cast<uint8_t>(*p);
    return p + 1;
  }
  return ReadLongVarint(p, end, value);
}

// A tag is a number of a field and a WireType. `p` < `end`.
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

// A length and as many bytes, which begin at `data`. Returns after them.
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

// After the value that follows `tag`: of any type, groups with all that is in them.
const char* SkipWireValue(const char* p, const char* end, uint64_t tag);

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_PROTOBUF_WIRE_H_

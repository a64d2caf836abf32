#include "apimachinery/codec/protobuf/wire.h"

#include <cstddef>
#include <cstdint>

namespace kube::codec::internal {

const char* ReadLongVarint(const char* p, const char* end, uint64_t& value) {
  uint64_t sum = 0;
  for (int shift = 0; p < end && shift < 64; shift += 7) {
    const auto byte = static_cast<uint8_t>(*p++);
    sum |= static_cast<uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) {
      value = sum;
      return p;
    }
  }
  return nullptr;
}

const char* ReadLongTag(const char* p, const char* end, uint64_t& tag) {
  p = ReadLongVarint(p, end, tag);
  tag = uint64_t{static_cast<uint32_t>(tag >> 3)} << 3 | (tag & 7);
  return p;
}

const char* SkipWireValue(const char* p, const char* end, uint64_t tag) {
  // Groups may be nested; only the number of open groups is counted.
  size_t open_groups = 0;
  for (;;) {
    uint64_t number = 0;
    const char* data = nullptr;
    switch (tag & 7) {
      case kVarint:
        p = ReadVarint(p, end, number);
        break;
      case kFixed64:
        p = end - p >= 8 ? p + 8 : nullptr;
        break;
      case kBytes:
        p = ReadBytes(p, end, data);
        break;
      case kStartGroup:
        ++open_groups;
        break;
      case kEndGroup:
        if (open_groups == 0) return nullptr;
        --open_groups;
        break;
      case kFixed32:
        p = end - p >= 4 ? p + 4 : nullptr;
        break;
      default:
        return nullptr;
    }
    if (p == nullptr || open_groups == 0) return p;
    if (p >= end) return nullptr;
    p = ReadTag(p, end, tag);
    if (p == nullptr) return nullptr;
  }
}

}  // namespace kube::codec::internal

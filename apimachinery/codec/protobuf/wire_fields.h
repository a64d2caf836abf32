#ifndef APIMACHINERY_CODEC_PROTOBUF_WIRE_FIELDS_H_
#define APIMACHINERY_CODEC_PROTOBUF_WIRE_FIELDS_H_

// What field tables say about the wire format. Pure functions: thread-safe.

#include <cstddef>
#include <cstdint>

#include "apimachinery/codec/protobuf/wire.h"
#include "apimachinery/table/message.h"

namespace kube::codec::internal {

using kube::table::Kind;
using kube::table::kWireInline;
using kube::table::Message;

// Returns the wire type of values of this kind.
constexpr WireType WireTypeOf(Kind kind) {
  switch (kind) {
    case Kind::kBool:
    case Kind::kInt32:
    case Kind::kInt64:
      return kVarint;
    case Kind::kDouble:
      return kFixed64;
    default:
      return WireType::kBytes;
  }
}

// Returns the number of adjacent length-delimited fields with this tag, which are the elements of
// one list. `p` is the position after the first tag.
inline size_t CountRun(const char* p, const char* end, uint64_t tag) {
  size_t count = 1;
  const char* data = nullptr;
  for (p = ReadBytes(p, end, data); p != nullptr && p < end; ++count) {
    uint64_t next = 0;
    p = ReadTag(p, end, next);
    if (p == nullptr || next != tag) break;
    p = ReadBytes(p, end, data);
  }
  return count;
}

inline uint32_t NumberOfEntry(const Message& message, uint16_t entry) {
  return (entry & kWireInline) != 0 ? message.wire()[entry & ~kWireInline]
                                    : message.fields[entry].number;
}

// Returns the position of the entry with this field number, or `count`. Fields come in ascending
// order, so the search begins at `next`, the last entry that was found.
inline uint32_t FindWireEntry(const Message& message, const uint16_t* wire, uint32_t count,
                              uint32_t next, uint32_t number) {
  for (uint32_t i = next; i < count; ++i) {
    if (NumberOfEntry(message, wire[i]) == number) return i;
  }
  for (uint32_t i = 0; i < next; ++i) {
    if (NumberOfEntry(message, wire[i]) == number) return i;
  }
  return count;
}

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_PROTOBUF_WIRE_FIELDS_H_

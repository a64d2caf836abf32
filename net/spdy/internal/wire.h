#ifndef NET_SPDY_INTERNAL_WIRE_H_
#define NET_SPDY_INTERNAL_WIRE_H_

#include <cstddef>
#include <cstdint>

// The numbers in frames.
namespace kube::spdy::internal {

// Each frame begins with a word, flags of one byte and a length of three bytes. The word is that of
// a control frame, with its version and type, or the id of a stream.
constexpr size_t kFrameHeaderBytes = 8;
constexpr uint32_t kControlBit = 0x8000'0000;
constexpr uint32_t kVersion = 3;

enum FrameType : int {
  kSynStream = 1,
  kSynReply = 2,
  kRstStream = 3,
  kSettings = 4,
  kPing = 6,
  kGoAway = 7,
  kHeaders = 8,
  kWindowUpdate = 9,
};

constexpr int kFlagFin = 1;
constexpr int kFlagUnidirectional = 2;
constexpr int kFlagClearSettings = 1;

}  // namespace kube::spdy::internal

#endif  // NET_SPDY_INTERNAL_WIRE_H_

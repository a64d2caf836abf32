#include "net/websocket/frame.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "net/io/big_endian.h"
#include "net/websocket/internal/mask.h"

namespace kube::websocket {
namespace {

constexpr uint8_t kFin = 0x80;
constexpr uint8_t kMasked = 0x80;

// Instead of a length, these say that it follows in two or eight bytes.
constexpr uint8_t kTwoBytes = 126;
constexpr uint8_t kEightBytes = 127;

void AppendLength(uint64_t length, uint8_t masked, std::string& out) {
  if (length < kTwoBytes) {
    io::AppendBigEndian(masked | length, 1, out);
  } else if (length <= UINT16_MAX) {
    io::AppendBigEndian(masked | kTwoBytes, 1, out);
    io::AppendBigEndian(length, 2, out);
  } else {
    io::AppendBigEndian(masked | kEightBytes, 1, out);
    io::AppendBigEndian(length, 8, out);
  }
}

}  // namespace

void AppendFrame(const FrameHeader& header, absl::string_view payload, std::string& out) {
  io::AppendBigEndian((header.fin ? kFin : 0) | static_cast<uint8_t>(header.opcode), 1, out);
  AppendLength(payload.size(), header.mask.has_value() ? kMasked : 0, out);
  if (header.mask.has_value()) out.append(header.mask->data(), header.mask->size());
  const size_t begin = out.size();
  out.append(payload.data(), payload.size());
  if (!header.mask.has_value()) return;
  internal::ApplyMask(*header.mask, 0, absl::MakeSpan(out).subspan(begin));
}

}  // namespace kube::websocket

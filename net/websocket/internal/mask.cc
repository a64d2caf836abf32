#include "net/websocket/internal/mask.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "absl/types/span.h"

namespace kube::websocket::internal {

void ApplyMask(const std::array<char, 4>& key, size_t position, absl::Span<char> data) {
  // The key twice, as it lies over the data: in memory, so that the order of bytes in an integer
  // does not matter.
  std::array<char, sizeof(uint64_t)> pattern;
  for (size_t i = 0; i < pattern.size(); ++i) pattern[i] = key[(position + i) % key.size()];
  uint64_t mask = 0;
  std::memcpy(&mask, pattern.data(), sizeof(mask));
  size_t at = 0;
  for (; data.size() - at >= sizeof(mask); at += sizeof(mask)) {
    uint64_t word = 0;
    std::memcpy(&word, data.data() + at, sizeof(word));
    word ^= mask;
    std::memcpy(data.data() + at, &word, sizeof(word));
  }
  for (size_t i = 0; at < data.size(); ++i, ++at) {
    data[at] = static_cast<char>(data[at] ^ pattern[i]);
  }
}

}  // namespace kube::websocket::internal

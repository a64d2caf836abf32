#ifndef NET_IO_BIG_ENDIAN_H_
#define NET_IO_BIG_ENDIAN_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

// Numbers in the byte order of network protocols: the highest byte comes first. Pure functions:
// thread-safe.
namespace kube::io {

// Appends the lowest `size` bytes of the number, at most eight.
inline void AppendBigEndian(uint64_t number, size_t size, std::string& out) {
  for (size_t i = size; i-- > 0;) out.push_back(static_cast<char>(number >> (8 * i)));
}

// Returns the number that consists of all bytes, at most eight.
inline uint64_t ReadBigEndian(absl::string_view bytes) {
  uint64_t number = 0;
  for (const char byte : bytes) number = number << 8 | static_cast<unsigned char>(byte);
  return number;
}

}  // namespace kube::io

#endif  // NET_IO_BIG_ENDIAN_H_

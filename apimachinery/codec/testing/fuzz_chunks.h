#ifndef APIMACHINERY_CODEC_TESTING_FUZZ_CHUNKS_H_
#define APIMACHINERY_CODEC_TESTING_FUZZ_CHUNKS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace kube::codec::internal {

// The input of a fuzz test of a reader: a byte of flags, a byte that determines the sizes of
// chunks, and the body.
struct StreamInput {
  StreamInput(const uint8_t* data, size_t size)
      : is_json(size > 0 && (data[0] & 1) != 0), chunks(size > 1 ? data[1] : 0) {
    if (size > 2) body.assign(reinterpret_cast<const char*>(data) + 2, size - 2);
  }

  bool is_json;
  uint8_t chunks;
  std::string body;
};

// Calls `append` with pieces of `body`, each in its own allocation, until it returns false.
template <typename Append>
void AppendInChunks(absl::string_view body, uint8_t chunks, const Append& append) {
  uint32_t state = chunks;
  while (!body.empty()) {
    state = state * 1664525 + 1013904223;
    const size_t most = size_t{1} << (chunks % 12);
    const std::string chunk(body.substr(0, 1 + (state >> 8) % most));
    if (!append(chunk)) return;
    body.remove_prefix(chunk.size());
  }
}

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_TESTING_FUZZ_CHUNKS_H_

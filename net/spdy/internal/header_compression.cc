#include "net/spdy/internal/header_compression.h"

#include <zlib.h>

#include <algorithm>
#include <cstddef>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "net/spdy/internal/dictionary.h"
#include "net/spdy/internal/error.h"

namespace kube::spdy::internal {
namespace {

constexpr size_t kPieceBytes = size_t{16} << 10;

// zlib does not write to its input, but asks for it as if it did.
Bytef* Input(absl::string_view bytes) {
  return reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
}

uInt Size(absl::string_view bytes) { return static_cast<uInt>(bytes.size()); }

// Appends `size` bytes to `out`, and lets zlib write there.
void MakeRoom(z_stream& zlib, size_t size, std::string& out) {
  const size_t before = out.size();
  out.resize(before + size);
  zlib.next_out = reinterpret_cast<Bytef*>(out.data() + before);
  zlib.avail_out = static_cast<uInt>(size);
}

// Removes the bytes at the end of `out` that zlib has not written.
void RemoveRoom(const z_stream& zlib, std::string& out) { out.resize(out.size() - zlib.avail_out); }

}  // namespace

HeaderCompressor::HeaderCompressor() {
  const absl::string_view dictionary = Dictionary();
  // Fail only if out of memory.
  KUBE_CHECK(::deflateInit(&zlib_, Z_BEST_COMPRESSION) == Z_OK);
  KUBE_CHECK(::deflateSetDictionary(&zlib_, Input(dictionary), Size(dictionary)) == Z_OK);
}

HeaderCompressor::~HeaderCompressor() { ::deflateEnd(&zlib_); }

void HeaderCompressor::Compress(absl::string_view block, std::string& out) {
  zlib_.next_in = Input(block);
  zlib_.avail_in = Size(block);
  do {
    MakeRoom(zlib_, kPieceBytes, out);
    const int result = ::deflate(&zlib_, Z_SYNC_FLUSH);
    // Z_BUF_ERROR: the last piece was exactly full.
    KUBE_CHECK(result == Z_OK || result == Z_BUF_ERROR) << result;
    RemoveRoom(zlib_, out);
  } while (zlib_.avail_out == 0);
}

HeaderDecompressor::HeaderDecompressor() { KUBE_CHECK(::inflateInit(&zlib_) == Z_OK); }

HeaderDecompressor::~HeaderDecompressor() { ::inflateEnd(&zlib_); }

absl::StatusOr<std::string> HeaderDecompressor::Decompress(absl::string_view payload,
                                                           size_t max_bytes) {
  const absl::string_view dictionary = Dictionary();
  zlib_.next_in = Input(payload);
  zlib_.avail_in = Size(payload);
  std::string block;
  while (true) {
    // One byte more tells that the block is too large.
    MakeRoom(zlib_, std::min(kPieceBytes, max_bytes + 1 - block.size()), block);
    const int result = ::inflate(&zlib_, Z_SYNC_FLUSH);
    RemoveRoom(zlib_, block);
    if (result == Z_NEED_DICT) {
      if (::inflateSetDictionary(&zlib_, Input(dictionary), Size(dictionary)) != Z_OK) {
        return ProtocolError("headers are compressed with an unknown dictionary");
      }
      continue;
    }
    // Z_BUF_ERROR: nothing was left to be done. The end of the stream is the end of the connection.
    if (result != Z_OK && result != Z_BUF_ERROR) return ProtocolError("headers are not compressed");
    if (block.size() > max_bytes) return LimitError("headers too long");
    if (zlib_.avail_out > 0) return block;
  }
}

}  // namespace kube::spdy::internal

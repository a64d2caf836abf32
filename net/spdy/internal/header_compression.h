#ifndef NET_SPDY_INTERNAL_HEADER_COMPRESSION_H_
#define NET_SPDY_INTERNAL_HEADER_COMPRESSION_H_

#include <zlib.h>

#include <cstddef>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

// The header blocks of one direction of a connection are one zlib stream, which begins with a
// dictionary, and of which each block is a part that ends at a byte. All blocks must go through the
// same object in the order in which they are sent. Both classes are thread-compatible.
namespace kube::spdy::internal {

class HeaderCompressor {
 public:
  HeaderCompressor();
  ~HeaderCompressor();
  HeaderCompressor(const HeaderCompressor&) = delete;
  HeaderCompressor& operator=(const HeaderCompressor&) = delete;

  // Appends the compressed block to `out`.
  void Compress(absl::string_view block, std::string& out);

 private:
  z_stream zlib_ = {};
};

class HeaderDecompressor {
 public:
  HeaderDecompressor();
  ~HeaderDecompressor();
  HeaderDecompressor(const HeaderDecompressor&) = delete;
  HeaderDecompressor& operator=(const HeaderDecompressor&) = delete;

  // Returns the block that was compressed to `payload`. Returns an error of the peer (error.h) if
  // it is not a part of the stream, or is larger than `max_bytes`; it takes no more memory than
  // that. The stream is then broken, and further blocks have no meaning.
  absl::StatusOr<std::string> Decompress(absl::string_view payload, size_t max_bytes);

 private:
  z_stream zlib_ = {};
};

}  // namespace kube::spdy::internal

#endif  // NET_SPDY_INTERNAL_HEADER_COMPRESSION_H_

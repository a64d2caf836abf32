// Header blocks, compressed and not: whatever comes in, nothing crashes and limits hold; what is
// read is written and read again as the same; and every block survives compression.

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "net/http/headers.h"
#include "net/spdy/frame.h"
#include "net/spdy/internal/header_block.h"
#include "net/spdy/internal/header_compression.h"

namespace kube::spdy::internal {
namespace {

constexpr Limits kLimits = {.max_headers = 50, .max_header_bytes = 2000, .max_block_bytes = 5000};

void Read(absl::string_view block) {
  for (const HeaderKind kind : {HeaderKind::kRequest, HeaderKind::kResponse}) {
    const absl::StatusOr<http::Headers> headers = DecodeHeaders(block, kind, kLimits);
    if (!headers.ok()) continue;
    KUBE_CHECK_LE(headers->size(), kLimits.max_headers);
    const absl::StatusOr<std::string> written = EncodeHeaders(*headers, kind, kLimits);
    // Names such as ":path" are read, but not written.
    if (!written.ok()) continue;
    const absl::StatusOr<http::Headers> again = DecodeHeaders(*written, kind, kLimits);
    KUBE_CHECK_OK(again);
    KUBE_CHECK(*again == *headers);
  }
}

void Decompress(absl::string_view payload) {
  HeaderDecompressor decompressor;
  const absl::StatusOr<std::string> block =
      decompressor.Decompress(payload, kLimits.max_block_bytes);
  if (!block.ok()) return;
  KUBE_CHECK_LE(block->size(), kLimits.max_block_bytes);
  Read(*block);
}

// A second block continues the stream of the first one.
void Compress(absl::string_view block) {
  HeaderCompressor compressor;
  HeaderDecompressor decompressor;
  for (const absl::string_view part : {block, block.substr(block.size() / 2)}) {
    std::string payload;
    compressor.Compress(part, payload);
    const absl::StatusOr<std::string> again = decompressor.Decompress(payload, block.size());
    KUBE_CHECK_OK(again);
    KUBE_CHECK(*again == part);
  }
}

}  // namespace
}  // namespace kube::spdy::internal

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::string_view bytes(reinterpret_cast<const char*>(data), size);
  kube::spdy::internal::Read(bytes);
  kube::spdy::internal::Decompress(bytes);
  kube::spdy::internal::Compress(bytes);
  return 0;
}

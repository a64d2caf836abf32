#include "net/httpclient/internal/gzip_stream.h"

#include <zlib.h>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/watch/byte_stream.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/transport_error.h"

namespace kube::httpclient::internal {
namespace {

constexpr size_t kPieceBytes = size_t{64} << 10;

absl::Status GzipError(absl::string_view message) {
  return MakeTransportError({.kind = TransportErrorKind::kProtocol}, message);
}

class GzipStream final : public watch::ByteStream {
 public:
  explicit GzipStream(std::unique_ptr<watch::ByteStream> packed) : packed_(std::move(packed)) {
    // 16 selects gzip instead of zlib. Fails only if out of memory.
    KUBE_CHECK(::inflateInit2(&zlib_, 16 + MAX_WBITS) == Z_OK);
  }
  ~GzipStream() override { ::inflateEnd(&zlib_); }
  GzipStream(const GzipStream&) = delete;
  GzipStream& operator=(const GzipStream&) = delete;

  absl::StatusOr<std::string> Read(const Context& ctx) override;
  void Close() override { packed_->Close(); }

 private:
  // Decompresses the next piece; returns "" if that needs more input.
  absl::StatusOr<std::string> Unpack();

  const std::unique_ptr<watch::ByteStream> packed_;
  z_stream zlib_ = {};
  std::string input_;  // read by zlib_
  bool full_ = false;  // the last piece was full: there may be more
  bool member_ended_ = false;
  bool begun_ = false;
  absl::Status error_;
};

absl::StatusOr<std::string> GzipStream::Read(const Context& ctx) {
  KUBE_RETURN_IF_ERROR(error_);
  while (true) {
    absl::StatusOr<std::string> piece = Unpack();
    if (!piece.ok()) error_ = piece.status();
    if (!piece.ok() || !piece->empty()) return piece;
    KUBE_ASSIGN_OR_RETURN(std::string input, packed_->Read(ctx));
    if (input.empty()) {
      // An empty body is accepted as an empty stream.
      if (member_ended_ || !begun_) return std::string();
      return error_ = GzipError("decompress body: unexpected EOF in gzip data");
    }
    begun_ = true;
    input_ = std::move(input);
    zlib_.next_in = reinterpret_cast<Bytef*>(input_.data());
    zlib_.avail_in = static_cast<uInt>(input_.size());
  }
}

absl::StatusOr<std::string> GzipStream::Unpack() {
  std::string piece;
  while (zlib_.avail_in > 0 || full_) {
    // Concatenated gzip members form one stream.
    if (std::exchange(member_ended_, false)) ::inflateReset(&zlib_);
    const size_t before = piece.size();
    piece.resize(before + kPieceBytes);
    zlib_.next_out = reinterpret_cast<Bytef*>(piece.data() + before);
    zlib_.avail_out = static_cast<uInt>(kPieceBytes);
    const int result = ::inflate(&zlib_, Z_SYNC_FLUSH);
    piece.resize(piece.size() - zlib_.avail_out);
    full_ = zlib_.avail_out == 0;
    if (result == Z_STREAM_END) {
      member_ended_ = true;
      full_ = false;
    } else if (result != Z_OK && result != Z_BUF_ERROR) {
      return GzipError("decompress body: invalid gzip data");
    }
    if (!piece.empty()) break;
    if (result == Z_BUF_ERROR) full_ = false;
  }
  return piece;
}

}  // namespace

void UnpackGzip(HttpResponse& response) {
  const auto encoding = response.headers.Get("content-encoding");
  if (!encoding.has_value() || !absl::EqualsIgnoreCase(*encoding, "gzip")) return;
  response.headers.Remove("content-encoding");
  response.headers.Remove("content-length");
  response.body = std::make_unique<GzipStream>(std::move(response.body));
}

}  // namespace kube::httpclient::internal

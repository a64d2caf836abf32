#include "net/httpclient/internal/gzip_stream.h"

#include <zlib.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/watch/byte_stream.h"
#include "gtest/gtest.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/transport_error.h"

namespace kube::httpclient::internal {
namespace {

using ::kube::base::IsOkAndHolds;
using ::kube::base::StatusIs;

std::string Pack(const std::string& text) {
  z_stream zlib = {};
  ::deflateInit2(&zlib, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string packed(::deflateBound(&zlib, text.size()) + 32, '\0');
  zlib.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  zlib.avail_in = static_cast<uInt>(text.size());
  zlib.next_out = reinterpret_cast<Bytef*>(packed.data());
  zlib.avail_out = static_cast<uInt>(packed.size());
  ::deflate(&zlib, Z_FINISH);
  packed.resize(packed.size() - zlib.avail_out);
  ::deflateEnd(&zlib);
  return packed;
}

// Gives a text in pieces.
class Pieces final : public watch::ByteStream {
 public:
  Pieces(std::string text, size_t piece) : text_(std::move(text)), piece_(piece) {}
  absl::StatusOr<std::string> Read(const Context&) override {
    const std::string piece = text_.substr(0, piece_);
    text_.erase(0, piece_);
    return piece;
  }
  void Close() override {}

 private:
  std::string text_;
  const size_t piece_;
};

absl::StatusOr<std::string> Unpack(const std::string& packed, size_t piece) {
  HttpResponse response = {.headers = {{"content-encoding", "gzip"}, {"content-length", "1"}},
                           .body = std::make_unique<Pieces>(packed, piece)};
  UnpackGzip(response);
  EXPECT_TRUE(response.headers.empty());
  std::string all;
  while (true) {
    const absl::StatusOr<std::string> read = response.body->Read(Context());
    if (!read.ok()) return read.status();
    if (read->empty()) return all;
    all += *read;
  }
}

TEST(GzipStreamTest, Unpacks) {
  std::string large;
  for (int i = 0; i < 40'000; ++i) large += std::to_string(i * 7919);
  for (const std::string& text : {std::string("text"), std::string(), large}) {
    for (const size_t piece : {1, 7, 4096, 1 << 20}) {
      const auto unpacked = Unpack(Pack(text), piece);
      ASSERT_THAT(unpacked, base::IsOk());
      EXPECT_TRUE(*unpacked == text);
    }
  }
  EXPECT_THAT(Unpack(Pack("one") + Pack("two"), 5), IsOkAndHolds("onetwo"));
  EXPECT_THAT(Unpack("", 5), IsOkAndHolds(""));
}

TEST(GzipStreamTest, EveryTruncationIsAnError) {
  const std::string packed = Pack("some text to pack");
  for (size_t size = 1; size < packed.size(); ++size) {
    const absl::Status status = Unpack(packed.substr(0, size), 4).status();
    EXPECT_EQ(TransportErrorOf(status), (TransportError{.kind = TransportErrorKind::kProtocol}))
        << size << " " << status;
  }
  EXPECT_THAT(Unpack("this is no gzip", 100), StatusIs(absl::StatusCode::kDataLoss));
  std::string damaged = packed;
  damaged[damaged.size() - 6] ^= 1;  // the checksum
  EXPECT_THAT(Unpack(damaged, 100), StatusIs(absl::StatusCode::kDataLoss));
}

}  // namespace
}  // namespace kube::httpclient::internal

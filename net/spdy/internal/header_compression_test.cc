#include "net/spdy/internal/header_compression.h"

#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/dice.h"

namespace kube::spdy::internal {
namespace {

using base::IsOkAndHolds;
using base::StatusIs;

constexpr size_t kMaxBytes = 1 << 20;

std::string Compressed(HeaderCompressor& compressor, absl::string_view block) {
  std::string out;
  compressor.Compress(block, out);
  return out;
}

// behaviour.md: ST-82
TEST(HeaderCompressionTest, StreamBeginsWithTheDictionary) {
  HeaderCompressor compressor;
  const std::string first = Compressed(compressor, "block");
  // Best compression, a dictionary, and its checksum.
  EXPECT_EQ(absl::BytesToHexString(first.substr(0, 6)), "78f9e3c6a7c2");
  // Each part ends at a byte.
  EXPECT_TRUE(absl::EndsWith(absl::BytesToHexString(first), "0000ffff"));
  const std::string second = Compressed(compressor, "block");
  EXPECT_NE(second.substr(0, 6), first.substr(0, 6));
  EXPECT_TRUE(absl::EndsWith(absl::BytesToHexString(second), "0000ffff"));
}

TEST(HeaderCompressionTest, OutputIsAppended) {
  HeaderCompressor compressor;
  std::string out = "before";
  compressor.Compress("block", out);
  EXPECT_TRUE(absl::StartsWith(out, "before"));
}

// behaviour.md: ST-82
TEST(HeaderCompressionTest, BlocksOfAnySizeComeBack) {
  constexpr uint64_t kSeed = 20'261'132;
  SCOPED_TRACE(kSeed);
  oracle::Dice dice(kSeed);
  HeaderCompressor compressor;
  HeaderDecompressor decompressor;
  for (int i = 0; i < 300; ++i) {
    std::string block(dice.Below(dice.Below(20) == 0 ? 200'000 : 400), 'x');
    // Some of them cannot be compressed.
    if (dice.Below(2) == 0) {
      for (char& byte : block) byte = static_cast<char>(dice.Below(256));
    }
    const auto again = decompressor.Decompress(Compressed(compressor, block), kMaxBytes);
    ASSERT_TRUE(again.ok()) << again.status();
    ASSERT_TRUE(*again == block) << i;
  }
}

// Sizes around those at which the room for output is exactly full.
TEST(HeaderCompressionTest, BlocksThatFillTheRoomComeBack) {
  HeaderCompressor compressor;
  HeaderDecompressor decompressor;
  oracle::Dice dice(1);
  for (size_t size = 16'300; size < 16'450; ++size) {
    std::string block(size, '\0');
    for (char& byte : block) byte = static_cast<char>(dice.Below(256));
    EXPECT_THAT(decompressor.Decompress(Compressed(compressor, block), kMaxBytes),
                IsOkAndHolds(block))
        << size;
  }
}

TEST(HeaderCompressionTest, RepeatedBlocksTakeFewBytes) {
  HeaderCompressor compressor;
  const std::string block = "streamtype error port 8080 requestid 0";
  const size_t first = Compressed(compressor, block).size();
  EXPECT_LT(Compressed(compressor, block).size(), first / 2);
}

TEST(HeaderCompressionTest, LargeBlocksAreRefusedBeforeTheyAreComplete) {
  HeaderCompressor compressor;
  const std::string bomb = Compressed(compressor, std::string(20 << 20, 'x'));
  EXPECT_LT(bomb.size(), 100u << 10);
  HeaderDecompressor decompressor;
  EXPECT_THAT(decompressor.Decompress(bomb, kMaxBytes),
              StatusIs(absl::StatusCode::kResourceExhausted, "spdy: headers too long"));
}

TEST(HeaderCompressionTest, BlockAtTheLimitIsRead) {
  for (const size_t size : {size_t{0}, size_t{1}, size_t{16'384}, size_t{40'000}}) {
    HeaderCompressor compressor;
    const std::string block(size, 'x');
    const std::string payload = Compressed(compressor, block);
    HeaderDecompressor decompressor;
    EXPECT_THAT(decompressor.Decompress(payload, size), IsOkAndHolds(block));
    if (size == 0) continue;
    HeaderDecompressor strict;
    EXPECT_THAT(strict.Decompress(payload, size - 1),
                StatusIs(absl::StatusCode::kResourceExhausted));
  }
}

TEST(HeaderCompressionTest, OtherBytesAreErrors) {
  const auto broken = StatusIs(absl::StatusCode::kDataLoss);
  EXPECT_THAT(HeaderDecompressor().Decompress("what is this?", kMaxBytes), broken);
  HeaderCompressor compressor;
  std::string payload = Compressed(compressor, "block");
  const std::string half = payload.substr(0, payload.size() / 2);
  EXPECT_NE(HeaderDecompressor().Decompress(half, kMaxBytes).value_or(""), "block");
  // The checksum of another dictionary.
  payload[3] ^= 1;
  EXPECT_THAT(HeaderDecompressor().Decompress(payload, kMaxBytes),
              StatusIs(absl::StatusCode::kDataLoss,
                       "spdy: headers are compressed with an unknown dictionary"));
}

// The second part of a stream has no meaning without the first one.
TEST(HeaderCompressionTest, PartsAreInTheirOrder) {
  HeaderCompressor compressor;
  const std::string first = Compressed(compressor, "block");
  const std::string second = Compressed(compressor, "block");
  HeaderDecompressor decompressor;
  EXPECT_THAT(decompressor.Decompress(second, kMaxBytes), StatusIs(absl::StatusCode::kDataLoss));
}

// Go accepts it, too.
TEST(HeaderCompressionTest, StreamMayDoWithoutTheDictionary) {
  z_stream zlib = {};
  ASSERT_EQ(::deflateInit(&zlib, Z_DEFAULT_COMPRESSION), Z_OK);
  std::string in = "block";
  std::string out(100, '\0');
  zlib.next_in = reinterpret_cast<Bytef*>(in.data());
  zlib.avail_in = static_cast<uInt>(in.size());
  zlib.next_out = reinterpret_cast<Bytef*>(out.data());
  zlib.avail_out = static_cast<uInt>(out.size());
  ASSERT_EQ(::deflate(&zlib, Z_SYNC_FLUSH), Z_OK);
  out.resize(out.size() - zlib.avail_out);
  ::deflateEnd(&zlib);
  EXPECT_THAT(HeaderDecompressor().Decompress(out, kMaxBytes), IsOkAndHolds(std::string("block")));
}

TEST(HeaderCompressionTest, EndOfTheStreamIsAnError) {
  std::string out(100, '\0');
  uLongf size = out.size();
  ASSERT_EQ(::compress(reinterpret_cast<Bytef*>(out.data()), &size,
                       reinterpret_cast<const Bytef*>("block"), 5),
            Z_OK);
  out.resize(size);
  EXPECT_THAT(HeaderDecompressor().Decompress(out, kMaxBytes),
              StatusIs(absl::StatusCode::kDataLoss));
}

}  // namespace
}  // namespace kube::spdy::internal

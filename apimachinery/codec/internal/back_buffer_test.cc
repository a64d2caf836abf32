#include "apimachinery/codec/internal/back_buffer.h"

#include <cstddef>
#include <cstring>
#include <string>

#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace kube::codec::internal {
namespace {

TEST(BackBuffer, KeepsWhatIsWrittenWhenItGrows) {
  BackBuffer buffer;
  std::string want;
  char* out = buffer.end();
  EXPECT_EQ(buffer.SizeFrom(out), 0);
  for (size_t i = 0; i < 2'000; ++i) {
    const std::string piece(i % 100, static_cast<char>('a' + i % 26));
    out = buffer.Reserve(out, piece.size()) - piece.size();
    std::memcpy(out, piece.data(), piece.size());
    want.insert(0, piece);
  }
  EXPECT_EQ(buffer.Written(out), absl::string_view(want));
  out = buffer.Reserve(out, 10'000'000);
  std::memset(out - 10'000'000, 'x', 10'000'000);
  EXPECT_EQ(buffer.Written(out), absl::string_view(want));
  EXPECT_EQ(buffer.SizeFrom(out), want.size());
}

}  // namespace
}  // namespace kube::codec::internal

#include "net/spdy/internal/dictionary.h"

#include <zlib.h>

#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace kube::spdy::internal {
namespace {

// A stream of zlib names its dictionary by this checksum.
// behaviour.md: ST-82
TEST(DictionaryTest, SizeAndChecksumAreThoseOfThePeers) {
  const absl::string_view text = Dictionary();
  ASSERT_EQ(text.size(), 1423u);
  EXPECT_EQ(::adler32(::adler32(0, nullptr, 0), reinterpret_cast<const Bytef*>(text.data()),
                      static_cast<uInt>(text.size())),
            0xe3c6'a7c2u);
}

TEST(DictionaryTest, BeginsWithWordsAndEndsWithText) {
  EXPECT_TRUE(absl::StartsWith(Dictionary(), absl::string_view("\0\0\0\7options\0\0\0\4head", 19)));
  EXPECT_TRUE(absl::EndsWith(Dictionary(), "charset=iso-8859-1,utf-,*,enq=0."));
}

}  // namespace
}  // namespace kube::spdy::internal

#include "apimachinery/codec/stream/padded_buffer.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"

namespace kube::codec {
namespace {

std::string TextOf(const PaddedBuffer& buffer) {
  return std::string(buffer.view().data(), buffer.size());
}

// Quotes, then zeros: no JSON text continues with these.
void ExpectPadded(const PaddedBuffer& buffer) {
  const char* padding = buffer.data() + buffer.size();
  EXPECT_EQ(absl::string_view(padding, 3), "\"\"\"");
  for (size_t i = 0; i < PaddedBuffer::kPadding; ++i) {
    EXPECT_TRUE(padding[i] == '"' || padding[i] == '\0') << i;
  }
  EXPECT_EQ(padding[PaddedBuffer::kPadding - 1], '\0');
}

TEST(PaddedBufferTest, IsEmptyAtFirst) {
  const PaddedBuffer buffer;
  EXPECT_TRUE(buffer.empty());
  EXPECT_EQ(buffer.view(), "");
  ExpectPadded(buffer);
  ExpectPadded(PaddedBuffer(""));
  ExpectPadded(PaddedBuffer(absl::string_view()));
}

TEST(PaddedBufferTest, Grows) {
  PaddedBuffer buffer;
  std::string want;
  for (size_t i = 0; i < 300; ++i) {
    const std::string piece(i, static_cast<char>('a' + i % 26));
    buffer.Append(piece);
    want += piece;
    ASSERT_EQ(TextOf(buffer), want);
    ExpectPadded(buffer);
  }
}

TEST(PaddedBufferTest, TakesAnyBytes) {
  const std::string bytes("\0\xff\n\"", 4);
  EXPECT_EQ(TextOf(PaddedBuffer(bytes)), bytes);
}

TEST(PaddedBufferTest, RemovesFromTheStart) {
  PaddedBuffer buffer("abcdef");
  buffer.RemovePrefix(2);
  EXPECT_EQ(TextOf(buffer), "cdef");
  ExpectPadded(buffer);
  buffer.RemovePrefix(0);
  EXPECT_EQ(TextOf(buffer), "cdef");
  buffer.Append("g");
  EXPECT_EQ(TextOf(buffer), "cdefg");
  ExpectPadded(buffer);
}

TEST(PaddedBufferTest, KeepsItsMemoryWhenItIsCleared) {
  PaddedBuffer buffer(std::string(1000, 'a'));
  const char* const memory = buffer.data();
  buffer.Clear();
  EXPECT_TRUE(buffer.empty());
  ExpectPadded(buffer);
  buffer.Append(std::string(1000, 'b'));
  EXPECT_EQ(buffer.data(), memory);
  EXPECT_EQ(TextOf(buffer), std::string(1000, 'b'));
  PaddedBuffer empty;
  empty.Clear();
  EXPECT_TRUE(empty.empty());
}

TEST(PaddedBufferTest, Moves) {
  PaddedBuffer from("abc");
  PaddedBuffer to(std::move(from));
  EXPECT_EQ(TextOf(to), "abc");
  EXPECT_TRUE(from.empty());  // NOLINT(bugprone-use-after-move): it is empty
  ExpectPadded(from);
  from.Append("d");
  EXPECT_EQ(TextOf(from), "d");
  to = std::move(from);
  EXPECT_EQ(TextOf(to), "d");
  PaddedBuffer& same = to;
  to = std::move(same);
  EXPECT_EQ(TextOf(to), "d");
}

}  // namespace
}  // namespace kube::codec

#include "net/io/byte_queue.h"

#include <cstddef>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::io {
namespace {

using ::testing::IsEmpty;

TEST(ByteQueueTest, HandsOutWhatWasAddedInOrder) {
  ByteQueue queue;
  EXPECT_TRUE(queue.empty());
  EXPECT_THAT(queue.Take(), IsEmpty());
  queue.Append("one ");
  queue.Append("");
  queue.Append("two");
  EXPECT_EQ(queue.size(), 7u);
  EXPECT_EQ(queue.Take(), "one two") << "small pieces are joined";
  EXPECT_TRUE(queue.empty());
}

TEST(ByteQueueTest, LargePiecesAreNotJoined) {
  ByteQueue queue;
  const std::string large(100'000, 'x');
  queue.Append(large);
  queue.Append(large);
  EXPECT_EQ(queue.Take(), large);
  EXPECT_EQ(queue.size(), large.size());
  EXPECT_EQ(queue.Take(), large);
}

TEST(ByteQueueTest, TakeInto_AnyNumberOfBytes_KeepsTheOrder) {
  std::string all;
  for (int i = 0; i < 20'000; ++i) absl::StrAppend(&all, i, " ");
  for (const size_t piece : {size_t{1}, size_t{7}, size_t{5000}, all.size()}) {
    for (const size_t most : {size_t{1}, size_t{13}, size_t{4096}, all.size() + 1}) {
      SCOPED_TRACE(absl::StrCat(piece, " in, ", most, " out"));
      ByteQueue queue;
      for (size_t at = 0; at < all.size(); at += piece) queue.Append(all.substr(at, piece));
      EXPECT_EQ(queue.size(), all.size());
      std::string taken;
      while (!queue.empty()) {
        const size_t before = taken.size();
        const size_t waited = queue.size();
        queue.TakeInto(taken, most);
        ASSERT_GT(taken.size(), before);
        ASSERT_LE(taken.size(), before + most);
        ASSERT_EQ(queue.size(), waited - (taken.size() - before));
      }
      EXPECT_TRUE(taken == all);
    }
  }
}

TEST(ByteQueueTest, Take_BehindTakeInto_ReturnsTheRestOfThePiece) {
  ByteQueue queue;
  queue.Append("abcdef");
  std::string out = ">";
  queue.TakeInto(out, 0);
  EXPECT_EQ(out, ">");
  queue.TakeInto(out, 2);
  EXPECT_EQ(out, ">ab");
  queue.Append("g");
  EXPECT_EQ(queue.size(), 5u);
  EXPECT_EQ(queue.Take(), "cdefg");
  EXPECT_TRUE(queue.empty());
  queue.TakeInto(out, 1);
  EXPECT_EQ(out, ">ab");
}

TEST(ByteQueueTest, Recycle_UsesTheMemoryAgain) {
  ByteQueue queue;
  queue.Append(std::string(50'000, 'x'));
  std::string piece = queue.Take();
  const char* const memory = piece.data();
  queue.Recycle(std::move(piece));
  queue.Append(std::string(40'000, 'y'));
  const std::string again = queue.Take();
  EXPECT_EQ(again.data(), memory);
  EXPECT_EQ(again, std::string(40'000, 'y'));
}

TEST(ByteQueueTest, Clear_DropsWhatWaits) {
  ByteQueue queue;
  queue.Append("abc");
  std::string out;
  queue.TakeInto(out, 1);
  queue.Clear();
  EXPECT_TRUE(queue.empty());
  EXPECT_THAT(queue.Take(), IsEmpty());
  queue.Append("new");
  EXPECT_EQ(queue.Take(), "new");
}

}  // namespace
}  // namespace kube::io

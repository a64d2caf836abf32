#include "apimachinery/table/layout.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "absl/base/config.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::table {
namespace {

std::string Text(size_t size) {
  std::string text;
  for (size_t i = 0; i < size; ++i) text += static_cast<char>('a' + i % 26);
  return text;
}

std::string TextOf(const StringRep& rep) { return std::string(rep.data(), rep.size()); }

TEST(StringRepTest, ZeroBitsAreEmpty) {
  const StringRep rep;
  EXPECT_TRUE(rep.is_zero());
  EXPECT_TRUE(rep.is_inline());
  EXPECT_EQ(rep.size(), 0u);
}

TEST(StringRepTest, UpToFifteenBytesAreInside) {
  for (size_t size = 0; size <= StringRep::kMaxInline; ++size) {
    SCOPED_TRACE(size);
    const std::string text = Text(size);
    const std::string padded = text + std::string(16, '\xff');
    const StringRep inside = StringRep::Inline(text.data(), size);
    const StringRep from_padded = StringRep::InlinePadded(padded.data(), size);
    const StringRep copy = StringRep::Copy(text.data(), size);
    EXPECT_EQ(std::memcmp(&inside, &from_padded, sizeof(inside)), 0);
    EXPECT_EQ(std::memcmp(&inside, &copy, sizeof(inside)), 0);
    EXPECT_TRUE(inside.is_inline());
    EXPECT_FALSE(inside.is_owned());
    EXPECT_EQ(TextOf(inside), text);
    EXPECT_EQ(inside.is_zero(), size == 0);
  }
}

TEST(StringRepTest, MoreIsCopiedToMemoryOfItsOwn) {
  for (const size_t size : {16, 17, 31, 32, 33, 255, 256, 65536}) {
    SCOPED_TRACE(size);
    const std::string text = Text(size);
    const StringRep copy = StringRep::Copy(text.data(), size);
    EXPECT_TRUE(copy.is_owned());
    EXPECT_FALSE(copy.is_inline());
    EXPECT_FALSE(copy.is_in_node());
    EXPECT_NE(copy.data(), text.data());
    EXPECT_EQ(TextOf(copy), text);
    copy.Destroy();
  }
}

TEST(StringRepTest, WhatIsBorrowedIsNotFreed) {
  const std::string text = Text(40);
  const StringRep in_block = StringRep::InBlock(text.data(), text.size());
  const StringRep in_node = StringRep::InNode(text.data(), text.size());
  for (const StringRep& rep : {in_block, in_node}) {
    EXPECT_FALSE(rep.is_owned());
    EXPECT_FALSE(rep.is_inline());
    EXPECT_EQ(rep.data(), text.data());
    EXPECT_EQ(TextOf(rep), text);
    rep.Destroy();
  }
  EXPECT_FALSE(in_block.is_in_node());
  EXPECT_TRUE(in_node.is_in_node());
}

TEST(StringRepTest, PresentEmptyIsEmptyButNotZero) {
  constexpr StringRep kEmpty = StringRep::PresentEmpty();
  EXPECT_TRUE(kEmpty.is_inline());
  EXPECT_FALSE(kEmpty.is_zero());
  EXPECT_EQ(kEmpty.size(), 0u);
}

TEST(StringRepTest, HoldsUpToFourGibibytesLessOne) {
  const char byte = 'x';
  EXPECT_EQ(StringRep::InBlock(&byte, StringRep::kMaxSize).size(), size_t{UINT32_MAX});
}

TEST(StringRepDeathTest, ALongerTextEndsTheProgram) {
  const char byte = 'x';
  EXPECT_DEATH((void)StringRep::Copy(&byte, size_t{1} << 32),
               "kube: String of size 4294967296 is too large");
}

// These sanitizers end the program themselves, with another message.
#if !defined(ABSL_HAVE_ADDRESS_SANITIZER) && !defined(ABSL_HAVE_THREAD_SANITIZER)
TEST(AllocateDeathTest, SaysHowMuchThereWasNot) {
  // Hidden from the optimiser, which knows how much malloc can return.
  volatile size_t bytes = SIZE_MAX / 4;
  EXPECT_DEATH((void)Allocate(bytes), "allocate [0-9]+ bytes: out of memory");
  EXPECT_DEATH((void)Reallocate(nullptr, bytes), "allocate [0-9]+ bytes: out of memory");
}
#endif

TEST(ListBlockTest, TheEmptyBlockIsNobodys) {
  const ListBlock* block = EmptyListBlock();
  EXPECT_EQ(block, EmptyListBlock());
  EXPECT_EQ(block->size, 0u);
  EXPECT_EQ(block->capacity(), 0u);
  EXPECT_FALSE(block->is_owned());
  EXPECT_FALSE(block->is_in_node());
}

TEST(ListBlockTest, FlagsAreNoPartOfTheCapacity) {
  const struct {
    const char* name;
    uint32_t flags;
    bool owned;
    bool in_node;
  } cases[] = {
      {"owned", 0, true, false},
      {"in a block", ListBlock::kInBlock, false, false},
      {"in a node", ListBlock::kInBlock | ListBlock::kInNode, false, true},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    const ListBlock block = {.size = 2, .capacity_and_flags = 3 | c.flags};
    EXPECT_EQ(block.capacity(), 3u);
    EXPECT_EQ(block.is_owned(), c.owned);
    EXPECT_EQ(block.is_in_node(), c.in_node);
  }
}

TEST(BoxRepTest, TellsWhoOwnsTheValue) {
  alignas(8) char value[8] = {};
  EXPECT_FALSE(BoxRep());
  EXPECT_EQ(BoxRep().value(), nullptr);
  EXPECT_TRUE(BoxRep::Owned(value).is_owned());
  EXPECT_FALSE(BoxRep::InBlock(value).is_owned());
  EXPECT_FALSE(BoxRep::InNode(value).is_owned());
  EXPECT_FALSE(BoxRep::InBlock(value).is_in_node());
  EXPECT_TRUE(BoxRep::InNode(value).is_in_node());
  for (const BoxRep& box : {BoxRep::Owned(value), BoxRep::InBlock(value), BoxRep::InNode(value)}) {
    EXPECT_TRUE(box);
    EXPECT_EQ(box.value(), value);
  }
}

TEST(AlignUpTest, ToEight) {
  for (size_t bytes = 0; bytes < 40; ++bytes) {
    EXPECT_EQ(AlignUp(bytes) % 8, 0u);
    EXPECT_GE(AlignUp(bytes), bytes);
    EXPECT_LT(AlignUp(bytes), bytes + 8);
  }
}

}  // namespace
}  // namespace kube::table

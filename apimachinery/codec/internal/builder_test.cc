#include "apimachinery/codec/internal/builder.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/stream/padded_buffer.h"
#include "apimachinery/table/layout.h"
#include "apimachinery/table/message.h"
#include "apimachinery/table/ops.h"
#include "tests/dice.h"

// Tests HeapBuilder. Members are freed as values are, so that ASan reports leaks of the builder.

namespace kube::codec::internal {
namespace {

using kube::table::Kind;

constexpr Type kTexts = {Kind::kString, sizeof(StringRep), nullptr};
constexpr Type kNumbers = {Kind::kInt32, sizeof(int32_t), nullptr};

absl::string_view TextAt(const char* member) {
  const auto& rep = *reinterpret_cast<const StringRep*>(member);
  return {rep.data(), rep.size()};
}

template <typename T>
class Member {
 public:
  char* get() { return reinterpret_cast<char*>(&rep_); }
  T& rep() { return rep_; }

 private:
  T rep_{};
};

class HeapBuilderTest : public testing::Test {
 protected:
  HeapMemory memory_;
  HeapBuilder builder_{memory_};
};

TEST_F(HeapBuilderTest, StringsReplaceStrings) {
  Member<StringRep> member;
  for (const size_t size : {0, 1, 7, 8, 15, 16, 17, 1000, 3, 16}) {
    const std::string text(size, 'a');
    const PaddedBuffer input(text);
    builder_.KeepString(member.get(), input.data(), input.size());
    EXPECT_EQ(TextAt(member.get()), text);
    builder_.CopyString(member.get(), text.data(), text.size());
    EXPECT_EQ(TextAt(member.get()), text);
  }
  builder_.Clear(member.get(), kTexts);
  EXPECT_TRUE(member.rep().is_zero());
}

TEST_F(HeapBuilderTest, EmptyBytesAreThere) {
  Member<StringRep> member;
  const PaddedBuffer input("");
  builder_.KeepBytes(member.get(), input.data(), 0);
  EXPECT_FALSE(member.rep().is_zero());
  EXPECT_EQ(member.rep().size(), 0u);
  builder_.CopyBytes(member.get(), "twenty bytes, or more", 20);
  EXPECT_EQ(TextAt(member.get()), "twenty bytes, or mor");
  builder_.CopyBytes(member.get(), "", 0);
  EXPECT_FALSE(member.rep().is_zero());
  EXPECT_EQ(member.rep().size(), 0u);
  builder_.KeepString(member.get(), input.data(), 0);
  EXPECT_TRUE(member.rep().is_zero());
}

TEST_F(HeapBuilderTest, BoxesStay) {
  Member<BoxRep> member;
  char* value = builder_.OpenBox(member.get(), sizeof(StringRep));
  EXPECT_TRUE(reinterpret_cast<StringRep*>(value)->is_zero());
  builder_.CopyString(value, "longer than fifteen bytes", 25);
  EXPECT_EQ(builder_.OpenBox(member.get(), sizeof(StringRep)), value);
  EXPECT_EQ(TextAt(value), "longer than fifteen bytes");
  builder_.ClearBox(member.get(), kTexts);
  EXPECT_FALSE(member.rep());
  builder_.ClearBox(member.get(), kTexts);
}

TEST_F(HeapBuilderTest, ListsGrowAndAreTrimmed) {
  for (const size_t count : {0, 1, 2, 3, 4, 5, 8, 9, 100}) {
    Member<ListBlock*> member;
    builder_.OpenList(member.get());
    for (size_t i = 0; i < count; ++i) {
      char* element = builder_.AddElement(member.get(), sizeof(StringRep));
      EXPECT_TRUE(reinterpret_cast<StringRep*>(element)->is_zero());
      const std::string text = absl::StrCat("element number ", i);
      builder_.CopyString(element, text.data(), text.size());
    }
    builder_.CloseList(member.get(), sizeof(StringRep));
    ASSERT_EQ(builder_.ListSize(member.get()), count);
    EXPECT_EQ(member.rep()->capacity(), count);
    for (size_t i = 0; i < count; ++i) {
      EXPECT_EQ(TextAt(builder_.ElementAt(member.get(), sizeof(StringRep), i)),
                absl::StrCat("element number ", i));
    }
    builder_.ClearList(member.get(), kTexts);
    EXPECT_EQ(member.rep(), nullptr);
  }
}

TEST_F(HeapBuilderTest, ListsGrowAfterTheyWereTrimmed) {
  Member<ListBlock*> member;
  for (int i = 0; i < 10; ++i) {
    char* element = builder_.AddElement(member.get(), sizeof(int32_t));
    EXPECT_EQ(*reinterpret_cast<int32_t*>(element), 0);
    *reinterpret_cast<int32_t*>(element) = i;
    builder_.CloseList(member.get(), sizeof(int32_t));
  }
  for (size_t i = 0; i < 10; ++i) {
    EXPECT_EQ(*reinterpret_cast<int32_t*>(builder_.ElementAt(member.get(), 4, i)),
              static_cast<int32_t>(i));
  }
  builder_.ClearList(member.get(), kNumbers);
}

TEST_F(HeapBuilderTest, TruncatedElementsAreFreed) {
  Member<ListBlock*> member;
  for (int i = 0; i < 5; ++i) {
    builder_.CopyString(builder_.AddElement(member.get(), sizeof(StringRep)),
                        "longer than fifteen bytes", 25);
  }
  builder_.TruncateList(member.get(), kTexts, 2);
  EXPECT_EQ(builder_.ListSize(member.get()), 2u);
  // Reuses the memory of a removed element.
  EXPECT_EQ(TextAt(builder_.AddElement(member.get(), sizeof(StringRep))), "");
  builder_.CloseList(member.get(), sizeof(StringRep));
  builder_.TruncateList(member.get(), kTexts, 0);
  EXPECT_EQ(member.rep(), kube::table::EmptyListBlock());
  builder_.CloseList(member.get(), sizeof(StringRep));
  builder_.ClearList(member.get(), kTexts);
}

TEST_F(HeapBuilderTest, ReserveIsOnceAndForNull) {
  Member<ListBlock*> member;
  builder_.ReserveList(member.get(), sizeof(int32_t), 0);
  EXPECT_EQ(member.rep(), nullptr);
  builder_.ReserveList(member.get(), sizeof(int32_t), 100);
  ListBlock* const block = member.rep();
  EXPECT_EQ(block->capacity(), 100u);
  builder_.ReserveList(member.get(), sizeof(int32_t), 1000);
  for (int i = 0; i < 100; ++i) builder_.AddElement(member.get(), sizeof(int32_t));
  EXPECT_EQ(member.rep(), block);
  builder_.ClearList(member.get(), kNumbers);
}

// Compares with std::map; keys come in random order.
TEST_F(HeapBuilderTest, MapsAreSortedAndLaterValuesReplace) {
  constexpr uint32_t kSeed = 20260104;
  SCOPED_TRACE(absl::StrCat("seed ", kSeed));
  oracle::Dice dice(kSeed);
  for (int round = 0; round < 200; ++round) {
    Member<ListBlock*> member;
    std::map<std::string, std::string> want;
    builder_.OpenList(member.get());
    for (size_t i = dice.Below(40); i > 0; --i) {
      const std::string key =
          absl::StrCat(dice.Below(2) == 0 ? "" : "a key of some length, ", dice.Below(20));
      const PaddedBuffer input(key);
      char* value = dice.Below(2) == 0 ? builder_.KeepKey(member.get(), kTexts, input.view())
                                       : builder_.CopyKey(member.get(), kTexts, key);
      EXPECT_TRUE(reinterpret_cast<StringRep*>(value)->is_zero());
      want[key] = absl::StrCat("the value numbered ", dice.Next());
      builder_.CopyString(value, want[key].data(), want[key].size());
    }
    builder_.CloseList(member.get(), kube::table::EntrySize(kTexts));
    ASSERT_EQ(builder_.ListSize(member.get()), want.size());
    size_t i = 0;
    for (const auto& [key, value] : want) {
      const char* entry = builder_.ElementAt(member.get(), kube::table::EntrySize(kTexts), i++);
      EXPECT_EQ(TextAt(entry), key);
      EXPECT_EQ(TextAt(entry + sizeof(StringRep)), value);
    }
    builder_.ClearMap(member.get(), kTexts);
  }
}

}  // namespace
}  // namespace kube::codec::internal

#include "net/websocket/internal/mask.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/escaping.h"
#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "tests/dice.h"

namespace kube::websocket::internal {
namespace {

using Key = std::array<char, 4>;

std::string Masked(const Key& key, size_t position, std::string data) {
  ApplyMask(key, position, absl::MakeSpan(data));
  return data;
}

std::string MaskedByteByByte(const Key& key, size_t position, std::string data) {
  for (size_t i = 0; i < data.size(); ++i) data[i] ^= key[(position + i) % 4];
  return data;
}

// The example of section 5.7 of RFC 6455.
TEST(MaskTest, MasksTheExampleOfTheRfc) {
  const Key key = {0x37, static_cast<char>(0xfa), 0x21, 0x3d};
  EXPECT_EQ(absl::BytesToHexString(Masked(key, 0, "Hello")), "7f9f4d5158");
  EXPECT_EQ(Masked(key, 0, Masked(key, 0, "Hello")), "Hello");
}

TEST(MaskTest, EveryLengthPositionAndAlignmentIsMaskedAsByteByByte) {
  constexpr uint64_t kSeed = 20'261'127;
  SCOPED_TRACE(kSeed);
  oracle::Dice dice(kSeed);
  for (size_t size = 0; size < 70; ++size) {
    for (size_t position = 0; position < 9; ++position) {
      for (size_t offset = 0; offset < 8; ++offset) {
        Key key;
        for (char& byte : key) byte = static_cast<char>(dice.Below(256));
        std::string data(offset + size, '\0');
        for (char& byte : data) byte = static_cast<char>(dice.Below(256));
        const std::string before = data.substr(0, offset);
        const std::string wanted = MaskedByteByByte(key, position, data.substr(offset));
        ApplyMask(key, position, absl::MakeSpan(data).subspan(offset));
        ASSERT_EQ(data.substr(offset), wanted) << size << " " << position << " " << offset;
        ASSERT_EQ(data.substr(0, offset), before);
      }
    }
  }
}

// What is masked in pieces is masked as the whole.
TEST(MaskTest, PiecesContinueWhereTheLastOneEnded) {
  const Key key = {1, 2, 3, 4};
  const std::string data = "the quick brown fox jumps over the lazy dog";
  const std::string whole = Masked(key, 0, data);
  for (size_t cut = 0; cut <= data.size(); ++cut) {
    EXPECT_EQ(Masked(key, 0, data.substr(0, cut)) + Masked(key, cut, data.substr(cut)), whole)
        << cut;
  }
}

}  // namespace
}  // namespace kube::websocket::internal

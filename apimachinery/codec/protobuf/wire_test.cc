#include "apimachinery/codec/protobuf/wire.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/escaping.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace kube::codec::internal {
namespace {

struct VarintRow {
  absl::string_view hex;
  uint64_t value;
  int size;  // -1: malformed
};

TEST(Wire, Varints) {
  constexpr VarintRow kRows[] = {
      {"00", 0, 1},
      {"7f", 127, 1},
      {"8001", 128, 2},
      {"8000", 0, 2},
      {"ffffffffffffffffff01", UINT64_MAX, 10},
      {"ffffffffffffffffff7f", UINT64_MAX, 10},
      {"80808080808080808000", 0, 10},
      {"80808080808080808080", 0, -1},
      {"8080808080808080808001", 0, -1},
      {"80", 0, -1},
      {"", 0, -1},
  };
  for (const VarintRow& row : kRows) {
    SCOPED_TRACE(std::string(row.hex));
    const std::string bytes = absl::HexStringToBytes(row.hex);
    uint64_t value = 0;
    const char* after = ReadVarint(bytes.data(), bytes.data() + bytes.size(), value);
    EXPECT_EQ(after == nullptr ? -1 : after - bytes.data(), row.size);
    EXPECT_EQ(after == nullptr ? 0 : value, row.value);
  }
}

TEST(Wire, TagsHaveNumbersOf32Bits) {
  constexpr VarintRow kRows[] = {
      {"0a", 1 << 3 | 2, 1},
      {"c23e", 1000 << 3 | 2, 2},
      {"faffffff0f", ((uint64_t{1} << 29) - 1) << 3 | 2, 5},
      {"8a8080808001", 1 << 3 | 2, 6},
      {"80", 0, -1},
  };
  for (const VarintRow& row : kRows) {
    SCOPED_TRACE(std::string(row.hex));
    const std::string bytes = absl::HexStringToBytes(row.hex);
    uint64_t tag = 0;
    const char* after = ReadTag(bytes.data(), bytes.data() + bytes.size(), tag);
    EXPECT_EQ(after == nullptr ? -1 : after - bytes.data(), row.size);
    EXPECT_EQ(after == nullptr ? 0 : tag, row.value);
  }
}

TEST(Wire, SkipsOneValue) {
  struct Row {
    absl::string_view name;
    uint64_t tag;
    absl::string_view hex;
    int size;  // -1: malformed
  };
  constexpr Row kRows[] = {
      {"a varint", 8 | kVarint, "8001ff", 2},
      {"64 bits", 8 | kFixed64, "0000000000000000ff", 8},
      {"64 bits cut off", 8 | kFixed64, "00000000000000", -1},
      {"32 bits", 8 | kFixed32, "00000000ff", 4},
      {"32 bits cut off", 8 | kFixed32, "000000", -1},
      {"bytes", 8 | WireType::kBytes, "026162ff", 3},
      {"bytes cut off", 8 | WireType::kBytes, "0261", -1},
      {"a size of 2^64 - 1", 8 | WireType::kBytes, "ffffffffffffffffff01", -1},
      {"a group", 8 | kStartGroup, "10010cff", 3},
      {"a group in a group", 8 | kStartGroup, "13140cff", 3},
      {"a group without end", 8 | kStartGroup, "1314", -1},
      {"an end", 8 | kEndGroup, "", -1},
      {"wire type 6", 8 | 6, "00", -1},
      {"wire type 7 in a group", 8 | kStartGroup, "0f", -1},
  };
  for (const Row& row : kRows) {
    SCOPED_TRACE(std::string(row.name));
    const std::string bytes = absl::HexStringToBytes(row.hex);
    const char* after = SkipWireValue(bytes.data(), bytes.data() + bytes.size(), row.tag);
    EXPECT_EQ(after == nullptr ? -1 : after - bytes.data(), row.size);
  }
}

}  // namespace
}  // namespace kube::codec::internal

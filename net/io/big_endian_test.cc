#include "net/io/big_endian.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/escaping.h"
#include "gtest/gtest.h"

namespace kube::io {
namespace {

TEST(BigEndianTest, NumbersAreReadAsTheyAreWritten) {
  struct Row {
    uint64_t number;
    size_t size;
    std::string hex;
  };
  for (const Row& row : std::vector<Row>{
           {0, 0, ""},
           {0, 1, "00"},
           {0xff, 1, "ff"},
           {0x102, 2, "0102"},
           {0x80, 4, "00000080"},
           {0xfedc'ba98, 4, "fedcba98"},
           {0x0102'0304'0506'0708, 8, "0102030405060708"},
           {UINT64_MAX, 8, "ffffffffffffffff"},
       }) {
    std::string out = "x";
    AppendBigEndian(row.number, row.size, out);
    EXPECT_EQ(out, "x" + absl::HexStringToBytes(row.hex));
    EXPECT_EQ(ReadBigEndian(absl::HexStringToBytes(row.hex)), row.number);
  }
}

TEST(BigEndianTest, HigherBytesAreLeftOut) {
  std::string out;
  AppendBigEndian(0x1234'5678, 2, out);
  EXPECT_EQ(absl::BytesToHexString(out), "5678");
}

}  // namespace
}  // namespace kube::io

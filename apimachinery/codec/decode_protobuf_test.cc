#include "apimachinery/codec/decode_protobuf.h"

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/stream/padded_buffer.h"
#include "apimachinery/codec/testing/decode_every_way.h"
#include "apimachinery/table/message.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/kitchen_sink/base.kube.h"
#include "tests/kitchen_sink/kitchen_messages.h"
#include "tests/kitchen_sink/sink.kube.h"

namespace kube::codec {
namespace {

using base::StatusIs;
using internal::DecodeEveryWay;
using kube::kitchen::base::v1::Point;
using kube::kitchen::sink::v1::Plain;
using kube::kitchen::sink::v1::Schema;
using oracle::KitchenMessage;
using testing::HasSubstr;

// Returns the bytes of hexadecimal text, ignoring spaces.
std::string Wire(absl::string_view hex) {
  return absl::HexStringToBytes(absl::StrReplaceAll(hex, {{" ", ""}}));
}

std::string Nested(int depth, absl::string_view number_and_type) {
  std::string wire;
  for (int i = 0; i < depth; ++i) {
    std::string size;
    size_t rest = wire.size();
    for (; rest >= 0x80; rest >>= 7) size.push_back(static_cast<char>(rest | 0x80));
    size.push_back(static_cast<char>(rest));
    wire = absl::StrCat(number_and_type, size, wire);
  }
  return wire;
}

struct ErrorRow {
  absl::string_view name;
  absl::string_view type;
  absl::string_view hex;
  absl::string_view error;
};

constexpr ErrorRow kErrors[] = {
    {"a tag cut off", "Point", "0801 98", "decode Point: truncated tag (byte 2)"},
    {"a tag of eleven bytes", "Point", "8880808080808080808000 05",
     "decode Point: truncated tag (byte 0)"},
    {"number 0", "Point", "0801 0001",
     "decode Point: expected a field number greater than zero (byte 3)"},
    {"number 2^32", "Point", "8080808080 01 05",
     "decode Point: expected a field number greater than zero (byte 6)"},
    {"number 2^31", "Point", "8080808040 05",
     "decode Point: expected a field number greater than zero (byte 5)"},
    {"a text cut off", "Point", "1a0561", "decode Point: label: truncated value (byte 1)"},
    {"a length of 2^64-1", "Point", "1affffffffffffffffff01 61",
     "decode Point: label: truncated value (byte 1)"},
    {"a length of 2^63", "Point", "1a80808080808080808001 61",
     "decode Point: label: truncated value (byte 1)"},
    {"a length of 2^32", "Point", "1a8080808010 61",
     "decode Point: label: truncated value (byte 1)"},
    {"a length of eleven bytes", "Point", "1affffffffffffffffffff01",
     "decode Point: label: truncated value (byte 1)"},
    {"a varint cut off", "Point", "08ff", "decode Point: x: truncated value (byte 1)"},
    {"a varint of eleven bytes", "Point", "08ffffffffffffffffffff01",
     "decode Point: x: truncated value (byte 1)"},
    {"a double cut off", "Plain", "2900000000000000",
     "decode Plain: real: truncated value (byte 1)"},
    {"another wire type", "Point", "0a00", "decode Point: x: wrong wire type (byte 1)"},
    {"a group", "Point", "0b0c", "decode Point: x: wrong wire type (byte 1)"},
    {"wire type 6", "Point", "0e", "decode Point: x: wrong wire type (byte 1)"},
    {"an unknown value cut off", "Point", "a2010961",
     "decode Point: truncated value of an unknown field (byte 2)"},
    {"an unknown group without end", "Point", "a3010805",
     "decode Point: truncated value of an unknown field (byte 2)"},
    {"in a struct", "Structs", "6a050a03080185",
     "decode Structs: deep.two: truncated tag (byte 6)"},
    {"in an element", "Lists", "72020801 72020880",
     "decode Lists: points[1].x: truncated value (byte 7)"},
    {"after an element", "Lists", "72020801 7280",
     "decode Lists: points[1]: truncated value (byte 5)"},
    {"in a packed list", "Lists", "1a0201ff", "decode Lists: smalls: truncated value (byte 3)"},
    {"in a value of a map", "Maps", "72090a036b2e6b12020880",
     "decode Maps: points.k.k.x: truncated value (byte 10)"},
    {"in an entry of a map", "Maps", "72030a096b",
     "decode Maps: points: truncated entry of a map (byte 2)"},
    {"a key of another wire type", "Maps", "72020801",
     "decode Maps: points: wrong wire type in a map (byte 2)"},
    {"a value of another wire type", "Maps", "72050a016b1001",
     "decode Maps: points: wrong wire type in a map (byte 5)"},
    {"after a map", "Maps", "72050a016b1200 7280", "decode Maps: points: truncated value (byte 8)"},
    {"in a time", "Plain", "3a0108", "decode Plain: time: truncated value (byte 3)"},
    {"a time of another wire type", "Plain", "3a020a00",
     "decode Plain: time: wrong wire type (byte 3)"},
    {"in a quantity", "Plain", "52030a0531", "decode Plain: quantity: truncated value (byte 3)"},
    {"no quantity", "Plain", "52050a03312e2e",
     "decode Plain: quantity: expected a quantity (byte 3)"},
    {"in a list that stands for itself", "Plain", "8201020a05",
     "decode Plain: verbs: truncated value (byte 4)"},
    {"an inline struct of another wire type", "Volume", "1001",
     "decode Volume: expected a message (byte 1)"},
};

TEST(DecodeProtobuf, Errors) {
  for (const ErrorRow& row : kErrors) {
    SCOPED_TRACE(std::string(row.name));
    EXPECT_THAT(DecodeEveryWay(*KitchenMessage(row.type), Wire(row.hex)),
                StatusIs(absl::StatusCode::kInvalidArgument, std::string(row.error)));
  }
}

struct ReadRow {
  absl::string_view name;
  absl::string_view type;
  absl::string_view hex;
  absl::string_view again;  // what the decoded object is encoded to
};

// Go reads these too. The wire cases of the kitchen sink have more, with Go's JSON.
constexpr ReadRow kReads[] = {
    {"nothing", "Point", "", "0800 1000 1a00"},
    {"bytes that are no UTF-8 are kept", "Point", "1a04ff00c080", "0800 1000 1a04ff00c080"},
    {"number 2^29, which protobuf has not", "Point", "8080808010 05", "0800 1000 1a00"},
    {"number 2^29 - 1", "Point", "f8ffffff0f 05", "0800 1000 1a00"},
    {"number 2^32 + 1 is 1", "Point", "888080808001 05", "0805 1000 1a00"},
    {"ten bytes with bits that do not fit", "Point", "08ffffffffffffffffff7f",
     "08ffffffffffffffffff01 1000 1a00"},
    {"a number twice", "Point", "0801 0802", "0802 1000 1a00"},
    {"a run in two pieces", "ListsNever", "0a0161 1001 0a0162", "0a0161 0a0162 1001"},
    {"a key twice", "MapsNever", "0a060a016b120161 0a060a016b120162", "0a060a016b120162"},
    {"keys out of order", "MapsNever", "0a060a0162120132 0a060a0161120131",
     "0a060a0161120131 0a060a0162120132"},
    {"the key after the value", "MapsNever", "0a06120161 0a016b", "0a060a016b120161"},
};

TEST(DecodeProtobuf, Reads) {
  for (const ReadRow& row : kReads) {
    SCOPED_TRACE(std::string(row.name));
    const absl::StatusOr<std::string> again =
        DecodeEveryWay(*KitchenMessage(row.type), Wire(row.hex));
    ASSERT_TRUE(again.ok()) << again.status();
    EXPECT_EQ(absl::BytesToHexString(*again), absl::StrReplaceAll(row.again, {{" ", ""}}));
  }
}

TEST(DecodeProtobuf, DepthIsLimited) {
  // Structs.deep, .two, .three.
  const std::string three = Wire("6a04 0a02 1200");
  const kube::table::Message& structs = *KitchenMessage("Structs");
  EXPECT_TRUE(DecodeEveryWay(structs, three, {.max_depth = 4}).ok());
  EXPECT_THAT(DecodeEveryWay(structs, three, {.max_depth = 3}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "decode Structs: deep.two.three: nested too deeply (byte 6)"));
  // Schema.not, a schema in a schema, and the default.
  const std::string schema_not = Wire("e201");
  EXPECT_TRUE(DecodeProtobuf<Schema>(Nested(999, schema_not)).ok());
  EXPECT_THAT(DecodeProtobuf<Schema>(Nested(1000, schema_not)),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("nested too deeply")));
  // Groups do not count, because nothing of them is kept.
  const std::string groups = std::string(100000, '\x7b') + std::string(100000, '\x7c');
  EXPECT_TRUE(DecodeProtobuf<Point>(groups).ok());
}

TEST(DecodeProtobuf, BytesAreNullWhereAbsent) {
  EXPECT_TRUE(DecodeProtobuf<Plain>("")->data.is_null());
  const absl::StatusOr<Plain> plain = DecodeProtobuf<Plain>(Wire("3200"));
  ASSERT_TRUE(plain.ok()) << plain.status();
  EXPECT_FALSE(plain->data.is_null());
  EXPECT_TRUE(plain->data.empty());
}

TEST(DecodeProtobuf, BufferAndViewAreTheSame) {
  const std::string wire = Wire("0801 1a0161");
  const PaddedBuffer buffer(wire);
  EXPECT_EQ(DecodeProtobuf<Point>(buffer).value(), DecodeProtobuf<Point>(wire).value());
}

}  // namespace
}  // namespace kube::codec

#include "apimachinery/codec/encode_protobuf.h"

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/testing/sample_structs.h"
#include "apimachinery/table/layout.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::codec {
namespace {

using base::IsOkAndHolds;
using base::StatusIs;
using internal::TestApply;
using internal::TestForms;
using internal::TestLeaves;
using internal::TestPart;
using internal::TestShapes;

// Returns hexadecimal text; spaces do not count.
std::string Hex(absl::string_view digits) {
  std::string plain;
  for (const char c : digits) {
    if (c != ' ') plain += c;
  }
  return absl::HexStringToBytes(plain);
}

struct LeafCase {
  std::string name;
  std::function<void(TestLeaves&)> set;
  // Replaces the fields with the same numbers in kMade.
  std::string field;
  int number;
};

// What gogo writes for each field of a TestLeaves{}, by number.
constexpr absl::string_view kMade[] = {"",
                                       "0a 00",
                                       "",
                                       "1a 03 0a 01 30",
                                       "22 00",
                                       "2a 00",
                                       "32 00",
                                       "38 00",
                                       "40 00",
                                       "48 00",
                                       "51 0000000000000000",
                                       "5a 00",
                                       "62 00",
                                       "6a 02 08 00",
                                       "72 06 08 00 10 00 1a 00",
                                       "",
                                       "82 01 02 0a 00"};

std::string Leaves(int number, absl::string_view field) {
  std::string bytes;
  for (int i = 1; i <= 16; ++i) bytes += Hex(i == number ? field : kMade[i]);
  return bytes;
}

TEST(EncodeProtobuf, ValuesAsTheyAreMade) {
  EXPECT_THAT(EncodeProtobuf(TestLeaves{}), IsOkAndHolds(Leaves(0, "")));
}

class EncodeProtobufLeaf : public testing::TestWithParam<LeafCase> {};

TEST_P(EncodeProtobufLeaf, IsAsGogoWritesIt) {
  TestLeaves leaves;
  GetParam().set(leaves);
  EXPECT_THAT(EncodeProtobuf(leaves), IsOkAndHolds(Leaves(GetParam().number, GetParam().field)));
}

// Empty, but present.
const String& PresentEmpty() {
  static const auto rep = kube::table::StringRep::PresentEmpty();
  return reinterpret_cast<const String&>(rep);
}

INSTANTIATE_TEST_SUITE_P(
    All, EncodeProtobufLeaf,
    testing::Values(
        LeafCase{"Text", [](TestLeaves& l) { l.text = "web"; }, "0a 03 776562", 1},
        LeafCase{"TextOf8", [](TestLeaves& l) { l.text = "12345678"; }, "0a 08 3132333435363738",
                 1},
        LeafCase{"TextOf17", [](TestLeaves& l) { l.text = "12345678901234567"; },
                 "0a 11 3132333435363738393031323334353637", 1},
        LeafCase{"Bytes", [](TestLeaves& l) { l.bytes = "\xff"; }, "12 01 ff", 2},
        LeafCase{"EmptyBytes", [](TestLeaves& l) { l.bytes = PresentEmpty(); }, "12 00", 2},
        LeafCase{"CanonicalQuantity", [](TestLeaves& l) { l.quantity = "1024Ki"; },
                 "1a 05 0a 03 314d69", 3},
        LeafCase{"RawExtension", [](TestLeaves& l) { l.raw_extension = "{ "; }, "22 04 0a 02 7b20",
                 4},
        LeafCase{"EmptyRawExtension", [](TestLeaves& l) { l.raw_extension = PresentEmpty(); },
                 "22 02 0a 00", 4},
        LeafCase{"EmptyFieldsV1", [](TestLeaves& l) { l.fields = PresentEmpty(); }, "2a 00", 5},
        LeafCase{"Json", [](TestLeaves& l) { l.raw_json = "1"; }, "32 03 0a 01 31", 6},
        LeafCase{"Flag", [](TestLeaves& l) { l.flag = true; }, "38 01", 7},
        LeafCase{"NegativeInt32", [](TestLeaves& l) { l.int32 = -1; }, "40 ffffffffffffffffff01",
                 8},
        LeafCase{"Int64", [](TestLeaves& l) { l.int64 = 300; }, "48 ac02", 9},
        LeafCase{"Double", [](TestLeaves& l) { l.number = 1; }, "51 000000000000f03f", 10},
        LeafCase{"Time", [](TestLeaves& l) { l.time = 62'135'596'800 + 1; }, "5a 04 08 01 10 00",
                 11},
        LeafCase{"EarlyTime", [](TestLeaves& l) { l.time = 62'135'596'800 - 1; },
                 "5a 0d 08 ffffffffffffffffff01 10 00", 11},
        LeafCase{"MicroTime",
                 [](TestLeaves& l) {
                   l.micro_time = 62'135'596'800;
                   l.micros = 1;
                 },
                 "62 05 08 00 10 e807", 12},
        LeafCase{"Duration", [](TestLeaves& l) { l.duration = -1; },
                 "6a 0b 08 ffffffffffffffffff01", 13},
        LeafCase{"Int", [](TestLeaves& l) { l.int_value = 80; }, "72 06 08 00 10 50 1a 00", 14},
        LeafCase{"IntString",
                 [](TestLeaves& l) {
                   l.int_or_string = "x";
                   l.int_or_type = 1;
                 },
                 "72 07 08 01 10 00 1a 01 78", 14},
        LeafCase{"EmptyStrings", [](TestLeaves& l) { l.strings = List<String>::Empty(); }, "7a 00",
                 15},
        LeafCase{"Strings",
                 [](TestLeaves& l) {
                   l.strings = {"a", ""};
                 },
                 "7a 05 0a 01 61 0a 00", 15},
        LeafCase{"Part", [](TestLeaves& l) { l.part.port = 0; }, "82 01 04 0a 00 10 00", 16}),
    [](const testing::TestParamInfo<LeafCase>& row) { return row.param.name; });

TEST(EncodeProtobuf, ShapesThatAreAbsent) {
  // The inline struct is a value, so it is always written.
  EXPECT_THAT(EncodeProtobuf(TestShapes{}), IsOkAndHolds(Hex("1a 02 0a 00")));
}

TEST(EncodeProtobuf, ShapesThatAreThereByNumber) {
  TestShapes shapes;
  shapes.api_version = "v1";
  shapes.text = "";
  shapes.time = 0;
  shapes.part = TestPart{.name = "p"};
  shapes.parts = {{.name = "a"}, {}};
  shapes.source = "s";
  shapes.target = TestPart{};
  shapes.ints = {1, -1};
  shapes.doubles = {1, 0};
  EXPECT_THAT(EncodeProtobuf(shapes), IsOkAndHolds(Hex("0a 03 0a 01 70"
                                                       "12 03 0a 01 61 12 02 0a 00"
                                                       "1a 07 0a 01 73 12 02 0a 00"
                                                       "21 000000000000f03f 21 0000000000000000"
                                                       "28 01 28 ffffffffffffffffff01"
                                                       "42 00 4a 00")));
}

TEST(EncodeProtobuf, MapsByKey) {
  TestShapes shapes;
  shapes.part_map = {{"b", {}}, {"a", {.name = "x"}}};
  shapes.int_map = {{"", 0}};
  shapes.bytes_map["null"];
  shapes.bytes_map["empty"] = PresentEmpty();
  shapes.strings_map["k"] = {"x"};
  shapes.strings_map["null"];
  shapes.lists = {{"x"}, {}};
  EXPECT_THAT(EncodeProtobuf(shapes), IsOkAndHolds(Hex("1a 02 0a 00"
                                                       "a2 01 08 0a 01 61 12 03 0a 01 78"
                                                       "a2 01 07 0a 01 62 12 02 0a 00"
                                                       "aa 01 04 0a 00 10 00"
                                                       "b2 01 09 0a 05 656d707479 12 00"
                                                       "b2 01 06 0a 04 6e756c6c"
                                                       "ba 01 08 0a 01 6b 12 03 0a 01 78"
                                                       "ba 01 08 0a 04 6e756c6c 12 00"
                                                       "c2 01 03 0a 01 78 c2 01 00")));
}

TEST(EncodeProtobuf, ObjectsThatGrowTheBuffer) {
  TestShapes shapes;
  std::string parts;
  for (int i = 0; i < 5'000; ++i) {
    shapes.parts.push_back({.name = "some name"});
    parts += Hex("12 0b 0a 09") + "some name";
  }
  shapes.text = std::string(50'000, 'x');
  EXPECT_THAT(EncodeProtobuf(shapes),
              IsOkAndHolds(parts + Hex("1a 02 0a 00 4a d08603") + std::string(50'000, 'x')));
}

TEST(EncodeProtobuf, JsonFormsAndApplyConfigurations) {
  EXPECT_THAT(EncodeProtobuf(TestForms{}), IsOkAndHolds(Hex("0a 02 08 00")));
  EXPECT_THAT(EncodeProtobuf(TestApply{.name = "x"}), IsOkAndHolds(""));
}

// behaviour.md: COD-1
TEST(EncodeProtobuf, EnvelopeOfKubernetes) {
  EXPECT_THAT(
      EncodeKubernetesProtobuf(TestPart{.name = "p"}, {.api_version = "v1", .kind = "Part"}),
      IsOkAndHolds(Hex("6b387300 0a 0a 0a 02 7631 12 04 50617274 12 03 0a 01 70"
                       "1a 00 22 00")));
}

TEST(EncodeProtobuf, ErrorsSayWhere) {
  TestShapes shapes;
  shapes.part_map["x"].parts = {{}, {.resources = {{"cpu", "1"}, {"memory", "1 Gi"}}}};
  constexpr char kMessage[] =
      "encode partMap[x].parts[1].resources[memory]: \"1 Gi\" is not a quantity";
  EXPECT_THAT(EncodeProtobuf(shapes), StatusIs(absl::StatusCode::kInvalidArgument, kMessage));
  EXPECT_THAT(EncodeKubernetesProtobuf(shapes, {}),
              StatusIs(absl::StatusCode::kInvalidArgument, kMessage));
}

}  // namespace
}  // namespace kube::codec

#include "apimachinery/unstructured/cbor.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "gtest/gtest.h"

namespace kube::unstructured {
namespace {

using base::IsOkAndHolds;
using base::StatusIs;

std::string Bytes(absl::string_view hex) { return absl::HexStringToBytes(hex); }

std::string Encode(const Value& value) {
  const absl::StatusOr<std::string> cbor = EncodeCbor(value, {.self_described = false});
  return cbor.ok() ? absl::BytesToHexString(*cbor) : std::string(cbor.status().message());
}

// Returns the JSON of what the bytes are, or the message.
std::string Parse(absl::string_view hex) {
  const absl::StatusOr<Value> value = ParseCbor(Bytes(hex));
  return value.ok() ? EncodeJson(*value).value() : std::string(value.status().message());
}

// behaviour.md: COD-17
TEST(CborTest, Encodes) {
  struct Row {
    const char* name;
    Value value;
    const char* hex;
  };
  for (const Row& row : {
           Row{"null", nullptr, "f6"},
           Row{"booleans", List<Value>{false, true}, "82f4f5"},
           Row{"small int", 23, "17"},
           Row{"one byte", 24, "1818"},
           Row{"two bytes", 256, "190100"},
           Row{"four bytes", 65536, "1a00010000"},
           Row{"eight bytes", int64_t{4294967296}, "1b0000000100000000"},
           Row{"largest", std::numeric_limits<int64_t>::max(), "1b7fffffffffffffff"},
           Row{"negative", -1, "20"},
           Row{"negative byte", -256, "38ff"},
           Row{"smallest", std::numeric_limits<int64_t>::min(), "3b7fffffffffffffff"},
           Row{"double without fraction", 1.0, "f93c00"},
           Row{"zero", 0.0, "f90000"},
           Row{"negative zero", -0.0, "f98000"},
           Row{"largest half", 65504.0, "f97bff"},
           Row{"beyond half", 65505.0, "fa477fe100"},
           Row{"smallest subnormal half", std::ldexp(1.0, -24), "f90001"},
           Row{"subnormal half", std::ldexp(3.0, -16), "f90300"},
           Row{"half of the smallest half", std::ldexp(1.0, -25), "fa33000000"},
           Row{"single", 1.5e5, "fa48127c00"},
           Row{"double", 0.1, "fb3fb999999999999a"},
           Row{"large double", 1e300, "fb7e37e43c8800759c"},
           Row{"text", "ab", "426162"},
           Row{"not UTF-8", "\xff", "41ff"},
           Row{"empty list", List<Value>::Empty(), "80"},
           Row{"keys by length, then bytes", Map<Value>{{"aa", 1}, {"b", 2}, {"a", 3}},
               "a34161034162024261610"
               "1"},
           Row{"nested", Map<Value>{{"a", List<Value>{Map<Value>{{"b", List<Value>{1}}}, 2}}},
               "a1416182a1416281"
               "0102"},
       }) {
    SCOPED_TRACE(row.name);
    EXPECT_EQ(Encode(row.value), row.hex);
    EXPECT_THAT(ParseCbor(Bytes(row.hex)), IsOkAndHolds(row.value));
  }
  EXPECT_EQ(Encode(std::nan("")), "encode CBOR: floating-point NaN");
  EXPECT_EQ(Encode(-std::numeric_limits<double>::infinity()),
            "encode CBOR: floating-point infinity");
}

TEST(CborTest, ParsesABody_AsInTheHeader) {
  const std::string body = "\xd9\xd9\xf7\x01";
  absl::StatusOr<Value> object = ParseCbor(body);
  EXPECT_THAT(object, IsOkAndHolds(Value(1)));
}

// behaviour.md: COD-2
TEST(CborTest, SelfDescribed) {
  const Map<Value> object = {{"a", 1}};
  const std::string cbor = EncodeCbor(object).value();
  EXPECT_EQ(absl::BytesToHexString(cbor), "d9d9f7a1416101");
  EXPECT_THAT(EncodeCbor(Value(object)), IsOkAndHolds(cbor));
  EXPECT_TRUE(IsCbor(cbor));
  EXPECT_FALSE(IsCbor("{}"));
  EXPECT_THAT(ParseCbor(cbor), IsOkAndHolds(Value(object)));
}

// behaviour.md: COD-18
TEST(CborTest, Parses) {
  struct Row {
    const char* name;
    const char* hex;
    const char* json;
  };
  for (const Row& row : {
           Row{"text string", "6161", "\"a\""},
           Row{"long heads", "1b0000000000000001", "1"},
           Row{"indefinite list", "9f0102ff", "[1,2]"},
           Row{"indefinite map", "bf416101416202ff", "{\"a\":1,\"b\":2}"},
           Row{"indefinite bytes", "5f41614162ff", "\"ab\""},
           Row{"indefinite text", "7f61616162ff", "\"ab\""},
           Row{"base64", "d64201ff", "\"Af8=\""},
           Row{"base64url", "d54201ff", "\"Af8\""},
           Row{"base16", "d74201ff", "\"01ff\""},
           Row{"base64 of text", "d66161", "\"a\""},
           Row{"base64 within",
               "d6824101a1410241"
               "03",
               "[\"AQ==\",{\"Ag==\":\"Aw==\"}]"},
           Row{"innermost encoding", "d6d74101", "\"01\""},
           Row{"unknown tag", "d81e01", "1"},
           Row{"self-described twice", "d9d9f7d9d9f701", "1"},
           Row{"self-described element", "81d9d9f701", "[1]"},
           Row{"time", "c074323032302d30312d30325430333a30343a30355a", "\"2020-01-02T03:04:05Z\""},
           Row{"time of an integer", "c11a5e0d5da5", "\"2020-01-02T03:04:05Z\""},
           Row{"time of a number", "c1f93e00", "\"1970-01-01T00:00:01.5Z\""},
           Row{"time before 1970", "c1f9be00", "\"1969-12-31T23:59:58.5Z\""},
           Row{"null key", "a1f601", "{\"\":1}"},
           Row{"key with a tag", "a1d6410101", "{\"AQ==\":1}"},
       }) {
    SCOPED_TRACE(row.name);
    EXPECT_EQ(Parse(row.hex), row.json);
  }
}

// behaviour.md: COD-19
TEST(CborTest, Refuses) {
  struct Row {
    const char* hex;
    const char* problem;
  };
  for (const Row& row : {
           Row{"", "unexpected end at byte 0"},
           Row{"19", "unexpected end at byte 1"},
           Row{"4261", "unexpected end at byte 1"},
           Row{"8201", "unexpected end at byte 2"},
           Row{"9f01", "unexpected end at byte 2"},
           Row{"d6", "unexpected end at byte 1"},
           Row{"5bffffffffffffffff", "unexpected end at byte 9"},
           Row{"0102", "1 bytes of extraneous data at byte 1"},
           Row{"ff", "unexpected \"break\" code at byte 1"},
           Row{"bf4161ff", "unexpected \"break\" code at byte 3"},
           Row{"1c", "invalid additional information 28 for type positive integer at byte 1"},
           Row{"1f", "invalid additional information 31 for type positive integer at byte 1"},
           Row{"5f6161ff", "wrong chunk of an indefinite-length byte string at byte 2"},
           Row{"5f5fffff", "wrong chunk of an indefinite-length byte string at byte 2"},
           Row{"61ff", "invalid UTF-8 string at byte 1"},
           Row{"7f61c361a9ff", "invalid UTF-8 string at byte 2"},
           Row{"a2416101416102", "duplicate key \"a\" at byte 7"},
           Row{"a24161016161"
               "02",
               "duplicate key \"a\" at byte 7"},
           Row{"a2416101f602", "duplicate key \"a\" at byte 6"},
           Row{"a10102", "cannot unmarshal positive integer into a key at byte 2"},
           Row{"a1f7"
               "02",
               "cannot unmarshal primitives into a key at byte 2"},
           Row{"a18002", "cannot unmarshal array into a key at byte 2"},
           Row{"1b8000000000000000",
               "positive integer 9223372036854775808 overflows int64 at byte 9"},
           Row{"3b8000000000000000",
               "negative integer 9223372036854775808 overflows int64 at byte 9"},
           Row{"c24101", "bignum at byte 1"},
           Row{"f97e00", "floating-point NaN at byte 3"},
           Row{"f97c00", "floating-point infinity at byte 3"},
           Row{"f7", "simple value 23 is not recognized at byte 1"},
           Row{"e0", "simple value 0 is not recognized at byte 1"},
           Row{"f8ff", "simple value 255 is not recognized at byte 2"},
           Row{"f814", "invalid simple value 20 at byte 2"},
           Row{"c04161", "tag number 0 must be followed by text string, got byte string at byte 1"},
           Row{"c16161",
               "tag number 1 must be followed by integer or floating-point number, got UTF-8 text "
               "string at byte 1"},
           Row{"c06161", "time without an RFC 3339 form at byte 3"},
           Row{"c11b7fffffffffffffff", "time without an RFC 3339 form at byte 10"},
           Row{"ba00200001", "exceeded max number of key-value pairs 2097152 at byte 5"},
           Row{"9a80000000", "exceeded max number of elements 2147483647 at byte 5"},
       }) {
    SCOPED_TRACE(row.hex);
    EXPECT_EQ(Parse(row.hex), absl::StrCat("decode CBOR: ", row.problem));
  }
  EXPECT_THAT(ParseCbor(""), StatusIs(absl::StatusCode::kInvalidArgument));
}

// behaviour.md: COD-18
TEST(CborTest, Times) {
  struct Row {
    const char* text;
    const char* parsed;
  };
  const char* const kRefused = "";
  for (const Row& row : {
           Row{"2020-01-02T03:04:05.120+02:00", "2020-01-02T03:04:05.12+02:00"},
           Row{"2020-01-02T03:04:05+00:00", "2020-01-02T03:04:05Z"},
           Row{"2020-01-02T03:04:05-00:30", "2020-01-02T03:04:05-00:30"},
           Row{"2020-01-02T03:04:05.1234567899Z", "2020-01-02T03:04:05.123456789Z"},
           Row{"2020-01-02T3:04:05,5Z", "2020-01-02T03:04:05.5Z"},
           Row{"0000-01-01T00:00:00+10:00", "0000-01-01T00:00:00+10:00"},
           Row{"2020-01-02T03:04:05+24:00", kRefused},
           Row{"2020-01-02", kRefused},
       }) {
    SCOPED_TRACE(row.text);
    const absl::string_view text = row.text;
    const std::string cbor =
        absl::StrCat("\xc0\x78", std::string(1, static_cast<char>(text.size())), text);
    const absl::StatusOr<Value> value = ParseCbor(cbor);
    EXPECT_EQ(value.ok() ? *value : Value(kRefused), Value(row.parsed));
  }
}

// behaviour.md: COD-19
TEST(CborTest, Depth) {
  std::string deep(10'000, '\x81');
  deep.back() = '\x80';
  const absl::StatusOr<Value> value = ParseCbor(deep);
  ASSERT_THAT(value, base::IsOk());
  EXPECT_THAT(EncodeCbor(*value, {.self_described = false}), IsOkAndHolds(deep));
  EXPECT_THAT(ParseCbor("\x81" + deep),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "decode CBOR: exceeded max nested level 10000 at byte 10001"));
  // A tag is a level, unless it is the only one around its content.
  EXPECT_THAT(ParseCbor("\xd6" + deep), base::IsOk());
  EXPECT_THAT(ParseCbor("\xd6\xd6" + deep), StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace kube::unstructured

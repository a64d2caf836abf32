#include "apimachinery/codec/yaml/yaml_resolve.h"

#include <cmath>
#include <cstdint>

#include "gtest/gtest.h"

namespace kube::codec::internal {
namespace {

using Kind = YamlScalar::Kind;

TEST(YamlResolveTest, TellsKinds) {
  const struct {
    const char* text;
    Kind kind;
  } cases[] = {
      {"", Kind::kNull},
      {"~", Kind::kNull},
      {"NULL", Kind::kNull},
      {"nULL", Kind::kString},
      {"y", Kind::kBool},
      {"OFF", Kind::kBool},
      {"oFF", Kind::kString},
      {"1", Kind::kInt},
      {"1_", Kind::kInt},
      {"_1", Kind::kString},
      {"-0b11", Kind::kInt},
      {"0b-11", Kind::kInt},
      {"0b2", Kind::kString},
      {"0x", Kind::kString},
      {"0XfF", Kind::kInt},
      {"09", Kind::kFloat},
      {"1e3", Kind::kFloat},
      {"1e", Kind::kString},
      {".5", Kind::kFloat},
      {".", Kind::kString},
      {"5.", Kind::kFloat},
      {"1e400", Kind::kString},
      {"1e-400", Kind::kFloat},
      {"-.INF", Kind::kFloat},
      {"+.nan", Kind::kString},
      {"<<", Kind::kString},
      {"-", Kind::kString},
      {"9223372036854775808", Kind::kUint},
      {"-9223372036854775808", Kind::kInt},
      {"-9223372036854775809", Kind::kFloat},
      {"+18446744073709551615", Kind::kFloat},
      {"2001-1-2", Kind::kTimestamp},
      {"2001-13-2", Kind::kString},
      {"2001-02-29", Kind::kString},
      {"2004-02-29", Kind::kTimestamp},
      {"2001-01-02T3:4:5Z", Kind::kTimestamp},
      {"2001-01-02T3:4:5", Kind::kString},
      {"2001-01-02t03:04:05,5+24:60", Kind::kTimestamp},
      {"2001-01-02T03:04:05+1:00", Kind::kString},
      {"2001-01-02   3:4:5.999", Kind::kTimestamp},
      {"2001-01-02 ", Kind::kString},
      {"2001-01-02 24:00:00", Kind::kString},
      {"201-01-02", Kind::kString},
  };
  for (const auto& test : cases) {
    EXPECT_EQ(YamlTagOf(ResolveYamlScalar(test.text).kind), YamlTagOf(test.kind)) << test.text;
    EXPECT_EQ(ResolveYamlScalar(test.text).kind, test.kind) << test.text;
  }
}

TEST(YamlResolveTest, ReadsValues) {
  EXPECT_EQ(ResolveYamlScalar("-0x10").integer, -16);
  EXPECT_EQ(ResolveYamlScalar("-9223372036854775808").integer, INT64_MIN);
  EXPECT_EQ(ResolveYamlScalar("18446744073709551615").unsigned_integer, UINT64_MAX);
  EXPECT_EQ(ResolveYamlScalar("+1_0.5").real, 10.5);
  EXPECT_EQ(ResolveYamlScalar("-.inf").real, -INFINITY);
  EXPECT_TRUE(std::isnan(ResolveYamlScalar(".NaN").real));
}

TEST(YamlResolveTest, ObeysTags) {
  YamlScalar scalar;
  EXPECT_TRUE(ResolveTaggedYamlScalar("float", "3", scalar));
  EXPECT_EQ(scalar.real, 3);
  EXPECT_FALSE(ResolveTaggedYamlScalar("float", "18446744073709551615", scalar));
  EXPECT_FALSE(ResolveTaggedYamlScalar("int", "3.5", scalar));
  EXPECT_FALSE(ResolveTaggedYamlScalar("int", "", scalar));
  EXPECT_TRUE(ResolveTaggedYamlScalar("null", "", scalar));
  EXPECT_TRUE(ResolveTaggedYamlScalar("timestamp", "2001-01-02", scalar));
  EXPECT_FALSE(ResolveTaggedYamlScalar("timestamp", "1", scalar));
}

TEST(YamlResolveTest, KnowsWhatNeedsQuotes) {
  for (const char* text : {"", "1", "y", "1:30", "-190:20:30", "1:30.5", "2001-01-01"}) {
    EXPECT_FALSE(ReadsAsString(text)) << text;
  }
  for (const char* text : {"a", "1:60", "1:", ":1", "1:300", "1:30.a", "<<", "="}) {
    EXPECT_TRUE(ReadsAsString(text)) << text;
  }
}

TEST(YamlResolveTest, FormatsFloats) {
  EXPECT_EQ(FormatYamlFloat(1e6), "1e+06");
  EXPECT_EQ(FormatYamlFloat(-INFINITY), "-.inf");
  EXPECT_EQ(FormatYamlFloatKey(0.1), "0.1");
  EXPECT_EQ(FormatYamlFloatKey(1.23456789), "1.2345679");
  EXPECT_EQ(FormatYamlFloatKey(1e300), ".inf");
  EXPECT_EQ(FormatYamlFloatKey(NAN), ".nan");
}

}  // namespace
}  // namespace kube::codec::internal

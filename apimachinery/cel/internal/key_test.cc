#include "apimachinery/cel/internal/key.h"

#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "apimachinery/cel/value.h"
#include "gtest/gtest.h"

namespace kube::cel::internal {
namespace {

TEST(KeyTest, EqualValuesHaveEqualKeys) {
  EXPECT_EQ(KeyText(Value::FromInt(5)), KeyText(Value::FromUint(5)));
  EXPECT_EQ(KeyText(Value::FromInt(-5)), KeyText(Value::FromDouble(-5)));
  EXPECT_EQ(KeyText(Value::FromDouble(0.0)), KeyText(Value::FromDouble(-0.0)));
  EXPECT_EQ(KeyText(Value::FromUint(std::numeric_limits<uint64_t>::max() - 2047)),
            KeyText(Value::FromDouble(18446744073709549568.0)));
  EXPECT_EQ(KeyText(Value::FromTimestamp({.seconds = 1, .offset_seconds = 3600})),
            KeyText(Value::FromTimestamp({.seconds = 1})));
}

TEST(KeyTest, DifferentValuesHaveDifferentKeys) {
  const std::vector<Value> values = {
      Value(),
      Value::FromBool(true),
      Value::FromBool(false),
      Value::FromInt(0),
      Value::FromInt(1),
      Value::FromDouble(1.5),
      Value::FromDouble(std::numeric_limits<double>::infinity()),
      Value::FromString("0"),
      Value::FromString("n1"),
      Value::FromString(""),
      Value::FromDuration(1),
      Value::FromTimestamp({.seconds = 1}),
  };
  for (size_t i = 0; i < values.size(); ++i) {
    for (size_t j = 0; j < values.size(); ++j) {
      EXPECT_EQ(KeyText(values[i]) == KeyText(values[j]), i == j) << i << " " << j;
    }
  }
}

TEST(KeyTest, NoKeys) {
  EXPECT_EQ(KeyText(Value::FromDouble(std::nan(""))), std::nullopt);
  EXPECT_EQ(KeyText(Value::FromList(std::vector<Value>{})), std::nullopt);
  EXPECT_EQ(KeyText(Value::FromBytes("a")), std::nullopt);
  EXPECT_EQ(KeyText(Value::Error("e")), std::nullopt);
}

}  // namespace
}  // namespace kube::cel::internal

#include "apimachinery/base/text/decimal.h"

#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/hash/hash_testing.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "tests/dice.h"

namespace kube::text {
namespace {

constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

std::string Print(const Decimal& value) {
  const Decimal::Normal normal = value.ToNormal();
  return absl::StrCat(normal.negative ? "-" : "", normal.digits, "e", normal.exponent);
}

Decimal Sum(Decimal a, const Decimal& b) { return a += b; }

TEST(DecimalTest, Sum_IsExactUntilDigitsAreTooFarApart) {
  struct Row {
    const char* name;
    Decimal a;
    Decimal b;
    const char* sum;
    bool dropped = false;
  };
  for (const Row& row : {
           Row{"zeros", {}, Decimal(0, 5), "e0"},
           Row{"small", Decimal(15, -1), Decimal(2, 0), "35e-1"},
           Row{"to zero", Decimal(15, -1), Decimal(-1500, -3), "e0"},
           Row{"carry beyond 64 bits", Decimal(kMax, 0), Decimal(kMax, 0),
               "18446744073709551614e0"},
           Row{"the least twice", Decimal(kMin, 0), Decimal(kMin, 0), "-18446744073709551616e0"},
           Row{"far apart", Decimal(1, 30), Decimal(-1, -9),
               "999999999999999999999999999999999999999e-9"},
           Row{"as far as it goes", Decimal(1, 10'000), Decimal(5, 0),
               nullptr},  // the digits are counted below
           Row{"dropped", Decimal(1, 10'001), Decimal(5, 0), "1e10001", true},
           Row{"dropped, the other way", Decimal(5, 0), Decimal(-1, 2'000'000'000), "-1e2000000000",
               true},
       }) {
    SCOPED_TRACE(row.name);
    const std::string sum = Print(Sum(row.a, row.b));
    if (row.sum != nullptr) {
      EXPECT_EQ(sum, row.sum);
    } else {
      EXPECT_EQ(sum.size(), 10'001 + 2);
    }
    EXPECT_EQ(Print(Sum(row.b, row.a)), sum);
    if (!row.dropped) {
      EXPECT_EQ(Sum(Sum(row.a, row.b), -row.b), row.a);
    }
  }
}

TEST(DecimalTest, Multiply_ByInteger_IsExact) {
  const auto product = [](Decimal a, int64_t b) { return Print(a *= b); };
  EXPECT_EQ(product(Decimal(15, -1), 4), "6e0");
  EXPECT_EQ(product(Decimal(15, -1), 0), "e0");
  EXPECT_EQ(product(Decimal(kMin, 0), -1), "9223372036854775808e0");
  EXPECT_EQ(product(Decimal(kMin, 0), kMin), "85070591730234615865843651857942052864e0");
  EXPECT_EQ(product(Decimal(kMax, 3), -kMax), "-85070591730234615847396907784232501249e3");
  EXPECT_EQ(Print(-Decimal(kMin, 2)), "9223372036854775808e2");
  EXPECT_EQ(-(-Decimal(kMin, 2)), Decimal(kMin, 2));
  EXPECT_EQ(Print(-Decimal(7, 2)), "-7e2");
}

TEST(DecimalTest, RoundedUp_RoundsAwayFromZero) {
  struct Row {
    const char* digits;
    int64_t exponent;
    int64_t to;
    const char* rounded;
    int64_t value;  // over 10^to
  };
  const std::string nines(30, '9');
  for (const Row& row : {
           Row{"15", -1, 0, "2e0", 2},
           Row{"15", -1, -1, "15e-1", 15},
           Row{"15", 1, 0, "15e1", 150},
           Row{"15", -1, 1, "1e1", 1},
           Row{"15", -1, 300, "1e300", 1},
           Row{"999", -2, 0, "1e1", 10},
           Row{"100000000000000000001", -20, 0, "2e0", 2},
           Row{"999999999999999999999999999999", -20, 0, "1e10", 10'000'000'000},
           Row{"999999999999999999999999999999", 0, 0, "999999999999999999999999999999e0", kMax},
           Row{"999999999999999999999999999999", 0, 40, "1e40", 1},
           Row{"1", 19, 0, "1e19", kMax},
           Row{"1", 2'000'000'000, 0, "1e2000000000", kMax},
           Row{"1", -2'000'000'000, 0, "1e0", 1},
       }) {
    const Decimal value = Decimal::FromDigits(false, row.digits, row.exponent);
    SCOPED_TRACE(absl::StrCat(Print(value), " to ", row.to));
    EXPECT_EQ(Print(value.RoundedUp(row.to)), row.rounded);
    EXPECT_EQ(value.ToInt64(row.to), row.value);
    EXPECT_EQ((-value).RoundedUp(row.to), -value.RoundedUp(row.to));
    EXPECT_EQ((-value).ToInt64(row.to), row.value == kMax ? kMin : -row.value);
  }
  EXPECT_EQ(Decimal().RoundedUp(9), Decimal());
  EXPECT_EQ(Decimal(0, 99).ToInt64(0), 0);
}

TEST(DecimalTest, ToDouble_ReturnsTheNearestDouble) {
  EXPECT_EQ(Decimal(1, -1).ToDouble(), 0.1);
  EXPECT_EQ(Decimal(-25, 300).ToDouble(), -25e300);
  EXPECT_EQ(Decimal(kMax, 0).ToDouble(), 9223372036854775807.0);
  EXPECT_EQ(Decimal(0, 400).ToDouble(), 0);
  EXPECT_EQ(Decimal(1, 2'000'000'000).ToDouble(), HUGE_VAL);
  EXPECT_EQ(Decimal(-1, -2'000'000'000).ToDouble(), 0);
}

TEST(DecimalTest, Compare_EqualNumbersInOtherForms_AreEqual) {
  // In ascending order; the texts of a row are equal.
  const std::vector<std::vector<Decimal>> rows = {
      {Decimal(-1, 100), Decimal::FromDigits(true, "1" + std::string(40, '0'), 60)},
      {Decimal(kMin, 0), Decimal::FromDigits(true, "009223372036854775808", 0),
       -Decimal::FromDigits(false, "92233720368547758080", -1)},
      {Decimal(-10, 0), Decimal(-1, 1)},
      {Decimal(), Decimal(0, 7), Decimal::FromDigits(true, "000", 3)},
      {Decimal(1, -9)},
      {Decimal(10, 0), Decimal(1, 1), Decimal(1'000'000'000'000'000'000, -17)},
      {Decimal(kMax, 0), Decimal::FromDigits(false, "9223372036854775807", 0)},
      {Decimal::FromDigits(false, "9223372036854775808", 0), -Decimal(kMin, 0)},
      {Decimal(1, 19), Decimal(1'000'000'000'000'000'000, 1)},
      {Decimal(1, 100), Decimal(10, 99)},
  };
  std::vector<Decimal> all;
  for (size_t i = 0; i < rows.size(); ++i) {
    for (const Decimal& value : rows[i]) {
      all.push_back(value);
      for (size_t j = 0; j < rows.size(); ++j) {
        EXPECT_EQ(value <=> rows[j].back(), i <=> j) << Print(value) << " " << i << " " << j;
      }
    }
  }
  EXPECT_TRUE(absl::VerifyTypeImplementsAbslHashCorrectly(all));
}

// Compares with 128-bit arithmetic.
TEST(DecimalTest, Sum_RandomNumbers_EqualsInt128) {
  constexpr uint64_t kSeed = 61;
  oracle::Dice dice(kSeed);
  const auto power = [](int64_t n) {
    __int128 value = 1;
    for (int64_t i = 0; i < n; ++i) value *= 10;
    return value;
  };
  const auto ordering = [](__int128 a, __int128 b) { return a < b ? -1 : a > b ? 1 : 0; };
  for (int i = 0; i < 20'000; ++i) {
    SCOPED_TRACE(absl::StrCat("seed ", kSeed, ", round ", i));
    const int64_t a = static_cast<int64_t>(dice.Next()) >> dice.Below(64);
    const int64_t b = static_cast<int64_t>(dice.Next()) >> dice.Below(64);
    const int64_t exponent_a = static_cast<int64_t>(dice.Below(18));
    const int64_t exponent_b = static_cast<int64_t>(dice.Below(18));
    const __int128 wide_a = a * power(exponent_a);
    const __int128 wide_b = b * power(exponent_b);
    const Decimal sum = Sum(Decimal(a, exponent_a), Decimal(b, exponent_b));
    // As 128 bits again, in two steps.
    const __int128 wide = wide_a + wide_b;
    Decimal expected(static_cast<int64_t>(wide / power(18)), 18);
    expected += Decimal(static_cast<int64_t>(wide % power(18)), 0);
    EXPECT_EQ(sum, expected);
    const auto order = Decimal(a, exponent_a) <=> Decimal(b, exponent_b);
    EXPECT_EQ(order < 0 ? -1 : order > 0 ? 1 : 0, ordering(wide_a, wide_b));
    EXPECT_EQ(Sum(sum, -Decimal(b, exponent_b)), Decimal(a, exponent_a));
  }
}

TEST(DecimalTest, DivideDigits_InvertsMultiplyDigits) {
  EXPECT_EQ(DivideDigits("1025", 1024), std::make_pair(std::string("1"), uint32_t{1}));
  EXPECT_EQ(DivideDigits("7", 1024), std::make_pair(std::string(), uint32_t{7}));
  const std::string product = MultiplyDigits("18446744073709551616", 1024);
  EXPECT_EQ(DivideDigits(product, 1024),
            std::make_pair(std::string("18446744073709551616"), uint32_t{0}));
}

}  // namespace
}  // namespace kube::text

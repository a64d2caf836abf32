#include "apimachinery/types/quantity.h"

#include <limits>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include "absl/hash/hash_testing.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/opt.h"
#include "gtest/gtest.h"
#include "tests/oracle/go_cases.h"

namespace kube {
namespace {

constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

static_assert(std::is_standard_layout_v<Quantity>);
static_assert(std::is_convertible_v<const char*, Quantity> &&
              !std::is_convertible_v<int, Quantity>);

TEST(QuantityTest, WhatItIs) {
  struct Row {
    const char* name;
    Quantity quantity;
    bool valid;
    const char* printed;
    int sign;
    int64_t value;
    int64_t milli_value;
  };
  for (const Row& row : {
           Row{"zero value", {}, true, "0", 0, 0, 0},
           Row{"milli", "500m", true, "500m", 1, 1, 500},
           Row{"fraction", "0.5", true, "500m", 1, 1, 500},
           Row{"negative", "-1500m", true, "-1500m", -1, -2, -1500},
           Row{"binary", String("1024Mi"), true, "1Gi", 1, 1073741824, 1073741824000},
           Row{"nano", "1n", true, "1n", 1, 1, 1},
           Row{"largest", "9223372036854775807", true, "9223372036854775807", 1, kMax, kMax},
           Row{"beyond 64 bits", "1e1000000000", true, "10e999999999", 1, kMax, kMax},
           Row{"beyond them, negative", "-100E", true, "-100E", -1, kMin, kMin},
           Row{"least", "-9223372036854775808", true, "-9223372036854775808", -1, kMin, kMin},
           Row{"no quantity", "much", false, "much", 0, 0, 0},
           Row{"space", " 1", false, " 1", 0, 0, 0},
       }) {
    SCOPED_TRACE(row.name);
    EXPECT_EQ(row.quantity.IsValid(), row.valid);
    EXPECT_EQ(row.quantity.ToString(), row.printed);
    EXPECT_EQ(row.quantity.Sign(), row.sign);
    EXPECT_EQ(row.quantity.IsZero(), row.sign == 0);
    EXPECT_EQ(row.quantity.Value(), row.value);
    EXPECT_EQ(row.quantity.MilliValue(), row.milli_value);
    std::ostringstream out;
    out << row.quantity;
    EXPECT_EQ(out.str(), row.printed);
  }
  EXPECT_EQ(Quantity("1024Mi").source(), "1024Mi");
  EXPECT_EQ(Quantity().source(), "");
}

TEST(QuantityTest, OrderAndHash) {
  // In ascending order; the texts of a row are equal.
  const std::vector<std::vector<Quantity>> rows = {
      {"", "0", "0Gi"}, {"1"}, {"1Ki", "1024", "1.024k"}, {"1Gi", "1024Mi", "1073741824"}};
  const std::vector<Quantity> invalid = {"a", "b"};
  EXPECT_LT(invalid[0], invalid[1]);
  EXPECT_NE(invalid[0], invalid[1]);
  EXPECT_EQ(invalid[0], Quantity("a"));
  std::vector<Quantity> all = invalid;
  for (size_t i = 0; i < rows.size(); ++i) {
    for (const Quantity& quantity : rows[i]) {
      all.push_back(quantity);
      EXPECT_LT(invalid[1], quantity);
      for (size_t j = 0; j < rows.size(); ++j) {
        EXPECT_EQ(quantity == rows[j][0], i == j) << quantity << " " << rows[j][0];
        EXPECT_EQ(quantity < rows[j][0], i < j) << quantity << " " << rows[j][0];
      }
    }
  }
  EXPECT_TRUE(absl::VerifyTypeImplementsAbslHashCorrectly(all));
  EXPECT_LT(Quantity("15Gi"), "16Gi");
}

// The examples of the header, and other typical uses.
TEST(QuantityTest, InContainers) {
  struct Resources {
    Map<Quantity> limits = {};
    Opt<Quantity> size_limit = {};
    List<Quantity> steps = {};
  };
  Resources resources{.limits = {{"cpu", "500m"}, {"memory", "1Gi"}}, .size_limit = "64Mi"};
  resources.steps = {"1", String("2"), std::string("3")};
  EXPECT_TRUE(resources.limits["memory"] < "16Gi");
  EXPECT_EQ(resources.limits["cpu"].MilliValue(), 500);
  EXPECT_EQ(resources.size_limit, Quantity("65536Ki"));
  EXPECT_EQ(resources.limits, (Map<Quantity>{{"memory", "1024Mi"}, {"cpu", "0.5"}}));
  const Resources copy = resources;
  resources.limits["cpu"] = "a text that is longer than fifteen bytes";
  resources.limits["cpu"] = copy.limits.find("memory")->source();
  EXPECT_EQ(resources.limits["cpu"].source(), "1Gi");
}

// Limited to values for which Go neither overflows nor rounds a negative number the wrong way.
TEST(QuantityTest, GoValues) {
  oracle::TextMaker maker(32,
                          {"0", "1", "100m", "1.5Gi", "0.0001Ki", "12e6", "1n", "999999999n", "1u",
                           "0.1234567891", "7Pi", "100k", "2500m", "3E", "0.9999999999"},
                          {"0", "1", "5", "m", "k", "Mi", "Ki", ".", "n", "u", "e3", "E-3", "G"});
  oracle::GoCases cases("values_oracle");
  for (const std::string& text : maker.Make(10'000)) {
    // "" is zero here and an error in Go; Go writes out numbers with large exponents digit by
    // digit.
    const size_t e = text.find_first_of("eE");
    if (text.empty() || (e != std::string::npos && text.size() - e > 5)) continue;
    const Quantity quantity = text;
    if (!quantity.IsValid()) {
      cases.Add("values", text, oracle::GoCases::kError);
    } else if (quantity < "9P" && quantity >= "0") {
      cases.Add("values", text, absl::StrCat(quantity.Value(), " ", quantity.MilliValue()));
    }
  }
  cases.Check();
}

}  // namespace
}  // namespace kube

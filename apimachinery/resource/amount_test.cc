#include "apimachinery/resource/amount.h"

#include <cmath>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include "absl/hash/hash_testing.h"
#include "absl/status/status.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/quantity.h"
#include "gtest/gtest.h"

namespace kube::resource {
namespace {

namespace corev1 = api::core::v1;

using base::IsOkAndHolds;
using base::StatusIs;

constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

static_assert(std::is_convertible_v<int, Amount> && std::is_convertible_v<uint32_t, Amount>);
static_assert(!std::is_convertible_v<uint64_t, Amount> && !std::is_convertible_v<bool, Amount> &&
              !std::is_convertible_v<double, Amount> && !std::is_convertible_v<char, Amount>);

TEST(AmountTest, CalculatesWithQuantitiesOfObjects_AsInTheHeader) {
  corev1::Node node = {.status = {.allocatable = {{"memory", "16Gi"}}}};
  corev1::Pod pod;
  pod.spec.containers = {{.name = "web", .resources = {.requests = {{"cpu", "250m"}}}},
                         {.name = "proxy", .resources = {.requests = {{"cpu", "1"}}}},
                         {.name = "without"}};
  const Amount used = "12Gi";
  const Quantity request = "1Gi";
  const int replicas = 4;
  const Quantity overhead = "1";
  const Amount free = node.status.allocatable["memory"] - used;  // Quantity - Amount
  const bool fits = free >= "1Gi" && free >= request * replicas;
  pod.spec.containers[0].resources.limits["cpu"] = Amount::Milli(250) + overhead;
  const Amount cpus = Sum(pod.spec.containers, [](const corev1::Container& container) {
    return container.resources.requests.find("cpu");
  });
  EXPECT_EQ(free.ToString(), "4Gi");
  EXPECT_TRUE(fits);
  EXPECT_EQ(pod.spec.containers[0].resources.limits["cpu"].source(), "1250m");
  EXPECT_EQ(cpus.ToString(), "1250m");
}

TEST(AmountTest, WithoutPain) {
  struct Requirements {
    Map<Quantity> requests;
    Map<Quantity> limits;
  };
  std::vector<Requirements> containers(3);
  containers[0] = {.requests = {{"cpu", "250m"}, {"memory", "64Mi"}}, .limits = {}};
  containers[1] = {.requests = {{"cpu", "1"}, {"memory", "1Gi"}}, .limits = {}};

  const auto cpu_of = [](const Requirements& container) { return container.requests.find("cpu"); };
  const Amount cpus = Sum(containers, cpu_of);
  EXPECT_EQ(cpus.ToString(), "1250m");
  EXPECT_EQ(Sum(List<Quantity>{"1Gi", "512Mi", "1M"}).ToString(), "1611612736");
  EXPECT_EQ(Sum(std::vector<int>{1, 2, 3}), 6);
  EXPECT_EQ(Sum(std::vector<Amount>{}).ToString(), "0");

  const Quantity allocatable = "16Gi";
  const Quantity used = "12Gi";
  const Amount free = allocatable - used;
  EXPECT_TRUE(free < "5Gi" && "3Gi" < free && free == "4096Mi");
  EXPECT_TRUE(free < allocatable && allocatable > free && allocatable != free);
  EXPECT_FALSE(free < containers[1].requests["memory"] * 4);
  EXPECT_TRUE(free > 0 && 1 < free && free != 5);
  EXPECT_EQ(allocatable + used, "28Gi");

  containers[0].limits["cpu"] = Amount::Milli(250) + Quantity("1");
  EXPECT_EQ(containers[0].limits["cpu"].source(), "1250m");
  containers[0].limits["memory"] = free - 1;
  EXPECT_EQ(containers[0].limits["memory"].source(), "4294967295");
}

TEST(AmountTest, Arithmetic) {
  struct Row {
    const char* name;
    Amount result;
    const char* text;
    Format format = Format::kDecimalSI;
  };
  for (const Row& row : {
           Row{"default", Amount(), "0"},
           Row{"sum", Quantity("0.5") + Quantity("100m"), "600m"},
           Row{"zero takes the other's format", Quantity("0") + Quantity("1Gi"), "1Gi",
               Format::kBinarySI},
           Row{"zero takes the other's format, subtracted", Amount() - Quantity("12e6"), "-12e6",
               Format::kDecimalExponent},
           Row{"zero keeps a format for nothing", Amount("1Gi") - "1Gi" + Amount(5000), "5k"},
           Row{"the first one's format counts", Quantity("1Gi") + Quantity("1G"), "2073741824",
               Format::kBinarySI},
           Row{"binary that is not whole", Amount("1Gi") + Amount::Milli(500), "1073741824500m",
               Format::kBinarySI},
           Row{"binary below 1024", Amount("1Ki") - 1, "1023", Format::kBinarySI},
           Row{"product", Amount("1500m") * 4, "6"},
           Row{"product, the other way", -2 * Amount("1Ki"), "-2Ki", Format::kBinarySI},
           Row{"beyond 64 bits", Amount(kMax) * kMax, "85070591730234615847396907784232501249"},
           Row{"beyond 64 bits, binary", Amount(kMax, Format::kBinarySI) + 1, "8Ei",
               Format::kBinarySI},
           Row{"below a nano", Amount::Scaled(1, -12), "1"},
           Row{"far apart", Amount("1e2000000000") + 1, "100e1999999998", Format::kDecimalExponent},
           Row{"huge and binary", Amount("1Ki") + "1e2000000000", "100", Format::kBinarySI},
           Row{"least number, negated", -Amount(kMin), "9223372036854775808"},
           Row{"least number, binary", Amount(kMin, Format::kBinarySI), "-8Ei", Format::kBinarySI},
           Row{"no quantity", Amount("much") + 1, "1"},
       }) {
    SCOPED_TRACE(row.name);
    EXPECT_EQ(row.result.ToString(), row.text);
    EXPECT_EQ(row.result.format(), row.format);
    EXPECT_EQ(row.result.ToQuantity().source(), row.text);
    std::ostringstream out;
    out << row.result;
    EXPECT_EQ(out.str(), row.text);
  }
  Amount twice = 21;
  const Amount& itself = twice;
  twice += itself;
  EXPECT_EQ(twice, 42);
  twice -= itself;
  EXPECT_TRUE(twice.IsZero());
  twice = Amount::Milli(1500);
  twice.set_format(Format::kDecimalExponent);
  EXPECT_EQ(twice.ToString(), "1500e-3");
}

TEST(AmountTest, Numbers) {
  struct Row {
    const char* text;
    int sign;
    int64_t value;
    int64_t millis;
    int64_t gigas;
    std::optional<int64_t> exact;
    double number;
  };
  for (const Row& row : {
           Row{"0", 0, 0, 0, 0, 0, 0},
           Row{"1500m", 1, 2, 1500, 1, {}, 1.5},
           Row{"-1500m", -1, -2, -1500, -1, {}, -1.5},
           Row{"1000m", 1, 1, 1000, 1, 1, 1},
           Row{"1n", 1, 1, 1, 1, {}, 1e-9},
           Row{"3G", 1, 3'000'000'000, 3'000'000'000'000, 3, 3'000'000'000, 3e9},
           Row{"9223372036854775807", 1, kMax, kMax, 9'223'372'037, kMax, 9223372036854775807.0},
           Row{"-9223372036854775808", -1, kMin, kMin, -9'223'372'037, kMin,
               -9223372036854775808.0},
           Row{"1E400", 1, kMax, kMax, kMax, {}, HUGE_VAL},
           Row{"-1e2000000000", -1, kMin, kMin, kMin, {}, -HUGE_VAL},
       }) {
    SCOPED_TRACE(row.text);
    const Amount amount(row.text);
    EXPECT_EQ(amount.Sign(), row.sign);
    EXPECT_EQ(amount.IsZero(), row.sign == 0);
    EXPECT_EQ(amount.Value(), row.value);
    EXPECT_EQ(amount.MilliValue(), row.millis);
    EXPECT_EQ(amount.ScaledValue(kGiga), row.gigas);
    EXPECT_EQ(amount.AsInt64(), row.exact);
    EXPECT_EQ(amount.ToDouble(), row.number);
  }
}

TEST(AmountTest, RoundUp) {
  Amount amount = "1.5Gi";
  EXPECT_TRUE(amount.RoundUp(0));
  EXPECT_EQ(amount.ToString(), "1536Mi");
  EXPECT_FALSE(amount.RoundUp(kMega));
  EXPECT_EQ(amount.ToString(), "1611000000");
  amount = "-1501m";
  EXPECT_TRUE(amount.RoundUp(kMicro));
  EXPECT_FALSE(amount.RoundUp(0));
  EXPECT_EQ(amount.ToString(), "-2");
  amount = 0;
  EXPECT_TRUE(amount.RoundUp(kExa));
  EXPECT_TRUE(amount.IsZero());
}

TEST(AmountTest, Parsing) {
  EXPECT_THAT(ParseAmount("1.50"), IsOkAndHolds(Amount::Milli(1500)));
  EXPECT_THAT(ParseAmount(" 1"), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_EQ(ParseAmount("1Xi").status().message(),
            "parse quantity \"1Xi\": quantities must match the regular expression "
            "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
}

TEST(AmountTest, OrderAndHash) {
  EXPECT_TRUE(absl::VerifyTypeImplementsAbslHashCorrectly(
      std::vector<Amount>{0, Amount("0Gi"), 1, Amount("1000m"), Amount("1Ki"), 1024,
                          Amount::Scaled(1, 40), Amount::Scaled(10, 39)}));
  EXPECT_LT(Amount("1G"), Amount("1Gi"));
}

}  // namespace
}  // namespace kube::resource

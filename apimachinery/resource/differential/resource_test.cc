// Every calculation with random pairs of quantities, against Go's: the same numbers, and the same
// texts to the byte.
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/resource/amount.h"
#include "apimachinery/types/quantity.h"
#include "gtest/gtest.h"
#include "tests/dice.h"
#include "tests/oracle/go_cases.h"

namespace kube::resource {
namespace {

constexpr uint64_t kSeed = 36;
constexpr int kPairs = 20'000;

// Go writes out numbers with these exponents, digit by digit.
bool IsCheapForGo(absl::string_view text) {
  const size_t e = text.find_last_of("eE");
  if (e == absl::string_view::npos) return true;
  return std::abs(std::atoll(std::string(text.substr(e + 1)).c_str())) < 1000;
}

std::vector<std::string> Texts() {
  const std::vector<std::string> samples = {"0",
                                            "1",
                                            "100m",
                                            "0.5",
                                            "1.5Gi",
                                            "512Mi",
                                            "1024Ki",
                                            "12e6",
                                            "1E3",
                                            "-5",
                                            "+7k",
                                            "007",
                                            "0.000000001",
                                            "1n",
                                            "999999999999999999",
                                            "9223372036854775807",
                                            "-9223372036854775808",
                                            "123456789012345678901234567890",
                                            "8191Pi",
                                            "8Ei",
                                            "-7Ei",
                                            "1.1Ei",
                                            "-0.001Ki",
                                            "1000000E",
                                            "0.9999999999n",
                                            "1e-10",
                                            "1e18",
                                            "100e-3",
                                            "-100e-3",
                                            "1E400",
                                            "-1E400",
                                            "12345678901Ki",
                                            "99Ti",
                                            "1.500",
                                            "0Gi",
                                            "0e3",
                                            "18446744073709551616Ki",
                                            "1073741824.000000001"};
  const std::vector<std::string> pieces = {
      "0",  "1",   "5",  "8",  "000", "1024", "999999999", "512",        ".",   "-",
      "e3", "E-7", "n",  "u",  "m",   "k",    "M",         "G",          "T",   "P",
      "Ki", "Mi",  "Gi", "Ti", "Pi",  "Ei",   "123456789", ".000000000", "e-9", "E40"};
  oracle::TextMaker maker(kSeed, samples, pieces);
  std::vector<std::string> texts;
  for (std::string& text : maker.Make(30'000)) {
    if (IsCheapForGo(text) && !text.empty() && Quantity(text).IsValid()) {
      texts.push_back(std::move(text));
    }
  }
  return texts;
}

std::string Written(const Amount& amount) {
  switch (amount.format()) {
    case Format::kDecimalSI:
      return absl::StrCat(amount.ToString(), "/DecimalSI");
    case Format::kBinarySI:
      return absl::StrCat(amount.ToString(), "/BinarySI");
    case Format::kDecimalExponent:
      return absl::StrCat(amount.ToString(), "/DecimalExponent");
  }
  return "no format";
}

int Cmp(const Amount& a, const Amount& b) { return (a > b) - (a < b); }

std::string Answer(const Amount& a, const Amount& b, int64_t factor, int scale) {
  Amount rounded = a;
  const bool exact = rounded.RoundUp(scale);
  const std::optional<int64_t> whole = a.AsInt64();
  std::string answer =
      absl::StrCat(Written(a), " ", Written(a + b), " ", Written(a - b), " ", Written(a * factor),
                   " ", Written(-a), " ", Written(rounded), " ", exact ? "true" : "false");
  absl::StrAppend(&answer, " ", Cmp(a, b), " ", Cmp(a, factor), " ", a.Sign(), " ", a.Value(), " ",
                  a.MilliValue(), " ", a.ScaledValue(scale));
  absl::StrAppend(&answer, " ", whole ? absl::StrCat(*whole) : "none", " ",
                  absl::Hex(std::bit_cast<uint64_t>(a.ToDouble())));
  return answer;
}

TEST(ResourceDifferentialTest, Pairs) {
  SCOPED_TRACE(absl::StrCat("seed ", kSeed));
  const std::vector<std::string> texts = Texts();
  ASSERT_GT(texts.size(), 5'000);
  oracle::Dice dice(kSeed);
  oracle::GoCases cases("resource_oracle");
  for (int i = 0; i < kPairs; ++i) {
    const std::string& a = texts[dice.Below(texts.size())];
    const std::string& b = texts[dice.Below(texts.size())];
    const int64_t factor = static_cast<int64_t>(dice.Next()) >> dice.Below(64);
    const int scale = static_cast<int>(dice.Below(30)) - 12;
    cases.Add("pair", absl::StrCat(a, "|", b, "|", factor, "|", scale),
              Answer(Quantity(a), Quantity(b), factor, scale));
  }
  cases.Check();
}

}  // namespace
}  // namespace kube::resource

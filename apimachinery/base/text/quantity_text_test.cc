#include "apimachinery/base/text/quantity_text.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "absl/hash/hash_testing.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/text/decimal.h"
#include "gtest/gtest.h"
#include "tests/oracle/go_cases.h"

namespace kube::text {
namespace {

std::string Canonical(absl::string_view text) {
  const ParsedQuantity parsed = ParseQuantityText(text);
  return parsed.error == QuantityError::kNone ? CanonicalQuantityText(text, parsed) : "error";
}

Decimal ValueOf(absl::string_view text) {
  const ParsedQuantity parsed = ParseQuantityText(text);
  EXPECT_EQ(parsed.error, QuantityError::kNone) << text;
  return parsed.value;
}

// The results of Go's Quantity.
// behaviour.md: COD-6
TEST(QuantityTextTest, Canonical_EachForm_IsThatOfGo) {
  struct Row {
    const char* name;
    const char* text;
    const char* canonical;
  };
  for (const Row& row : {
           Row{"zero", "0", "0"},
           Row{"zero with a suffix", "0Mi", "0"},
           Row{"a sign alone", "-", "0"},
           Row{"a point alone", ".", "0"},
           Row{"a suffix alone", "k", "0"},
           Row{"milli", "100m", "100m"},
           Row{"decimal fraction", "0.5", "500m"},
           Row{"thousands", "12000", "12k"},
           Row{"thousand milli", "1000m", "1"},
           Row{"binary", "512Mi", "512Mi"},
           Row{"next binary suffix", "1024Mi", "1Gi"},
           Row{"binary fraction", "1.5Gi", "1536Mi"},
           Row{"binary below 1024", "0.5Ki", "512"},
           Row{"binary below 1", "0.0001Ki", "102400u"},
           Row{"not a whole number of bytes", "1.0001Ki", "1024102400u"},
           Row{"exponent", "12E6", "12E6"},
           Row{"exponent to three", "1e5", "100e3"},
           Row{"negative exponent", "5e-4", "500e-6"},
           Row{"below a nano", "0.1n", "1n"},
           Row{"below a nano, negative", "-1.1n", "-2n"},
           Row{"tiny", "1e-100", "1e-9"},
           Row{"binary limit", "8Ei", "9223372036854775807"},
           Row{"negative binary limit", "-100Ei", "-9223372036854775807"},
           Row{"no decimal limit", "10000000000000000001", "10000000000000000001"},
           Row{"beyond the suffixes", "1000E", "1"},
           Row{"huge exponent", "1e2147483647", "10e2147483646"},
           Row{"exponent of 33 bits", "5e4294967296", "5e4294967296"},
           Row{"plus sign stays", "+1", "+1"},
           Row{"leading zero stays", "01", "01"},
           Row{"point stays", "1.", "1."},
           Row{"zeros stay", "1.500", "1.500"},
       }) {
    SCOPED_TRACE(row.name);
    EXPECT_EQ(Canonical(row.text), row.canonical);
  }
}

// behaviour.md: COD-6
TEST(QuantityTextTest, Parse_InvalidText_SaysWhetherFormatOrSuffix) {
  struct Row {
    const char* text;
    QuantityError error;
  };
  for (const Row& row : {
           Row{"", QuantityError::kFormat},
           Row{" 1", QuantityError::kFormat},
           Row{"1 ", QuantityError::kFormat},
           Row{"1.2.3", QuantityError::kFormat},
           Row{"--1", QuantityError::kSuffix},
           Row{"1x", QuantityError::kFormat},
           Row{"1Mib", QuantityError::kFormat},
           Row{"1K", QuantityError::kSuffix},
           Row{"1e", QuantityError::kSuffix},
           Row{"1e+", QuantityError::kSuffix},
           Row{"1m1", QuantityError::kSuffix},
           Row{"1e99999999999999999999", QuantityError::kSuffix},
           Row{"Pi", QuantityError::kNumeric},
           Row{".Ei", QuantityError::kNumeric},
           Row{"e-10", QuantityError::kNumeric},
       }) {
    EXPECT_EQ(ParseQuantityText(row.text).error, row.error) << row.text;
    EXPECT_NE(QuantityErrorText(row.error), "");
    EXPECT_FALSE(IsPlainQuantity(row.text));
  }
}

TEST(QuantityTextTest, Compare_EqualValues_AreEqualAndHashAlike) {
  // In ascending order; the texts of a row are equal.
  const std::vector<std::vector<std::string>> rows = {
      {"-1e1000000000"},
      {"-8Ei", "-9223372036854775807"},
      {"-1Ki", "-1024", "-1.024k"},
      {"-1"},
      {"-1n", "-0.1n", "-1e-2000000000"},
      {"0", "-0", "0Ki", "0e5", "."},
      {"1n", "1e-9", "0.1n"},
      {"999m", "0.999"},
      {"1", "1000m", "1e0"},
      {"1.5"},
      {"10"},
      {"1023"},
      {"1Ki", "1024", "1.024k"},
      {"1Mi"},
      {"1e1000000000"},
  };
  std::vector<Decimal> values;
  for (size_t i = 0; i < rows.size(); ++i) {
    for (const std::string& text : rows[i]) {
      values.push_back(ValueOf(text));
      for (size_t j = 0; j < rows.size(); ++j) {
        const Decimal other = ValueOf(rows[j].back());
        EXPECT_EQ(values.back() <=> other, i <=> j) << text << " " << rows[j].back();
        EXPECT_EQ(values.back() == other, i == j) << text << " " << rows[j].back();
      }
    }
  }
  EXPECT_TRUE(absl::VerifyTypeImplementsAbslHashCorrectly(values));
}

// Go would need minutes, or more memory than the machine has.
TEST(QuantityTextTest, Parse_MillionsOfDigits_IsExact) {
  const std::string nines(1'000'000, '9');
  const std::string zeros(1'000'000, '0');
  EXPECT_EQ(Canonical(nines), nines);
  EXPECT_EQ(Canonical("1" + zeros + "e2").size(), std::string("1e1000002").size());
  EXPECT_EQ(Canonical("0." + nines + "Ki"), "1Ki");
  EXPECT_EQ(Canonical("1." + zeros + "1Mi"), "1048576000000001n");
  EXPECT_EQ(Canonical(nines + "Ei"), "9223372036854775807");
  EXPECT_EQ(Canonical("1e-2147483648"), "1e-9");
  EXPECT_EQ(Canonical("1234567890123456789e2147483647"), "12345678901234567890e2147483646");
  EXPECT_EQ(Canonical(zeros), "0");
  EXPECT_EQ(Canonical("1e" + zeros + "3"), "1e" + zeros + "3");
  EXPECT_EQ(ParseQuantityText("1e" + nines).error, QuantityError::kSuffix);
}

TEST(QuantityTextTest, IsPlainQuantity_OnlyCanonicalTexts) {
  for (const char* text : {"0", "2", "100m", "512Mi", "1Gi", "250M", "15", "100", "99Ti"}) {
    EXPECT_TRUE(IsPlainQuantity(text)) << text;
  }
  for (const char* text : {"", "m", "1024Mi", "1000", "00", "0m", "1.5", "2048Ki", "1i", "1Pi"}) {
    EXPECT_FALSE(IsPlainQuantity(text)) << text;
  }
}

TEST(QuantityTextTest, TrimGoSpace_RemovesUnicodeSpaceAtBothEnds) {
  EXPECT_EQ(TrimGoSpace(""), "");
  EXPECT_EQ(TrimGoSpace(" \t\u00a0\u3000"), "");
  EXPECT_EQ(TrimGoSpace("\u2003 1 Gi\n\u0085"), "1 Gi");
  EXPECT_EQ(TrimGoSpace("\u200b1\u200b"), "\u200b1\u200b");
}

// Go writes out numbers with these exponents, digit by digit.
bool IsCheapForGo(absl::string_view text) {
  const size_t e = text.find_last_of("eE");
  if (e == absl::string_view::npos) return true;
  const std::string exponent(text.substr(e + 1));
  return std::abs(std::atoll(exponent.c_str())) < 3000;
}

std::vector<std::string> Texts(uint64_t seed, size_t count) {
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
                                            "1.",
                                            ".5",
                                            "0.000000001",
                                            "1n",
                                            "999999999999999999",
                                            "9223372036854775807",
                                            "9223372036854775808",
                                            "123456789012345678901234567890",
                                            "8191Pi",
                                            "8Ei",
                                            "7Ei",
                                            "1.1Ei",
                                            "-0.001Ki",
                                            "1000000E",
                                            "0.9999999999n",
                                            "1e-10",
                                            "1e18",
                                            "100e-3",
                                            "16384",
                                            "2047.9999999999Mi",
                                            "12345678901Ki",
                                            "99999999Mi",
                                            "99999Gi",
                                            "99Ti",
                                            "Pi",
                                            "1.500",
                                            "1023.5Ki",
                                            "18446744073709551616Ki"};
  const std::vector<std::string> pieces = {
      "0",  "1",   "5",  "8", "000", "1024", "999999999", "512",        ".",  "-", "+",  "e",  "E",
      "e3", "E-7", "n",  "u", "m",   "k",    "M",         "G",          "T",  "P", "Ki", "Mi", "Gi",
      "Ti", "Pi",  "Ei", "i", "K",   " ",    "123456789", ".000000000", "e-9"};
  return oracle::TextMaker(seed, samples, pieces).Make(count);
}

// behaviour.md: COD-6
TEST(QuantityTextTest, ParseAndFormat_RandomTexts_AgreeWithGo) {
  std::vector<std::string> texts = {"1e2147483647",  "1.5e-2147483648",      "10e2147483647",
                                    "1e4294967299",  "1e-4294967297",        "-50e2147483646",
                                    "1e99999999999", "1e9223372036854775807"};
  for (std::string& text : Texts(8, 40'000)) {
    if (IsCheapForGo(text)) texts.push_back(std::move(text));
  }
  oracle::GoCases cases("values_oracle");
  for (const std::string& text : texts) {
    const ParsedQuantity parsed = ParseQuantityText(text);
    EXPECT_TRUE(!IsPlainQuantity(text) || Canonical(text) == text) << text;
    cases.Add("quantity", text,
              parsed.error != QuantityError::kNone
                  ? absl::StrCat("error: ", QuantityErrorText(parsed.error))
                  : absl::StrCat(CanonicalQuantityText(text, parsed), " ", parsed.value.Sign()));
    cases.Add("trim", text, oracle::Hex(TrimGoSpace(text)));
  }
  for (const std::string& text :
       oracle::TextMaker(
           9, {" 1 ", "\u00a0"},
           {" ", "\u0085", "\u00a0", "\u1680", "\u2003", "\u200b", "\u2028", "\u202f", "\u205f",
            "\u3000", "1", "\xe2", "\x80", "\x85", "\t", "\x1f", "\xc2", "\v"})
           .Make(3'000)) {
    cases.Add("trim", text, oracle::Hex(TrimGoSpace(text)));
  }
  cases.Check();
}

TEST(QuantityTextTest, Compare_RandomPairs_OrdersAsGo) {
  std::vector<std::string> valid;
  for (std::string& text : Texts(10, 6'000)) {
    if (IsCheapForGo(text) && ParseQuantityText(text).error == QuantityError::kNone) {
      valid.push_back(std::move(text));
    }
  }
  std::sort(valid.begin(), valid.end(),
            [](const std::string& a, const std::string& b) { return ValueOf(a) < ValueOf(b); });
  oracle::GoCases cases("values_oracle");
  oracle::Dice dice(11);
  for (size_t i = 0; i < valid.size(); ++i) {
    // Adjacent values, which are close or equal, and one from anywhere.
    for (const size_t j : {i == 0 ? i : i - 1, dice.Next() % valid.size()}) {
      const auto order = ValueOf(valid[i]) <=> ValueOf(valid[j]);
      cases.Add("compare", absl::StrCat(valid[i], "|", valid[j]),
                order < 0   ? "-1"
                : order > 0 ? "1"
                            : "0");
    }
  }
  cases.Check();
}

}  // namespace
}  // namespace kube::text

// Versions in random texts, against Go's: what is parsed, why what is not, and in which order.
#include "apimachinery/version/version.h"

#include <compare>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/version/api_version.h"
#include "gtest/gtest.h"
#include "tests/dice.h"
#include "tests/oracle/go_cases.h"

namespace kube::version {
namespace {

constexpr int kTexts = 8'000;

std::vector<std::string> Texts() {
  oracle::TextMaker maker(
      91,
      {"1.2.3", "v1.27.4", "1.27+", "1.2", " 1.2.3 ", "1.0.0-alpha.1", "1.0.0-rc.1+build.7",
       "v1.2.3-01", "1.2.3.4", "0.0.0", "18446744073709551615.1", "1.18446744073709551616",
       "1.2.3-x-y.z", "1.0.0-2", "1.0.0-10", "1.0.0-beta", "1.0.0", "1.0", "1.0.0.0.1"},
      {"0", "1", "9", "10", ".", "-", "+", "v", " ", "alpha", "beta", "rc", "\n", "\t", "\v",
       "1.2.3", "-1", ".0", "00"});
  return maker.Make(kTexts);
}

std::string Print(const absl::StatusOr<Version>& version) {
  if (!version.ok()) return oracle::ErrorAnswer(version.status());
  const Version& v = *version;
  return absl::StrCat(v.ToString(), " ", v.major_version(), " ", v.minor_version(), " ", v.patch(),
                      " ", v.WithMajor(7).ToString(), " ", v.WithMinor(7).ToString(), " ",
                      v.WithPatch(7).ToString(), " ", v.WithPreRelease("p").ToString(), " ",
                      absl::StrCat(v.WithBuildMetadata("b").ToString(), " ",
                                   v.OffsetMinor(-2).ToString(), " ", v.OffsetMinor(3).ToString()));
}

std::string Compare(const Version& a, const Version& b) {
  const auto word = [](bool value) { return value ? "true" : "false"; };
  return absl::StrCat(word(a < b), " ", word(a >= b), " ", word(a > b), " ", word(a == b));
}

std::string Sign(std::weak_ordering order) { return order < 0 ? "-1" : order > 0 ? "1" : "0"; }

TEST(VersionDifferentialTest, Parsing) {
  oracle::GoCases cases("version_oracle");
  for (const std::string& text : Texts()) {
    cases.Add("generic", text, Print(ParseGeneric(text)));
    cases.Add("semantic", text, Print(ParseSemantic(text)));
    cases.Add("any", text, Print(Parse(text)));
    cases.Add("major_minor", text, Print(ParseMajorMinor(text)));
  }
  cases.Check();
}

TEST(VersionDifferentialTest, Order) {
  std::vector<std::string> texts;
  for (const std::string& text : Texts()) {
    if (ParseGeneric(text).ok() && text.find('|') == std::string::npos) texts.push_back(text);
  }
  ASSERT_GT(texts.size(), 1'000);
  oracle::Dice dice(92);
  oracle::GoCases cases("version_oracle");
  for (int i = 0; i < 10'000; ++i) {
    const std::string& a = texts[dice.Below(texts.size())];
    // Close to each other, now and then.
    const std::string b = dice.Below(2) == 0 ? a + "-1" : texts[dice.Below(texts.size())];
    if (!ParseGeneric(b).ok()) continue;
    const std::string question = absl::StrCat(a, "|", b);
    cases.Add("compare_generic", question, Compare(*ParseGeneric(a), *ParseGeneric(b)));
    cases.Add("compare", question, Compare(*Parse(a), *Parse(b)));
    const absl::StatusOr<std::weak_ordering> order = Parse(a)->CompareTo(b);
    cases.Add("compare_text", question, order.ok() ? Sign(*order) : oracle::GoCases::kError);
  }
  cases.Check();
}

TEST(VersionDifferentialTest, ApiVersions) {
  oracle::TextMaker maker(
      93, {"v1", "v2", "v10", "v1beta1", "v1beta2", "v1alpha1", "v2alpha10", "foo", "version1"},
      {"v", "1", "2", "0", "alpha", "beta", "x", "9223372036854775807", "\n"});
  std::vector<std::string> texts = maker.Make(500);
  oracle::Dice dice(94);
  oracle::GoCases cases("version_oracle");
  for (int i = 0; i < 10'000; ++i) {
    const std::string& a = texts[dice.Below(texts.size())];
    const std::string& b = texts[dice.Below(texts.size())];
    cases.Add("compare_api", absl::StrCat(a, "|", b), Sign(CompareKubeAwareVersionStrings(a, b)));
  }
  cases.Check();
}

}  // namespace
}  // namespace kube::version

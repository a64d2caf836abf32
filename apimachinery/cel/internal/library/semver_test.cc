#include "apimachinery/cel/internal/library/semver.h"

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gtest/gtest.h"

namespace kube::cel::internal {
namespace {

using base::IsOk;
using base::StatusIs;

TEST(SemverTest, Order) {
  // From the specification.
  const std::vector<std::string> ordered = {
      "0.9.9",      "1.0.0-alpha",  "1.0.0-alpha.1", "1.0.0-alpha.beta",
      "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1",
      "1.0.0",      "1.0.1",        "1.2.0",         "2.0.0"};
  for (size_t i = 0; i < ordered.size(); ++i) {
    for (size_t j = 0; j < ordered.size(); ++j) {
      const absl::StatusOr<Semver> a = ParseSemver(ordered[i], /*normalize=*/false);
      const absl::StatusOr<Semver> b = ParseSemver(ordered[j], /*normalize=*/false);
      ASSERT_TRUE(a.ok() && b.ok());
      EXPECT_EQ(a->Compare(*b), i < j ? -1 : (i > j ? 1 : 0)) << ordered[i] << " " << ordered[j];
    }
  }
  EXPECT_EQ(ParseSemver("1.0.0+a", false)->Compare(*ParseSemver("1.0.0+b", false)), 0);
}

TEST(SemverTest, TextsAreKept) {
  for (const char* text : {"0.0.0", "1.2.3-rc.1+build.5", "1.2.3--+-"}) {
    const absl::StatusOr<Semver> version = ParseSemver(text, /*normalize=*/false);
    ASSERT_THAT(version, IsOk()) << text;
    EXPECT_EQ(version->ToString(), text);
  }
}

TEST(SemverTest, Normalized) {
  const struct {
    const char* text;
    const char* normalized;
  } kTests[] = {
      {"v1", "1.0.0"},
      {"1.2", "1.2.0"},
      {"v01.02.003-rc", "1.2.3-rc"},
      {"00.0.000", "0.0.0"},
  };
  for (const auto& test : kTests) {
    const absl::StatusOr<Semver> version = ParseSemver(test.text, /*normalize=*/true);
    ASSERT_THAT(version, IsOk()) << test.text;
    EXPECT_EQ(version->ToString(), test.normalized);
  }
  EXPECT_THAT(ParseSemver("1-rc", /*normalize=*/true),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "short version cannot contain PreRelease/Build meta data"));
}

TEST(SemverTest, Malformed) {
  const struct {
    const char* text;
    const char* message;
  } kTests[] = {
      {"", "Version string empty"},
      {"1.2", "No Major.Minor.Patch elements found"},
      {"v1.2.3", "Invalid character(s) found in major number \"v1\""},
      {"1.02.3", "Minor number must not contain leading zeroes \"02\""},
      {"1.2.x", "Invalid character(s) found in patch number \"x\""},
      {"1..3", "strconv.ParseUint: parsing \"\": invalid syntax"},
      {"1.2.99999999999999999999",
       "strconv.ParseUint: parsing \"99999999999999999999\": value out of range"},
      {"1.2.3-", "Prerelease is empty"},
      {"1.2.3-01", "Numeric PreRelease version must not contain leading zeroes \"01\""},
      {"1.2.3-a_b", "Invalid character(s) found in prerelease \"a_b\""},
      {"1.2.3+", "Build meta data is empty"},
      {"1.2.3+a_b", "Invalid character(s) found in build meta data \"a_b\""},
  };
  for (const auto& test : kTests) {
    EXPECT_THAT(ParseSemver(test.text, /*normalize=*/false),
                StatusIs(absl::StatusCode::kInvalidArgument, test.message));
  }
}

}  // namespace
}  // namespace kube::cel::internal

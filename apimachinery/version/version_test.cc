#include "apimachinery/version/version.h"

#include <compare>
#include <limits>
#include <sstream>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gtest/gtest.h"

namespace kube::version {
namespace {

using base::IsOkAndHolds;
using base::StatusIs;

TEST(VersionTest, Parsing) {
  struct Row {
    const char* text;
    const char* semantic;  // null: an error
    const char* generic;
  };
  for (const Row& row : {
           Row{"1.2.3", "1.2.3", "1.2.3"},
           Row{" \tv1.2.3", "1.2.3", "1.2.3"},
           Row{"1.2.3 ", "1.2.3", "1.2.3"},
           Row{"1.2", nullptr, "1.2"},
           Row{"1", nullptr, nullptr},
           Row{"1.2.3.4", nullptr, "1.2.3.4"},
           Row{"1.02.3", nullptr, "1.2.3"},
           Row{"01.2.3", nullptr, nullptr},
           Row{"1.2.3-alpha.1+build-7.0", "1.2.3-alpha.1+build-7.0", "1.2.3"},
           Row{"1.2.3+b", "1.2.3+b", "1.2.3"},
           Row{"1.2.3-", nullptr, "1.2.3"},
           Row{"1.2.3-a.", nullptr, "1.2.3"},
           Row{"1.2.3-01", nullptr, "1.2.3"},
           Row{"1.2.3-01a", "1.2.3-01a", "1.2.3"},
           Row{"1.2.3a", nullptr, "1.2.3"},
           Row{"1.27+", nullptr, "1.27"},
           Row{"1.2.3\n", nullptr, nullptr},
           Row{"V1.2.3", nullptr, nullptr},
           Row{"", nullptr, nullptr},
       }) {
    SCOPED_TRACE(row.text);
    const absl::StatusOr<Version> semantic = ParseSemantic(row.text);
    const absl::StatusOr<Version> generic = ParseGeneric(row.text);
    ASSERT_EQ(semantic.ok(), row.semantic != nullptr) << semantic.status();
    ASSERT_EQ(generic.ok(), row.generic != nullptr) << generic.status();
    if (row.semantic != nullptr) {
      EXPECT_EQ(semantic->ToString(), row.semantic);
      EXPECT_TRUE(semantic->is_semantic());
    }
    if (row.generic != nullptr) {
      EXPECT_EQ(generic->ToString(), row.generic);
      EXPECT_EQ(Parse(row.text)->is_semantic(), semantic.ok());
    }
  }
}

TEST(VersionTest, Errors) {
  EXPECT_THAT(ParseGeneric("x"), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_EQ(ParseGeneric("x").status().message(), "could not parse \"x\" as version");
  EXPECT_EQ(ParseSemantic("1.2").status().message(), "illegal version string \"1.2\"");
  EXPECT_EQ(ParseSemantic("1.2.03").status().message(),
            "illegal zero-prefixed version component \"03\" in \"1.2.03\"");
  EXPECT_EQ(ParseSemantic("1.2.3-\xff").status().message(),
            "could not parse pre-release/metadata (-\xff) in version \"1.2.3-\\xff\"");
  EXPECT_EQ(ParseGeneric("1.18446744073709551616").status().message(),
            "illegal non-numeric version component \"18446744073709551616\" in "
            "\"1.18446744073709551616\": strconv.ParseUint: parsing \"18446744073709551616\": "
            "value out of range");
}

TEST(VersionTest, PartsAndChanges) {
  const Version version = *ParseSemantic("1.2.3-rc.1+b");
  EXPECT_EQ(version.major_version(), 1);
  EXPECT_EQ(version.minor_version(), 2);
  EXPECT_EQ(version.patch(), 3);
  EXPECT_EQ(version.pre_release(), "rc.1");
  EXPECT_EQ(version.build_metadata(), "b");
  EXPECT_EQ(version.WithMajor(9).ToString(), "9.2.3-rc.1+b");
  EXPECT_EQ(version.WithMinor(9).ToString(), "1.9.3-rc.1+b");
  EXPECT_EQ(version.WithPatch(9).ToString(), "1.2.9-rc.1+b");
  EXPECT_EQ(version.WithPreRelease("x").WithBuildMetadata("y").ToString(), "1.2.3-x+y");
  EXPECT_EQ(version.WithPreRelease("").ToString(), "1.2.3-rc.1+b");
  EXPECT_EQ(version.OffsetMinor(2).ToString(), "1.4");
  EXPECT_EQ(version.OffsetMinor(-2).ToString(), "1.0");
  EXPECT_EQ(version.OffsetMinor(std::numeric_limits<int64_t>::min()).ToString(), "1.0");
  EXPECT_EQ(MajorMinor(1, 2).WithPatch(0).ToString(), "1.2.0");
  EXPECT_EQ(ParseMajorMinor("v1.27.4-gke")->ToString(), "1.27");
  EXPECT_EQ(Version().ToString(), "0.0");
  EXPECT_EQ(MajorMinor(1, 2).patch(), 0);
  std::ostringstream out;
  out << version;
  EXPECT_EQ(out.str(), "1.2.3-rc.1+b");
}

TEST(VersionTest, Order) {
  // semver.org's example, and more.
  std::vector<Version> versions;
  for (const char* text :
       {"0.9.9", "1.0.0-1", "1.0.0-2", "1.0.0-10", "1.0.0-alpha", "1.0.0-alpha.1",
        "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1", "1.0.0",
        "1.0.1-0", "1.0.1", "1.10.0", "2.0.0"}) {
    versions.push_back(*ParseSemantic(text));
  }
  for (size_t i = 0; i < versions.size(); ++i) {
    for (size_t j = 0; j < versions.size(); ++j) {
      EXPECT_EQ(versions[i] <=> versions[j], i <=> j) << versions[i] << " " << versions[j];
    }
  }
  EXPECT_EQ(*ParseSemantic("1.0.0+a"), *ParseSemantic("1.0.0+b"));
  EXPECT_EQ(*ParseGeneric("1.4"), *ParseGeneric("1.4.0.0"));
  EXPECT_LT(*ParseGeneric("1.4"), *ParseGeneric("1.4.0.1"));
  EXPECT_GT(*ParseGeneric("1.4.0.1"), *ParseGeneric("1.4"));
  EXPECT_EQ(*ParseGeneric("1.0.0-alpha"), *ParseSemantic("1.0.0-beta"));
  EXPECT_THAT(MajorMinor(1, 2).CompareTo("1.2.0"), IsOkAndHolds(std::weak_ordering::equivalent));
  EXPECT_THAT(versions[0].CompareTo("1.2"), StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace kube::version

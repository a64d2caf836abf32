#include "apimachinery/restmapper/errors.h"

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "apimachinery/base/status.h"
#include "gtest/gtest.h"

namespace kube::restmapper {
namespace {

// behaviour.md: DISC-5
TEST(ErrorsTest, EachError_HasUpstreamsText) {
  struct Case {
    const char* name;
    absl::Status status;
    const char* text;
  };
  const std::vector<Case> cases = {
      {"resource", NoResourceMatchError({"apps", "v1", "webs"}),
       "no matches for apps/v1, Resource=webs"},
      {"kind", NoKindMatchError({"apps", "Web"}, {}),
       "no matches for kind \"Web\" in group \"apps\""},
      {"kind of one version", NoKindMatchError({"apps", "Web"}, {"v1", "v1"}),
       "no matches for kind \"Web\" in version \"apps/v1\""},
      {"kind of versions", NoKindMatchError({"", "Web"}, {"v2", "v1"}),
       "no matches for kind \"Web\" in versions [\"v1\" \"v2\"]"},
      {"ambiguous resource",
       AmbiguousResourceError({"", "", "pods"},
                              {.resources = {{"", "v1", "pods"}, {"a", "v1", "pods"}}}),
       "/, Resource=pods matches multiple resources [/v1, Resource=pods a/v1, Resource=pods]"},
      {"ambiguous kinds",
       AmbiguousResourceError({"", "", "pods"}, {.kinds = {{"", "v1", "Pod"}, {"a", "v1", "Pod"}}}),
       "/, Resource=pods matches multiple kinds [/v1, Kind=Pod a/v1, Kind=Pod]"},
      {"ambiguous kind of both",
       AmbiguousKindError({"", "", "Pod"},
                          {.resources = {{"", "v1", "pods"}}, .kinds = {{"", "v1", "Pod"}}}),
       "/, Kind=Pod matches multiple resources [/v1, Resource=pods] and kinds [/v1, Kind=Pod]"},
      {"ambiguous of none", AmbiguousKindError({"", "", "Pod"}, {}),
       "/, Kind=Pod matches multiple resources or kinds"},
  };
  for (const Case& c : cases) EXPECT_EQ(c.status.message(), c.text) << c.name;
}

TEST(ErrorsTest, Predicates_AnnotatedError_StillMatch) {
  const absl::Status none =
      base::Annotate(NoKindMatchError({"apps", "Web"}, {}), "apply \"web.yaml\"");
  EXPECT_TRUE(IsNoMatch(none));
  EXPECT_FALSE(IsAmbiguous(none));
  EXPECT_EQ(CandidatesOf(none), std::nullopt);

  const absl::Status ambiguous = base::Annotate(AmbiguousKindError({}, {}), "apply");
  EXPECT_TRUE(IsAmbiguous(ambiguous));
  EXPECT_FALSE(IsNoMatch(ambiguous));

  EXPECT_FALSE(IsNoMatch(absl::NotFoundError("pods \"web-0\" not found")));
  EXPECT_FALSE(IsAmbiguous(absl::InvalidArgumentError("bad")));
  EXPECT_FALSE(IsNoMatch(absl::OkStatus()));
}

TEST(ErrorsTest, CandidatesOf_AmbiguousError_ReturnsTheCandidates) {
  const Candidates candidates = {
      .resources = {{"", "v1", "pods"}, {"10:odd", "", "3:"}},
      .kinds = {{"apps", "v1", "Pod"}, {"", "", ""}},
  };
  const std::optional<Candidates> found =
      CandidatesOf(AmbiguousResourceError({"", "", "pods"}, candidates));
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(*found, candidates);
}

TEST(ErrorsTest, CandidatesOf_ForeignPayload_IsNullopt) {
  for (const char* payload : {"", "1", "1:x", "9:1",
                              "1:0"
                              "3:abc",
                              "1:0"
                              "1:a"
                              "1:b"
                              "1:"}) {
    absl::Status status = absl::InvalidArgumentError("odd");
    status.SetPayload("kube.restmapper/ambiguous", absl::Cord(payload));
    EXPECT_TRUE(IsAmbiguous(status)) << payload;
    EXPECT_EQ(CandidatesOf(status), std::nullopt) << payload;
  }
}

TEST(ErrorsTest, Predicates_JoinedErrors_MatchEachOfThem) {
  const absl::Status joined =
      JoinErrors({AmbiguousKindError({"", "", "A"}, {.kinds = {{"", "v1", "A"}}}),
                  NoKindMatchError({"", "A"}, {}), AmbiguousKindError({"", "", "B"}, {})});
  EXPECT_TRUE(IsNoMatch(joined));
  EXPECT_TRUE(IsAmbiguous(joined));
  ASSERT_TRUE(CandidatesOf(joined).has_value());
  EXPECT_EQ(CandidatesOf(joined)->kinds.size(), 1);
  EXPECT_FALSE(IsNoMatch(JoinErrors({absl::InternalError("a"), absl::InternalError("b")})));
}

}  // namespace
}  // namespace kube::restmapper

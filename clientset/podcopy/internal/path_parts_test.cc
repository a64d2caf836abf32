#include "clientset/podcopy/internal/path_parts.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::podcopy::internal {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(ParsePath, Cleans) {
  struct Case {
    std::string path;
    std::string clean;
    bool has_name;
  };
  const std::vector<Case> cases = {
      {"a", "a", true},
      {"/a/b", "/a/b", true},
      {"/a/b/", "/a/b", true},
      {"a//./b", "a/b", true},
      {"a/../b", "b", true},
      {"a/..", ".", false},
      {"", ".", false},
      {".", ".", false},
      {"/", "/", false},
      {"/..", "/", false},
      {"/../a", "/a", true},
      {"..", "..", false},
      {"../../a", "../../a", true},
      {"a/../../b", "../b", true},
      {"../..", "../..", false},
      {"...", "...", true},
  };
  for (const Case& each : cases) {
    EXPECT_EQ(ParsePath(each.path).ToString(), each.clean) << each.path;
    EXPECT_EQ(ParsePath(each.path).has_name(), each.has_name) << each.path;
  }
}

TEST(EntryParts, RefusesNamesThatLeadUpwards) {
  EXPECT_EQ(EntryParts("etc/conf/a"), (std::vector<std::string>{"etc", "conf", "a"}));
  EXPECT_EQ(EntryParts("/etc//conf/./a/"), (std::vector<std::string>{"etc", "conf", "a"}));
  EXPECT_EQ(EntryParts("./"), std::vector<std::string>());
  EXPECT_EQ(EntryParts("a..b/..c"), (std::vector<std::string>{"a..b", "..c"}));
  EXPECT_EQ(EntryParts("a/../b"), std::nullopt);
  EXPECT_EQ(EntryParts(".."), std::nullopt);
  EXPECT_EQ(EntryParts("/../etc/passwd"), std::nullopt);
}

TEST(EntryPrefix, IsWhatTarWrites) {
  EXPECT_THAT(EntryPrefix("/etc/conf"), ElementsAre("etc", "conf"));
  EXPECT_THAT(EntryPrefix("etc/conf/"), ElementsAre("etc", "conf"));
  EXPECT_THAT(EntryPrefix("./conf"), ElementsAre("conf"));
  EXPECT_THAT(EntryPrefix("../../conf"), ElementsAre("conf"));
  EXPECT_THAT(EntryPrefix("/a/../conf"), ElementsAre("conf"));
  EXPECT_THAT(EntryPrefix("/"), IsEmpty());
  EXPECT_THAT(EntryPrefix("."), IsEmpty());
}

TEST(StaysInside, FollowsTheTarget) {
  struct Case {
    std::string target;
    size_t depth;
    bool inside;
  };
  const std::vector<Case> cases = {
      {"a", 0, true},
      {"a/b", 0, true},
      {"./a", 0, true},
      {"..", 0, false},
      {"../a", 0, false},
      {"../a", 1, true},
      {"..", 1, true},
      {"../../a", 1, false},
      {"../../a", 2, true},
      {"/etc/passwd", 5, false},
      // A name before ".." may be a link that leads upwards itself.
      {"a/../b", 5, false},
      {"a/..", 5, false},
      {".././../a", 2, true},
  };
  for (const Case& each : cases) {
    EXPECT_EQ(StaysInside(each.target, each.depth), each.inside)
        << each.target << " at depth " << each.depth;
  }
}

}  // namespace
}  // namespace kube::podcopy::internal

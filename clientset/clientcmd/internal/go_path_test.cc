#include "clientset/clientcmd/internal/go_path.h"

#include <string>

#include "gtest/gtest.h"

namespace kube::clientcmd::internal {
namespace {

struct Row {
  const char* a;
  const char* b;
  const char* want;
};

TEST(GoPath, Clean) {
  constexpr Row kRows[] = {{"", "", "."},
                           {"a/", "", "a"},
                           {"/..", "", "/"},
                           {"a/../..", "", ".."},
                           {"//a/./b", "", "/a/b"}};
  for (const Row& row : kRows) EXPECT_EQ(CleanPath(row.a), row.want) << row.a;
}

TEST(GoPath, JoinAndDirectory) {
  EXPECT_EQ(JoinPath("", ""), "");
  EXPECT_EQ(JoinPath("/a", "../b"), "/b");
  EXPECT_EQ(JoinPath("", "b/"), "b");
  EXPECT_EQ(DirectoryOf("a"), ".");
  EXPECT_EQ(DirectoryOf("/a"), "/");
  EXPECT_EQ(DirectoryOf("/a/b/"), "/a/b");
}

TEST(GoPath, Relative) {
  constexpr Row kRows[] = {
      {"/a", "/a/b", "b"}, {"/a", "/a", "."}, {"/a/b", "/a/c", "../c"}, {"a", "b", "../b"}};
  for (const Row& row : kRows) EXPECT_EQ(RelativePath(row.a, row.b).value(), row.want) << row.b;
  EXPECT_FALSE(RelativePath("/a", "b").ok());
  EXPECT_FALSE(RelativePath("../a", "b").ok());
}

TEST(GoPath, Absolute) {
  EXPECT_EQ(AbsolutePath("/a/../b").value(), "/b");
  EXPECT_TRUE(IsAbsolutePath(AbsolutePath("x").value()));
}

}  // namespace
}  // namespace kube::clientcmd::internal

#include "clientset/clientcmd/internal/write_file.h"

#include <sys/stat.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "clientset/clientcmd/internal/read_file.h"
#include "gtest/gtest.h"

// Files that are replaced: kubeconfig_file_test.cc.
namespace kube::clientcmd::internal {
namespace {

TEST(WriteFile, WhatIsNoFileIsWrittenTo) {
  EXPECT_TRUE(WriteFile("/dev/null", "x").ok());
  struct stat info = {};
  ASSERT_EQ(stat("/dev/null", &info), 0);
  EXPECT_TRUE(S_ISCHR(info.st_mode));
}

TEST(WriteFile, Errors) {
  EXPECT_FALSE(WriteFile("", "x").ok());
  EXPECT_FALSE(WriteFile(testing::TempDir(), "x").ok());
  const std::string file = absl::StrCat(testing::TempDir(), "/file");
  ASSERT_TRUE(WriteFile(file, "content").ok());
  EXPECT_FALSE(WriteFile(absl::StrCat(file, "/below"), "x").ok());
  EXPECT_EQ(ReadFile(file).value(), "content");
}

}  // namespace
}  // namespace kube::clientcmd::internal

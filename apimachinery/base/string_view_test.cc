#include "apimachinery/base/string_view.h"

#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace kube::base {
namespace {

TEST(StringView, ViewsTheSameCharacters) {
  const std::string text("a\0b", 3);
  const std::string_view standard = text;
  const absl::string_view ours = ToAbsl(standard);
  EXPECT_EQ(ours.data(), text.data());
  EXPECT_EQ(ours.size(), 3u);
  EXPECT_EQ(ToStd(ours).data(), text.data());
  EXPECT_EQ(ToStd(ours), standard);
}

TEST(StringView, Convert_NullView_IsEmpty) {
  EXPECT_TRUE(ToAbsl(std::string_view()).empty());
  EXPECT_TRUE(ToStd(absl::string_view()).empty());
}

TEST(StringView, WorksInConstantsAndInConcatenation) {
  static_assert(ToAbsl(std::string_view("pod")).size() == 3);
  static_assert(ToStd(absl::string_view("pod")) == std::string_view("pod"));
  EXPECT_EQ(absl::StrCat("get ", ToAbsl(std::string_view("pods"))), "get pods");
}

}  // namespace
}  // namespace kube::base

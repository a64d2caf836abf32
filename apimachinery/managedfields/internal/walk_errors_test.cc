#include "apimachinery/managedfields/internal/walk_errors.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::managedfields::internal {
namespace {

using base::IsOk;
using base::StatusIs;
using testing::EndsWith;
using testing::StartsWith;

TEST(WalkErrorsTest, ToStatus_NoError_IsOkAndNoPathIsMade) {
  WalkErrors errors;
  errors.Prefix(0, []() -> std::string {
    ADD_FAILURE() << "there is nothing to prefix";
    return "";
  });
  EXPECT_THAT(errors.ToStatus(), IsOk());
}

TEST(WalkErrorsTest, ToStatus_OneError_IsItsPathAndMessage) {
  WalkErrors errors;
  errors.Add("field not declared in schema");
  EXPECT_THAT(errors.ToStatus(),
              StatusIs(absl::StatusCode::kInvalidArgument, "field not declared in schema"));
  errors.Prefix(0, [] { return ".foo"; });
  errors.Prefix(0, [] { return ".spec"; });
  EXPECT_THAT(errors.ToStatus(), StatusIs(absl::StatusCode::kInvalidArgument,
                                          ".spec.foo: field not declared in schema"));
}

TEST(WalkErrorsTest, ToStatus_SeveralErrors_AreListedInTheirOrder) {
  WalkErrors errors;
  errors.Add("one");
  errors.Add("two");
  errors.Prefix(1, [] { return ".b"; });
  EXPECT_EQ(errors.size(), 2u);
  EXPECT_THAT(errors.ToStatus(),
              StatusIs(absl::StatusCode::kInvalidArgument, "errors:\n  one\n  .b: two"));
}

// A list of a million wrong items at the end of a path of a thousand steps would take gigabytes.
TEST(WalkErrorsTest, ToStatus_VeryManyErrors_AreCounted) {
  WalkErrors errors;
  for (int i = 0; i < 250; ++i) errors.Add(absl::StrCat("wrong ", i));
  EXPECT_EQ(errors.size(), WalkErrors::kMaxErrors);
  errors.Prefix(0, [] { return ".a"; });
  const std::string text(errors.ToStatus().message());
  EXPECT_THAT(text, StartsWith("errors:\n  .a: wrong 0\n  .a: wrong 1\n"));
  EXPECT_THAT(text, EndsWith("\n  .a: wrong 99\n  and 150 more"));
}

}  // namespace
}  // namespace kube::managedfields::internal

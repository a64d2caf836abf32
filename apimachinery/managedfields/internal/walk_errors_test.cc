#include "apimachinery/managedfields/internal/walk_errors.h"

#include <string>

#include "absl/status/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gtest/gtest.h"

namespace kube::managedfields::internal {
namespace {

using base::IsOk;
using base::StatusIs;

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

}  // namespace
}  // namespace kube::managedfields::internal

#include "apimachinery/schema/missing_kind.h"

#include "absl/status/status.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::schema {
namespace {

using base::StatusIs;

TEST(MissingKindTest, TextsAndPredicates) {
  const absl::Status kind = MissingKindError("{}");
  EXPECT_THAT(kind,
              StatusIs(absl::StatusCode::kInvalidArgument, "Object 'Kind' is missing in '{}'"));
  EXPECT_TRUE(IsMissingKind(kind));
  EXPECT_TRUE(IsMissingKind(base::Annotate(kind, "read file")));
  EXPECT_FALSE(IsMissingVersion(kind));

  const absl::Status version = MissingVersionError("{}");
  EXPECT_THAT(version, StatusIs(absl::StatusCode::kInvalidArgument,
                                "Object 'apiVersion' is missing in '{}'"));
  EXPECT_TRUE(IsMissingVersion(version));
  EXPECT_TRUE(IsMissingVersion(base::Annotate(version, "read file")));
  EXPECT_FALSE(IsMissingKind(version));

  // The text alone does not make such an error.
  EXPECT_FALSE(IsMissingKind(absl::InvalidArgumentError(kind.message())));
  EXPECT_FALSE(IsMissingVersion(absl::OkStatus()));
}

}  // namespace
}  // namespace kube::schema

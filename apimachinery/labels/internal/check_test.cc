#include "apimachinery/labels/internal/check.h"

#include "gtest/gtest.h"

namespace kube::labels::internal {
namespace {

using validation::field::Path;

TEST(Check, CheckLabelKey_InvalidKey_IsOneErrorWithAllMessages) {
  EXPECT_TRUE(CheckLabelKey("app", Path("key")).empty());
  const validation::field::ErrorList errors = CheckLabelKey("/", Path("key"));
  ASSERT_EQ(errors.size(), 1u) << "one error, with all that is wrong";
  EXPECT_EQ(errors[0].field, "key");
  EXPECT_EQ(errors[0].detail.substr(0, 59),
            "prefix part must be non-empty; name part must be non-empty;");
}

TEST(Check, CheckLabelValue_InvalidValue_NamesTheKey) {
  EXPECT_TRUE(CheckLabelValue("app", "", Path("values")).empty());
  const validation::field::ErrorList errors = CheckLabelValue("app", "-", Path("values"));
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].field, "values[app]");
}

}  // namespace
}  // namespace kube::labels::internal

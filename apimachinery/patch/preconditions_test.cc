#include "apimachinery/patch/preconditions.h"

#include "absl/status/status.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/unstructured/value_json.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::patch {
namespace {

using base::StatusIs;
using testing::HasSubstr;
using unstructured::ParseJson;

TEST(Preconditions, Check_KeyInThePatch_Fails) {
  EXPECT_TRUE(RequireKeyUnchanged("kind")(*ParseJson(R"({"spec":{"kind":1}})")).ok());
  EXPECT_FALSE(RequireKeyUnchanged("kind")(*ParseJson(R"({"kind":null})")).ok());
  EXPECT_TRUE(RequireMetadataKeyUnchanged("name")(*ParseJson(R"({"name":1})")).ok());
  EXPECT_TRUE(RequireMetadataKeyUnchanged("name")(*ParseJson(R"({"metadata":[]})")).ok());
  EXPECT_FALSE(RequireMetadataKeyUnchanged("name")(*ParseJson(R"({"metadata":{"name":1}})")).ok());
}

TEST(Preconditions, IsPreconditionFailed_Conflict_IsFalse) {
  const absl::Status failed =
      internal::CheckPreconditions({RequireKeyUnchanged("kind")}, *ParseJson(R"({"kind":1})"));
  EXPECT_THAT(failed, StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("kind")));
  EXPECT_TRUE(IsPreconditionFailed(base::Annotate(failed, "apply")));
  EXPECT_FALSE(IsConflict(failed));
  const absl::Status conflict = internal::ConflictError("spec.replicas");
  EXPECT_THAT(conflict, StatusIs(absl::StatusCode::kAborted, HasSubstr("spec.replicas")));
  EXPECT_TRUE(IsConflict(conflict));
  EXPECT_FALSE(IsConflict(absl::AbortedError("other")));
}

}  // namespace
}  // namespace kube::patch

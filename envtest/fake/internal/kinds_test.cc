#include "envtest/fake/internal/kinds.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/errors.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::fake::internal {
namespace {

namespace appsv1 = api::apps::v1;
namespace corev1 = api::core::v1;
using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;

TEST(KindsTest, KindOf_NotAKind_IsNull) {
  ASSERT_NE(KindOf(appsv1::Deployment::kMessage), nullptr);
  EXPECT_EQ(KindOf(appsv1::Deployment::kMessage)->plural, "deployments");
  EXPECT_EQ(KindOf(corev1::Container::kMessage), nullptr);
}

TEST(KindsTest, WithKind_MissingKindAndVersion_AreFilledIn) {
  const struct {
    const char* name;
    absl::StatusOr<std::string> json;
    const char* result;
  } rows[] = {
      {"neither", "{}", R"({"apiVersion":"apps/v1","kind":"Deployment"})"},
      {"both", R"({"kind":"K","apiVersion":"g/v1"})", R"({"apiVersion":"g/v1","kind":"K"})"},
      {"empty", R"({"kind":"","spec":{}})",
       R"({"apiVersion":"apps/v1","kind":"Deployment","spec":{}})"},
  };
  for (const auto& row : rows) {
    EXPECT_THAT(WithKind(row.json, appsv1::Deployment::kMessage), IsOkAndHolds(row.result))
        << row.name;
  }
  EXPECT_THAT(WithKind(std::string("{}"), corev1::Container::kMessage), IsOkAndHolds("{}"));
  EXPECT_THAT(WithKind(absl::InternalError("no"), appsv1::Deployment::kMessage),
              StatusIs(absl::StatusCode::kInternal));
}

TEST(KindsTest, EncodeError_NotOfAServer_IsNotFound) {
  const absl::StatusOr<EncodedError> error = EncodeError(errors::NotFound({"", "pods"}, "web"));
  ASSERT_THAT(error, IsOk());
  EXPECT_EQ(error->code, 404);
  EXPECT_THAT(error->json, testing::HasSubstr(R"("reason":"NotFound")"));
  EXPECT_THAT(error->json, testing::HasSubstr(R"("kind":"Status")"));
  EXPECT_THAT(EncodeError(absl::UnavailableError("no")), StatusIs(absl::StatusCode::kNotFound));
}

}  // namespace
}  // namespace kube::fake::internal

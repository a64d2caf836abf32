#include "apimachinery/managedfields/internal/typed_comparer.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/managedfields/comparison.h"
#include "apimachinery/managedfields/internal/typed_plan.h"
#include "gtest/gtest.h"

// typed_compare_test has the rows, and random objects.
namespace kube::managedfields::internal {
namespace {

namespace corev1 = api::core::v1;

using base::IsOk;
using base::StatusIs;
using corev1::Pod;
using corev1::ServiceAccount;
using Place = TypedComparer::Place;

template <typename T>
T Decoded(absl::string_view json) {
  absl::StatusOr<T> object = codec::DecodeJson<T>(json);
  EXPECT_THAT(object.status(), IsOk()) << json;
  return object.ok() ? *std::move(object) : T();
}

template <typename T>
Comparison CompareAt(Place place, const T& before, const T& after) {
  TypedComparer comparer;
  Comparison found = comparer.CompareStructs(reinterpret_cast<const char*>(&before),
                                             reinterpret_cast<const char*>(&after),
                                             TypedPlanOf(T::kMessage), place);
  EXPECT_THAT(comparer.ToStatus(), IsOk());
  return found;
}

TEST(TypedComparerTest, Place_SaysWhatIsNotCompared) {
  const auto before = Decoded<Pod>(R"({"apiVersion":"v1","kind":"Pod"})");
  const auto after = Decoded<Pod>(R"({"kind":"Other","metadata":{"managedFields":[{}]}})");
  EXPECT_TRUE(CompareAt(Place::kRoot, before, after).IsSame());
  const Comparison inside = CompareAt(Place::kInside, before, after);
  EXPECT_EQ(inside.removed.ToString(), ".apiVersion");
  EXPECT_EQ(inside.modified.ToString(), ".kind");
  EXPECT_EQ(inside.added.ToString(), ".metadata.managedFields");
  EXPECT_TRUE(CompareAt(Place::kMetadata, before.metadata, after.metadata).IsSame());
}

TEST(TypedComparerTest, Check_ItemsWithoutAKey_AreErrors) {
  const auto good = Decoded<ServiceAccount>(R"({"secrets":[{"name":"a"}]})");
  const auto bad = Decoded<ServiceAccount>(R"({"secrets":[{"name":"a"},{}]})");
  const TypedPlan& plan = TypedPlanOf(ServiceAccount::kMessage);
  TypedComparer comparer;
  comparer.Check(reinterpret_cast<const char*>(&good), plan);
  EXPECT_THAT(comparer.ToStatus(), IsOk());
  comparer.Check(reinterpret_cast<const char*>(&bad), plan);
  EXPECT_THAT(comparer.ToStatus(), StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace kube::managedfields::internal

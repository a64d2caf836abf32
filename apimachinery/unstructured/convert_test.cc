#include "apimachinery/unstructured/convert.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "gtest/gtest.h"

namespace kube::unstructured {
namespace {

namespace metav1 = ::kube::api::meta::v1;
using base::StatusIs;

TEST(ConvertTest, ToValueThenFromValue_ReturnsTheSameObject) {
  const metav1::LabelSelector selector = {
      .match_labels = {{"app", "web"}},
      .match_expressions = {{.key = "tier", .operator_ = "In", .values = {"front"}}},
  };
  absl::StatusOr<Value> value = ToValue(selector);
  ASSERT_TRUE(value.ok()) << value.status();
  EXPECT_EQ(*value,
            (Map<Value>{
                {"matchLabels", Map<Value>{{"app", "web"}}},
                {"matchExpressions",
                 List<Value>{Value(Map<Value>{
                     {"key", "tier"}, {"operator", "In"}, {"values", List<Value>{"front"}}})}},
            }));
  absl::StatusOr<metav1::LabelSelector> back = FromValue<metav1::LabelSelector>(*value);
  ASSERT_TRUE(back.ok()) << back.status();
  EXPECT_EQ(*back, selector);
}

TEST(ConvertTest, FromValue_WrongType_NamesThePathOfTheField) {
  const Value value = Map<Value>{
      {"matchLabels", Map<Value>{{"app", 1}}},
  };
  const absl::Status status = FromValue<metav1::LabelSelector>(value).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_NE(status.message().find("matchLabels.app: expected a string"), std::string::npos)
      << status;
}

TEST(ConvertTest, FromValue_UnknownField_IsAnErrorOnlyIfStrict) {
  const Value value = Map<Value>{{"matchLables", Map<Value>()}};
  EXPECT_TRUE(FromValue<metav1::LabelSelector>(value).ok());
  EXPECT_THAT(FromValue<metav1::LabelSelector>(
                  value, {.field_validation = codec::FieldValidation::kStrict}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "decode LabelSelector: unknown field \"matchLables\""));
}

}  // namespace
}  // namespace kube::unstructured

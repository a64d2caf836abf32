#include "clientset/scale/convert.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "api/autoscaling/v1/types.kube.h"
#include "api/extensions/v1beta1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/unstructured/decode_unstructured.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::scale {
namespace {

namespace autoscalingv1 = api::autoscaling::v1;
using base::IsOk;
using base::StatusIs;

absl::StatusOr<autoscalingv1::Scale> Read(const std::string& api_version,
                                          const std::string& status) {
  return ScaleOf(*unstructured::DecodeUnstructured(
      absl::StrCat(R"({"kind":"Scale","apiVersion":")", api_version,
                   R"(","metadata":{"name":"web"},"spec":{"replicas":3},"status":)", status, "}")));
}

TEST(ScaleOf, ReadsAllVersions) {
  struct Case {
    const char* api_version;
    const char* status;
    const char* selector;
  };
  const Case cases[] = {
      {"autoscaling/v1", R"({"replicas":2,"selector":"b=c,a=b"})", "a=b,b=c"},
      {"autoscaling/v1", R"j({"replicas":2,"selector":"a in (c,b)"})j", "a in (b,c)"},
      {"autoscaling/v1", R"({"replicas":2})", ""},
      {"extensions/v1beta1", R"({"replicas":2,"selector":{"b":"c","a":"b"}})", "a=b,b=c"},
      {"apps/v1beta1", R"({"replicas":2,"targetSelector":"a!=b"})", nullptr},
      {"apps/v1beta2", R"({"replicas":2,"selector":{"a":"b"},"targetSelector":"c"})", "c"},
      {"apps/v1beta2", R"({"replicas":2})", ""},
      {"apps/v1", R"({"replicas":2})", nullptr},
      {"autoscaling/v1", R"({"selector":"=="})", nullptr},
      {"autoscaling/v1", R"({"replicas":"two"})", nullptr},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(absl::StrCat(c.api_version, " ", c.status));
    const absl::StatusOr<autoscalingv1::Scale> scale = Read(c.api_version, c.status);
    if (c.selector == nullptr) {
      EXPECT_THAT(scale, StatusIs(absl::StatusCode::kInvalidArgument));
      continue;
    }
    ASSERT_THAT(scale, IsOk());
    EXPECT_EQ(*scale, (autoscalingv1::Scale{.metadata = {.name = "web"},
                                            .spec = {.replicas = 3},
                                            .status = {.replicas = 2, .selector = c.selector}}));
  }
}

TEST(OldScaleOf, HasTheSelectorTwice) {
  autoscalingv1::Scale scale = {.metadata = {.name = "web"}, .spec = {.replicas = 3}};
  auto old = OldScaleOf(scale);
  ASSERT_THAT(old, IsOk());
  EXPECT_EQ(old->metadata.name, "web");
  EXPECT_EQ(old->spec.replicas, 3);
  EXPECT_TRUE(old->status.selector.is_null());
  scale.status.selector = "b=c,a=b";
  old = OldScaleOf(scale);
  ASSERT_THAT(old, IsOk());
  EXPECT_EQ(old->status.target_selector, "a=b,b=c");
  EXPECT_EQ(old->status.selector.size(), 2);
  // A map cannot express this selector.
  scale.status.selector = "a in (b,c)";
  old = OldScaleOf(scale);
  ASSERT_THAT(old, IsOk());
  EXPECT_EQ(old->status.target_selector, "a in (b,c)");
  EXPECT_TRUE(old->status.selector.is_null());
  scale.status.selector = "!!";
  EXPECT_THAT(OldScaleOf(scale), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(IsOldScale, KnowsThree) {
  EXPECT_TRUE(IsOldScale({.group = "extensions", .version = "v1beta1"}));
  EXPECT_TRUE(IsOldScale({.group = "apps", .version = "v1beta1"}));
  EXPECT_TRUE(IsOldScale({.group = "apps", .version = "v1beta2"}));
  EXPECT_FALSE(IsOldScale({.group = "apps", .version = "v1"}));
  EXPECT_FALSE(IsOldScale({.group = "autoscaling", .version = "v1"}));
}

}  // namespace
}  // namespace kube::scale

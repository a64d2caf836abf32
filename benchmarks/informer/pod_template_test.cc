#include "benchmarks/informer/pod_template.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/codec/decode_protobuf.h"
#include "apimachinery/scheme/media_type.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::benchmarks {
namespace {

namespace corev1 = api::core::v1;
using base::IsOk;
using base::StatusIs;
using testing::HasSubstr;

corev1::Pod MakePod() {
  return {.metadata = {.name = "web-0", .resource_version = "17", .labels = {{"app", "web"}}},
          .status = {.container_statuses = {{.name = "main", .restart_count = 9},
                                            {.name = "side", .restart_count = 4}}}};
}

TEST(PodTemplateTest, UpdatesWhatAnUpdateChangesAndNothingElse) {
  for (const scheme::Format format : {scheme::Format::kJson, scheme::Format::kProtobuf}) {
    SCOPED_TRACE(scheme::MediaTypeOf(format));
    const auto decode = [format](const PodTemplate& pod) -> absl::StatusOr<corev1::Pod> {
      return format == scheme::Format::kJson
                 ? codec::DecodeJson<corev1::Pod>(pod.bytes())
                 : codec::DecodeKubernetesProtobuf<corev1::Pod>(pod.bytes());
    };
    auto made = PodTemplate::Make(MakePod(), format);
    ASSERT_THAT(made, IsOk());
    corev1::Pod want = MakePod();
    want.kind = "Pod";
    want.api_version = "v1";
    for (const int round : {1, 2, 3}) {
      made->Update(2'000'000'000 + round, 1'234'567'890'123'456'780 + round);
      want.metadata.resource_version = absl::StrCat(2'000'000'000 + round);
      want.metadata.annotations["bench/sent-ns"] = absl::StrCat(1'234'567'890'123'456'780 + round);
      want.status.container_statuses[0].restart_count = round % 2 == 0 ? 1 : 2;
      const auto pod = decode(*made);
      ASSERT_THAT(pod, IsOk());
      EXPECT_EQ(*pod, want);
    }
  }
}

TEST(PodTemplateTest, APodWithoutContainers) {
  EXPECT_THAT(PodTemplate::Make({.metadata = {.name = "empty"}}, scheme::Format::kJson),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("empty")));
}

}  // namespace
}  // namespace kube::benchmarks

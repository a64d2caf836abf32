// The code in docs/api-types.md about kinds that are known at run time only.
#include "apimachinery/codec/any_object.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/all_kinds.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/decode_yaml.h"
#include "apimachinery/codec/type_meta.h"
#include "apimachinery/types/kind_info.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace codec = kube::codec;
namespace metav1 = kube::api::meta::v1;

namespace {

using ::kube::base::IsOk;
using ::kube::base::IsOkAndHolds;
using ::kube::base::StatusIs;

absl::StatusOr<std::string> ToJson(absl::string_view yaml) {
  KUBE_ASSIGN_OR_RETURN(const auto head, codec::DecodeYaml<metav1::PartialObjectMetadata>(yaml));
  const kube::KindInfo* kind = kube::api::FindKind(head.api_version, head.kind);
  if (kind == nullptr) return absl::NotFoundError("find kind: " + head.kind);
  KUBE_ASSIGN_OR_RETURN(const auto object, codec::AnyObject::DecodeYaml(*kind, yaml));
  return object.EncodeJson();
}

TEST(AnyObjectTest, OfAnyKind) {
  EXPECT_THAT(ToJson("{kind: ConfigMap, apiVersion: v1, metadata: {name: web}, data: {a: b}}"),
              IsOkAndHolds(R"({"kind":"ConfigMap","apiVersion":"v1",)"
                           R"("metadata":{"name":"web"},"data":{"a":"b"}})"));
  EXPECT_THAT(ToJson("{kind: Widget, apiVersion: example.com/v1}"),
              StatusIs(absl::StatusCode::kNotFound, "find kind: Widget"));
}

// Not in the guide.
absl::StatusOr<const kube::KindInfo*> KindOfJson(absl::string_view json) {
  KUBE_ASSIGN_OR_RETURN(const codec::TypeMeta meta, codec::TypeMetaOfJson(json));
  return kube::api::FindKind(meta.api_version, meta.kind);
}

TEST(TypeMetaTest, FindsTheKindOfJson) {
  const absl::StatusOr<const kube::KindInfo*> kind =
      KindOfJson(R"({"kind": "Deployment", "apiVersion": "apps/v1"})");
  ASSERT_THAT(kind, IsOk());
  ASSERT_NE(*kind, nullptr);
  EXPECT_EQ((*kind)->plural, "deployments");
}

}  // namespace

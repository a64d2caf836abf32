#include "controller/reconcile/internal/metadata_of.h"

#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/unstructured/unstructured.h"
#include "gtest/gtest.h"

namespace kube::controller::internal {
namespace {

TEST(MetadataOfTest, IsThatOfTheObject_TypedOrNot) {
  api::core::v1::ConfigMap map = {.metadata = {.name = "a", .uid = "u", .resource_version = "7"}};
  SetNamespaceOf(map, "default");
  unstructured::Unstructured any;
  any.set_name("a");
  any.set_uid("u");
  any.set_resource_version("7");
  SetNamespaceOf(any, "default");
  EXPECT_EQ(map.metadata.namespace_, "default");
  EXPECT_EQ(&MetadataOf(map), &map.metadata);
  EXPECT_EQ(MetadataOf(any), map.metadata);
}

}  // namespace
}  // namespace kube::controller::internal

#include "clientset/rest/internal/span_name.h"

#include "clientset/rest/request.h"
#include "gtest/gtest.h"

namespace kube::rest::internal {
namespace {

TEST(SpanNameTest, HasNoNamesOfObjects) {
  EXPECT_EQ(SpanName({.resource = {"apps", "v1", "deployments"},
                      .namespace_name = "prod",
                      .name = "web",
                      .subresource = {"scale"}}),
            "GET /apis/apps/v1/namespaces/{namespace}/deployments/{name}/scale");
  EXPECT_EQ(SpanName({.verb = "POST", .resource = {"", "v1", "nodes"}}), "POST /api/v1/nodes");
  EXPECT_EQ(SpanName({.resource = {"", "v1", "pods"}, .name = "a", .subresource = {"proxy", "x"}}),
            "GET /api/v1/pods/{name}/proxy");
  EXPECT_EQ(SpanName({.resource = {"", "v1", ""}}), "GET /api/v1");
  EXPECT_EQ(SpanName({.absolute_path = "/any/thing?x"}), "GET");
}

}  // namespace
}  // namespace kube::rest::internal

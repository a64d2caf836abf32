#include "controller/manager/internal/request_name.h"

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace kube::controller::internal {
namespace {

TEST(RequestNameTest, NameOf_IsTheVerbAndTheResource) {
  const struct {
    const char* method;
    const char* path;
    const char* name;
  } rows[] = {
      {"GET", "/api/v1/pods", "list pods"},
      {"GET", "/api/v1/pods?watch=true&resourceVersion=7", "watch pods"},
      {"GET", "/api/v1/pods?limit=500&watch=1", "watch pods"},
      {"GET", "/api/v1/pods?labelSelector=watch%3Dtrue", "list pods"},
      {"GET", "/api/v1/namespaces/prod/pods", "list pods"},
      {"GET", "/api/v1/namespaces/prod/pods/web-0", "get pods"},
      {"GET", "/api/v1/namespaces/prod/pods/web-0/log?follow=true", "get pods/log"},
      {"POST", "/api/v1/namespaces/prod/pods", "create pods"},
      {"POST", "/api/v1/namespaces/prod/pods/web-0/eviction", "create pods/eviction"},
      {"PUT", "/apis/apps/v1/namespaces/prod/deployments/web", "update deployments.apps"},
      {"PATCH", "/apis/apps/v1/namespaces/prod/deployments/web/status",
       "patch deployments.apps/status"},
      {"DELETE", "/apis/apps/v1/namespaces/prod/deployments/web", "delete deployments.apps"},
      {"DELETE", "/apis/apps/v1/namespaces/prod/deployments", "deletecollection deployments.apps"},
      {"GET", "/api/v1/namespaces", "list namespaces"},
      {"GET", "/api/v1/namespaces/prod", "get namespaces"},
      {"PUT", "/api/v1/namespaces/prod/status", "update namespaces/status"},
      {"PUT", "/api/v1/namespaces/prod/finalize", "update namespaces/finalize"},
      {"GET", "/k8s/clusters/c-1/api/v1/nodes/n1", "get nodes"},
      {"GET", "/api", "get /api"},
      {"GET", "/apis/apps/v1", "get /apis"},
      {"GET", "/openapi/v3/apis/apps/v1", "get /openapi"},
      {"GET", "/version", "get /version"},
      {"GET", "/", "get /"},
      {"GET", "", "get /"},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(absl::StrCat(row.method, " ", row.path));
    const RequestName name = NameOf(row.method, absl::StrCat("https://10.0.0.1:6443", row.path));
    EXPECT_EQ(absl::StrCat(name.verb, " ", name.resource), row.name);
    EXPECT_EQ(NameOf(row.method, row.path), name) << "without scheme and host";
  }
}

}  // namespace
}  // namespace kube::controller::internal

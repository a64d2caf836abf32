#include "apiserver/request_info.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::apiserver {
namespace {

using base::StatusIs;

// Verb, group/version, namespace, resource, name and subresource, or the path.
std::string Summary(const RequestInfo& info) {
  if (!info.is_resource_request) return absl::StrCat(info.verb, " path ", info.path);
  return absl::StrCat(info.verb, " ", info.group, "/", info.version, " ns=", info.namespace_name,
                      " ", info.resource, " name=", info.name, " sub=", info.subresource);
}

TEST(RequestInfo, OfPaths) {
  struct Row {
    std::string name, method, target, want;
  };
  const std::vector<Row> rows = {
      {"list of a namespace", "GET", "/api/v1/namespaces/n/pods", "list /v1 ns=n pods name= sub="},
      {"list of all", "GET", "/apis/apps/v1/deployments",
       "list apps/v1 ns= deployments name= sub="},
      {"watch", "GET", "/api/v1/pods?watch=true", "watch /v1 ns= pods name= sub="},
      {"watch=0 is a list", "GET", "/api/v1/pods?watch=0", "list /v1 ns= pods name= sub="},
      {"of one name", "GET", "/api/v1/pods?fieldSelector=metadata.name%3Dx",
       "list /v1 ns= pods name=x sub="},
      {"the old watch", "GET", "/api/v1/watch/namespaces/n/pods/p",
       "watch /v1 ns=n pods name=p sub="},
      {"get", "GET", "/api/v1/namespaces/n/pods/p", "get /v1 ns=n pods name=p sub="},
      {"head", "HEAD", "/api/v1/namespaces/n/pods/p", "get /v1 ns=n pods name=p sub="},
      {"a subresource", "PUT", "/api/v1/namespaces/n/pods/p/status",
       "update /v1 ns=n pods name=p sub=status"},
      {"a namespace", "GET", "/api/v1/namespaces/n", "get /v1 ns=n namespaces name=n sub="},
      {"its status", "PATCH", "/api/v1/namespaces/n/status",
       "patch /v1 ns=n namespaces name=n sub=status"},
      {"finalize", "PUT", "/api/v1/namespaces/n/finalize",
       "update /v1 ns=n namespaces name=n sub=finalize"},
      {"namespaces", "GET", "/api/v1/namespaces", "list /v1 ns= namespaces name= sub="},
      {"create", "POST", "/api/v1/namespaces/n/pods", "create /v1 ns=n pods name= sub="},
      {"delete", "DELETE", "/api/v1/nodes/a", "delete /v1 ns= nodes name=a sub="},
      {"deletecollection", "DELETE", "/api/v1/nodes", "deletecollection /v1 ns= nodes name= sub="},
      {"escapes", "GET", "/api/v1/nodes/a%2db", "get /v1 ns= nodes name=a-b sub="},
      {"another method", "TRACE", "/api/v1/nodes", " /v1 ns= nodes name= sub="},
      {"discovery", "GET", "/apis/apps/v1", "get path /apis/apps/v1"},
      {"health", "GET", "/healthz", "get path /healthz"},
      {"the root", "POST", "/", "post path /"},
      {"nothing", "GET", "", "get path "},
  };
  for (const Row& row : rows) {
    const absl::StatusOr<RequestInfo> info = ParseRequestInfo(row.method, row.target);
    ASSERT_TRUE(info.ok()) << row.name;
    EXPECT_EQ(Summary(*info), row.want) << row.name;
  }
}

TEST(RequestInfo, Malformed) {
  for (const char* target : {"/api/v1/%zz", "/api/v1/a%2", "/api/v1/watch", "/api/v1/proxy/"}) {
    EXPECT_THAT(ParseRequestInfo("GET", target),
                StatusIs(absl::StatusCode::kInvalidArgument, testing::_))
        << target;
  }
}

}  // namespace
}  // namespace kube::apiserver

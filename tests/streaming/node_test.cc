#include "tests/streaming/node.h"

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/predicates.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "clientset/rest/request.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/oracle/oracle.h"

namespace kube::streaming {
namespace {

using base::IsOk;
using testing::EndsWith;
using testing::HasSubstr;

rest::Request GetPod(const std::string& name) {
  rest::Request request;
  request.resource = {.version = "v1", .resource = "pods"};
  request.namespace_name = "default";
  request.name = name;
  return request;
}

TEST(NodeTest, ServesPods) {
  const absl::StatusOr<std::unique_ptr<Node>> node = Node::Start();
  if (oracle::PrintSkipped(node.status())) GTEST_SKIP();
  ASSERT_THAT(node, IsOk());
  const Context ctx = WithTimeout(Context(), absl::Minutes(1));
  for (const char* const mode :
       {"translating", "extended", "old", "direct", "create-only", "v3", "v2", "v1"}) {
    const rest::Client client = (*node)->ClientFor(mode);
    const absl::StatusOr<rest::Result> pod = client.Do(ctx, GetPod("web-0"));
    ASSERT_THAT(pod, IsOk()) << mode;
    EXPECT_THAT(pod->body, HasSubstr("\"name\":\"web-0\"")) << mode;
    EXPECT_TRUE(errors::IsNotFound(client.Do(ctx, GetPod("missing")).status())) << mode;
  }
  EXPECT_THAT((*node)->ConfigFor("old", 7).host, EndsWith("/old/cut/7"));
  const absl::StatusOr<rest::Client> stranger =
      rest::MakeClient(rest::AnonymousConfig((*node)->ConfigFor("old")));
  ASSERT_THAT(stranger, IsOk());
  EXPECT_TRUE(errors::IsUnauthorized(stranger->Do(ctx, GetPod("web-0")).status()));
}

}  // namespace
}  // namespace kube::streaming

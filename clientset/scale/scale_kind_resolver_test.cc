#include "clientset/scale/scale_kind_resolver.h"

#include <memory>

#include "absl/status/status.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/schema/group_version.h"
#include "clientset/discovery/discovery_client.h"
#include "clientset/rest/testing/scripted_client.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "gtest/gtest.h"

namespace kube::scale {
namespace {

using base::IsOkAndHolds;
using base::StatusIs;
using schema::GroupVersionKind;

TEST(DiscoveryScaleKindResolver, AsksOnce) {
  const auto transport = std::make_shared<rest::ScriptedTransport>();
  transport->Expect({}, rest::StatusReply(503, "ServiceUnavailable", "down"));
  transport->Always({.path = "/apis/apps/v1"}, rest::JsonReply(R"({"resources":[
      {"name":"deployments/status","group":"x","version":"y","kind":"Z"},
      {"name":"deployments/scale","group":"autoscaling","version":"v1","kind":"Scale"},
      {"name":"own/scale","kind":"Scale"}]})"));
  const DiscoveryScaleKindResolver resolver(
      std::make_shared<discovery::DiscoveryClient>(rest::MakeScriptedClient(transport)));
  const auto scale_of = [&resolver](const char* resource) {
    return resolver.ScaleForResource(Context(),
                                     {.group = "apps", .version = "v1", .resource = resource});
  };
  EXPECT_THAT(scale_of("deployments"), StatusIs(absl::StatusCode::kUnavailable));
  const GroupVersionKind scale = {.group = "autoscaling", .version = "v1", .kind = "Scale"};
  EXPECT_THAT(scale_of("deployments"), IsOkAndHolds(scale));
  EXPECT_THAT(scale_of("deployments"), IsOkAndHolds(scale));
  EXPECT_EQ(transport->requests().size(), 2);
  EXPECT_THAT(scale_of("own"),
              IsOkAndHolds(GroupVersionKind{.group = "apps", .version = "v1", .kind = "Scale"}));
  EXPECT_THAT(scale_of("status"), StatusIs(absl::StatusCode::kNotFound));
}

}  // namespace
}  // namespace kube::scale

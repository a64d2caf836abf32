// A unit test by nothing but //envtest/fake and the clients of its groups: initial objects, a
// reactor, the log of actions.

#include <string>

#include "absl/status/statusor.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/patch/patch_type.h"
#include "apiserver/handler.h"
#include "clientset/kubernetes/apps/v1/client.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "envtest/fake/action.h"
#include "envtest/fake/clientset.h"
#include "envtest/fake/reaction.h"
#include "gtest/gtest.h"

namespace kube::fake {
namespace {

namespace appsv1 = api::apps::v1;
namespace corev1 = api::core::v1;

TEST(FakeBundle, HasWhatAUnitTestNeeds) {
  Clientset fake;
  ASSERT_THAT(fake.Add(corev1::ConfigMap{.metadata = {.name = "web"}, .data = {{"a", "b"}}}),
              base::IsOk());
  fake.PrependReactor("patch", "deployments", [](Action&) {
    return Reaction::Fail(errors::Forbidden({"apps", "deployments"}, "web", "no"));
  });
  const kubernetes::Clientset& client = fake.client();
  const absl::StatusOr<corev1::ConfigMap> map =
      client.CoreV1().ConfigMaps("default").Get(Context(), "web");
  ASSERT_THAT(map, base::IsOk());
  EXPECT_EQ(map->data, (Map<String>{{"a", "b"}}));
  const absl::StatusOr<appsv1::Deployment> web = client.AppsV1().Deployments("default").Patch(
      Context(), "web", patch::PatchType::kMerge, "{}");
  EXPECT_TRUE(errors::IsForbidden(web.status()));
  EXPECT_TRUE(fake.Actions().back().Matches("patch", "deployments"));
  apiserver::ApiHandler& server = fake.server();
  EXPECT_FALSE(server.Requests().empty());
}

}  // namespace
}  // namespace kube::fake

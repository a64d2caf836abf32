// The operator as a cluster runs it: its install.yaml in a real API server, its program as a
// process with a token of its service account. tests/real_server/run runs this test.

#include <fstream>
#include <iterator>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/rest/client.h"
#include "controller/testing/deployed_operator.h"
#include "envtest/testing/eventually.h"
#include "envtest/workloads/workloads.h"
#include "examples/memcached_operator/memcached.client.kube.h"
#include "examples/memcached_operator/memcached.kube.h"
#include "examples/memcached_operator/test/cluster.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace cache {
namespace {

using kube::Context;
using kube::base::IsOk;
using kube::envtest::EventuallyGet;
using kube::envtest::EventuallyGone;
using kube::envtest::EventuallyOk;
using testing::HasSubstr;
using testing::IsEmpty;
using v1alpha1::Memcached;

constexpr char kProgram[] = "examples/memcached_operator/memcached_operator";
constexpr char kInstall[] = "examples/memcached_operator/memcached_operator_install.yaml";

// Waits until the operator has recorded an event with this reason `times` times.
absl::Status AwaitEvents(const kube::rest::Client& client, absl::string_view reason, int times) {
  const kube::api::core::v1::EventClient events(client, "default");
  const auto check = [&]() -> absl::Status {
    const auto list = events.List(Context());
    if (!list.ok()) return list.status();
    int count = 0;
    for (const kube::api::core::v1::Event& event : list->items) {
      if (event.involved_object.kind == "Memcached" && event.reason == reason) count += event.count;
    }
    if (count >= times) return absl::OkStatus();
    return absl::NotFoundError(absl::StrCat(count, " events \"", reason, "\""));
  };
  return EventuallyOk(check, Soon());
}

// Asks both webhooks. The first requests come before the program answers.
void UseWebhooks(const v1alpha1::MemcachedClient& memcacheds) {
  const Memcached sessions = {.metadata = {.name = "sessions"}, .spec = {.container_port = 11211}};
  ASSERT_THAT(EventuallyOk([&] { return memcacheds.Create(Context(), sessions).status(); }, Soon()),
              IsOk());
  const auto created = memcacheds.Get(Context(), "sessions");
  ASSERT_THAT(created, IsOk());
  EXPECT_EQ(created->spec.size, 1);
  const Memcached refused = {.metadata = {.name = "refused"}, .spec = {.container_port = 80}};
  EXPECT_THAT(memcacheds.Create(Context(), refused).status().message(),
              HasSubstr("must be at least 1024"));
}

// Has the operator use all its rights.
void UseAll(const kube::rest::Client& client) {
  const v1alpha1::MemcachedClient memcacheds(client, "default");
  ASSERT_NO_FATAL_FAILURE(UseWebhooks(memcacheds));
  ASSERT_THAT(EventuallyGet(memcacheds, "sessions", testing::Truly(IsDeployed), Soon()), IsOk());
  ASSERT_THAT(AwaitEvents(client, "Available", 1), IsOk());
  // The second event is equal to the first one, which is patched.
  const auto grow = [](Memcached& memcached) {
    memcached.spec.size = 2;
    return absl::OkStatus();
  };
  ASSERT_THAT(memcacheds.Edit(Context(), "sessions", grow), IsOk());
  ASSERT_THAT(AwaitEvents(client, "Available", 2), IsOk());
  ASSERT_THAT(memcacheds.Delete(Context(), "sessions"), IsOk());
  ASSERT_THAT(EventuallyGone(memcacheds, "sessions", Soon()), IsOk());
  ASSERT_THAT(AwaitEvents(client, "Deleting", 1), IsOk());
}

TEST(MemcachedOnARealServerTest, TheProgram_HasTheRightsThatItNeedsAndNoOthers) {
  std::ifstream file(kInstall);
  ASSERT_TRUE(file.is_open());
  const std::string install((std::istreambuf_iterator<char>(file)), {});
  auto deployed = kube::controller::DeployedOperator::Start(
      kube::WithTimeout(Context(), absl::Minutes(3)), {.program = kProgram, .manifest = install});
  ASSERT_THAT(deployed, IsOk());
  const auto workloads = kube::envtest::Workloads::Start((*deployed)->admin_config(),
                                                         {.pod_ready_after = absl::Seconds(1)});
  ASSERT_THAT(workloads, IsOk());
  UseAll((*deployed)->client());
  EXPECT_THAT(EventuallyOk([&deployed] { return (*deployed)->ReadMetrics(Context()); }), IsOk());
  EXPECT_THAT((*deployed)->running(), IsOk());
  EXPECT_THAT((*deployed)->Stop(), IsOk());
  const auto rights = (*deployed)->Rights();
  ASSERT_THAT(rights, IsOk());
  EXPECT_THAT(rights->forbidden, IsEmpty());
  EXPECT_THAT(rights->not_used, IsEmpty());
  if (HasFailure()) ADD_FAILURE() << (*deployed)->Output();
}

}  // namespace
}  // namespace cache

// The code about containers in docs/envtest.md, which //docs:snippets_test compares.
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apiserver/container.h"
#include "apiserver/handler.h"
#include "clientset/remotecommand/run.h"
#include "clientset/rest/client.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/typed_client.h"
#include "envtest/in_process_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube {
namespace {

namespace corev1 = api::core::v1;
using ::kube::base::IsOk;

constexpr typed::Resource kPods = {
    .version = "v1", .plural = "pods", .kind = "Pod", .built_in = true};
using Pods = typed::TypedClient<corev1::Pod, corev1::PodList>;

// What the container of a database does for a test: its only command is `dump`.
absl::StatusOr<int> Database(apiserver::ContainerProcess& process) {
  const Context& ctx = process.context();
  if (process.command()[0] != "dump") return 127;
  KUBE_RETURN_IF_ERROR(process.WriteStdout(ctx, "rows\n"));
  process.AppendLog("somebody takes a backup\n");
  return 0;
}

TEST(BackupTest, ReadsTheDump) {
  apiserver::ApiHandler server;
  server.SetContainer("default", "db-0", "db", {.exec = Database});
  const rest::Client client = *rest::MakeClient(envtest::InProcessConfig(server));
  corev1::Pod pod;
  pod.metadata.name = "db-0";
  pod.spec.node_name = "any";  // without a node nobody can be asked
  pod.spec.containers.push_back({.name = "db", .image = "db:1"});
  ASSERT_THAT(Pods(client, kPods).Namespace("default").Create(Context(), pod), IsOk());

  const auto output =
      remotecommand::CollectOutput(Context(), client, {"default", "db-0"}, {.command = {"dump"}});
  ASSERT_THAT(output, IsOk());
  EXPECT_THAT(output->outcome, IsOk());
  EXPECT_EQ(output->stdout_text, "rows\n");
}

}  // namespace
}  // namespace kube

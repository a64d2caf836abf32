// The code in docs/from-client-go.md about streams into pods.
#include <unistd.h>

#include <iostream>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/predicates.h"
#include "apiserver/container.h"
#include "apiserver/handler.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/podcopy/copy.h"
#include "clientset/portforward/forwarder.h"
#include "clientset/portforward/listeners.h"
#include "clientset/remotecommand/exec.h"
#include "clientset/remotecommand/run.h"
#include "clientset/remotecommand/session.h"
#include "clientset/remotecommand/streams.h"
#include "clientset/rest/testing/scripted_client.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "clientset/rest/testing/test_folder.h"
#include "envtest/in_process_transport.h"
#include "gtest/gtest.h"

namespace {

namespace apiserver = kube::apiserver;
namespace corev1 = kube::api::core::v1;
namespace errors = kube::errors;
namespace podcopy = kube::podcopy;
namespace portforward = kube::portforward;
namespace remotecommand = kube::remotecommand;
namespace rest = kube::rest;
using kube::Context;
using kube::base::IsOk;
using kube::base::IsOkAndHolds;
using kube::kubernetes::Clientset;

absl::StatusOr<std::string> ListFiles(const Context& ctx, const Clientset& client) {
  KUBE_ASSIGN_OR_RETURN(
      const remotecommand::CommandOutput output,
      remotecommand::CollectOutput(ctx, client.client(), {"prod", "web-0"},
                                   {.container = "app", .command = {"ls", "/data"}}));
  KUBE_RETURN_IF_ERROR(output.outcome);
  return output.stdout_text;
}

absl::Status AttachToApp(const Context& ctx, const Clientset& client) {
  KUBE_ASSIGN_OR_RETURN(const std::unique_ptr<remotecommand::Session> session,
                        remotecommand::StartAttach(ctx, client.client(), {"prod", "web-0"},
                                                   {.container = "app", .with_stdin = true}));
  return remotecommand::Run(ctx, *session,
                            {.stdin_source = remotecommand::FromDescriptor(STDIN_FILENO),
                             .stdout_sink = remotecommand::ToDescriptor(STDOUT_FILENO),
                             .stderr_sink = remotecommand::ToDescriptor(STDERR_FILENO)});
}

absl::Status ForwardPort(const Context& ctx, const Clientset& client) {
  KUBE_ASSIGN_OR_RETURN(const std::shared_ptr<portforward::Forwarder> forwarder,
                        portforward::Forwarder::Connect(ctx, client.client(), {"prod", "web-0"}));
  KUBE_ASSIGN_OR_RETURN(const auto listeners,
                        portforward::Listen(ctx, forwarder, {"localhost"}, {":8080"}));
  std::cout << "port " << listeners->ports()[0].local << " is the pod's 8080" << std::endl;
  return listeners->Wait(ctx);
}

absl::Status FollowLog(const Context& ctx, const Clientset& client) {
  KUBE_ASSIGN_OR_RETURN(const auto stream, client.CoreV1().Pods("prod").StreamLogs(
                                               ctx, "web-0", {.container = "app", .follow = true}));
  while (true) {
    KUBE_ASSIGN_OR_RETURN(const std::string bytes, stream->Read(ctx));
    if (bytes.empty()) return absl::OkStatus();  // the container has ended
    std::cout << bytes;
  }
}

absl::Status CopySite(const Context& ctx, const Clientset& client, const std::string& folder) {
  const remotecommand::PodTarget pod = {"prod", "web-0"};
  KUBE_RETURN_IF_ERROR(podcopy::CopyToPod(ctx, client.client(), pod, folder + "/site", "/srv",
                                          {.container = "app"}));
  return podcopy::CopyFromPod(ctx, client.client(), pod, "/var/log/web", folder + "/logs",
                              {.container = "app"});
}

// A server that refuses everything: the examples compile, and return its error.
TEST(FromClientGoStreams, ReturnTheErrorOfTheServer) {
  const auto transport = std::make_shared<rest::ScriptedTransport>();
  transport->Always({}, rest::StatusReply(403, "Forbidden", "not for you"));
  const Clientset client(rest::MakeScriptedClient(transport));
  const Context ctx = kube::WithTimeout(Context(), absl::Minutes(1));
  const rest::TestFolder folder;
  folder.Write("site", "<html>");
  EXPECT_TRUE(errors::IsForbidden(ListFiles(ctx, client).status()));
  EXPECT_TRUE(errors::IsForbidden(AttachToApp(ctx, client)));
  EXPECT_TRUE(errors::IsForbidden(ForwardPort(ctx, client)));
  EXPECT_TRUE(errors::IsForbidden(FollowLog(ctx, client)));
  EXPECT_TRUE(errors::IsForbidden(CopySite(ctx, client, folder.Path(""))));
}

TEST(FromClientGoStreams, RunACommandAndFollowALog) {
  apiserver::ApiHandler server;
  server.SetContainer("prod", "web-0", "app",
                      {.exec = [](apiserver::ContainerProcess& process) -> absl::StatusOr<int> {
                        KUBE_RETURN_IF_ERROR(process.WriteStdout(process.context(), "rows\n"));
                        return 0;
                      }});
  const absl::StatusOr<Clientset> client = Clientset::Make(kube::envtest::InProcessConfig(server));
  ASSERT_THAT(client, IsOk());
  const Context ctx = kube::WithTimeout(Context(), absl::Minutes(1));
  ASSERT_THAT(client->CoreV1().Namespaces().Create(ctx, {.metadata = {.name = "prod"}}), IsOk());
  corev1::Pod pod = {.metadata = {.name = "web-0"}};
  pod.spec.node_name = "any";  // without a node nobody can be asked
  pod.spec.containers.push_back({.name = "app", .image = "app:1"});
  ASSERT_THAT(client->CoreV1().Pods("prod").Create(ctx, pod), IsOk());
  server.SetPodLog("prod", "web-0", "app", "one\n");
  EXPECT_THAT(ListFiles(ctx, *client), IsOkAndHolds("rows\n"));
  EXPECT_THAT(FollowLog(ctx, *client), IsOk());
}

}  // namespace

// A program that calls the API server and depends only on //clientset and the client of its group:
// flags, a configuration, pages, a watch, retries, patches, errors of the server and the network.

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/prometheus.h"
#include "apimachinery/base/signal_context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/errors/status_error.h"
#include "apimachinery/labels/selector.h"
#include "apimachinery/meta/object_name.h"
#include "apimachinery/patch/merge_patch.h"
#include "apimachinery/patch/patch_type.h"
#include "apimachinery/remotecommand/protocol.h"
#include "apimachinery/watch/event.h"
#include "apimachinery/watch/watcher.h"
#include "clientset/clientcmd/flags.h"
#include "clientset/clientcmd/kubeconfig.h"
#include "clientset/clientcmd/load_config.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/pager/pager.h"
#include "clientset/podcopy/copy.h"
#include "clientset/podlogs/follow.h"
#include "clientset/podlogs/targets.h"
#include "clientset/portforward/forwarder.h"
#include "clientset/portforward/listeners.h"
#include "clientset/portforward/pod_dialer.h"
#include "clientset/portforward/port_spec.h"
#include "clientset/remotecommand/run.h"
#include "clientset/remotecommand/streams.h"
#include "clientset/remotecommand/terminal.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "clientset/rest/in_cluster.h"
#include "clientset/rest/request.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "clientset/rest/warnings.h"
#include "clientset/retry/retry.h"
#include "clientset/typed/create_or_edit.h"
#include "clientset/typed/options.h"
#include "clientset/typed/patch_from.h"
#include "gtest/gtest.h"
#include "net/httpclient/transport.h"
#include "net/httpclient/transport_error.h"

namespace kube {
namespace {

namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;

using base::IsOk;
using kubernetes::Clientset;
using rest::ScriptedTransport;

// The configuration of a client whose requests `transport` answers.
rest::Config ConfigOf(std::shared_ptr<httpclient::Transport> transport) {
  return {.host = "http://localhost",
          .content_type = "application/json",
          .warning_handler = rest::NoWarnings(),
          .transport = std::move(transport)};
}

TEST(ClientsetBundle, HasFlagsAndConfigurations) {
  EXPECT_EQ(clientcmd::FlagOptions().kubeconfig, "");
  EXPECT_FALSE(SignalContext().done());
  EXPECT_TRUE(rest::IsNotInCluster(rest::InClusterConfig().status()));
  const clientcmd::Kubeconfig kubeconfig = {.current_context = "prod"};
  EXPECT_EQ(kubeconfig.current_context, "prod");
}

TEST(ClientsetBundle, ListsPagesOfPods) {
  const auto transport = std::make_shared<ScriptedTransport>();
  transport->Expect({.method = "GET", .path = "/api/v1/namespaces/prod/pods"},
                    rest::JsonReply(R"({"items":[{"metadata":{"name":"web-0"}}]})"));
  rest::Config config = ConfigOf(transport);
  config.metrics = std::make_shared<base::PrometheusRegistry>();
  const absl::StatusOr<Clientset> client = Clientset::Make(config);
  ASSERT_THAT(client, IsOk());
  const corev1::PodClient pods = client->CoreV1().Pods("prod");
  const metav1::ListOptions options = {.label_selector = "app=web"};
  std::vector<std::string> names;
  EXPECT_THAT(pager::PagerOf(pods.typed_client())
                  .EachItem(Context(), options,
                            [&names](const corev1::Pod& pod) {
                              names.push_back(std::string(pod.metadata.name));
                              return absl::OkStatus();
                            }),
              IsOk());
  EXPECT_EQ(names, std::vector<std::string>{"web-0"});
}

TEST(ClientsetBundle, WatchesPods) {
  const auto transport = std::make_shared<ScriptedTransport>();
  transport->Expect({.path = "/api/v1/namespaces/prod/pods"},
                    rest::JsonReply(R"({"type":"ADDED","object":{"metadata":{"name":"web-0"}}})"));
  const absl::StatusOr<Clientset> client = Clientset::Make(ConfigOf(transport));
  ASSERT_THAT(client, IsOk());
  const typed::WatchStreamOptions stream = {.idle_timeout = absl::Minutes(5)};
  const absl::StatusOr<std::unique_ptr<watch::Watcher<corev1::Pod>>> watcher =
      client->CoreV1().Pods("prod").Watch(Context(), {}, stream);
  ASSERT_THAT(watcher, IsOk());
  const absl::StatusOr<std::optional<watch::Event<corev1::Pod>>> event =
      (*watcher)->Next(Context());
  ASSERT_THAT(event, IsOk());
  EXPECT_EQ((*event)->type, watch::EventType::kAdded);
  EXPECT_EQ(meta::ObjectNameOf(*(*event)->object).name, "web-0");
}

TEST(ClientsetBundle, WritesAndRetries) {
  const auto transport = std::make_shared<ScriptedTransport>();
  transport->Always({}, rest::JsonReply("{}"));
  const absl::StatusOr<Clientset> client = Clientset::Make(ConfigOf(transport));
  ASSERT_THAT(client, IsOk());
  const corev1::ConfigMapClient maps = client->CoreV1().ConfigMaps("prod");
  const corev1::ConfigMap before = {.metadata = {.name = "web", .resource_version = "1"}};
  corev1::ConfigMap after = before;
  after.data = {{"level", "debug"}};
  EXPECT_THAT(patch::MakeMergePatch(before, after), IsOk());
  EXPECT_THAT(maps.Patch(Context(), "web", patch::PatchType::kMerge, "{}"), IsOk());
  EXPECT_THAT(typed::PatchFrom(Context(), maps, before, after), IsOk());
  const auto set_level = [](corev1::ConfigMap& map) {
    map.data = {{"level", "info"}};
    return absl::OkStatus();
  };
  EXPECT_THAT(typed::CreateOrEdit(Context(), maps, "web", set_level), IsOk());
  EXPECT_THAT(retry::OnConflict(Context(), retry::kDefaultRetry,
                                [&] { return maps.Update(Context(), after).status(); }),
              IsOk());
  const rest::Request version = {.absolute_path = "/version"};
  EXPECT_THAT(client->client().Do(Context(), version), IsOk());
}

// How a program handles errors: predicates, the server's Status, and errors of the network.
TEST(ClientsetBundle, TellsErrorsApart) {
  const auto transport = std::make_shared<ScriptedTransport>();
  transport->Expect({}, rest::StatusReply(404, "NotFound", "no such pod"));
  transport->Expect({}, {.error = httpclient::MakeTransportError(
                             {.kind = httpclient::TransportErrorKind::kConnect}, "refused")});
  const absl::StatusOr<Clientset> client = Clientset::Make(ConfigOf(transport));
  ASSERT_THAT(client, IsOk());
  const corev1::PodClient pods = client->CoreV1().Pods("prod");
  const absl::Status missing = pods.Get(Context(), "web-0").status();
  EXPECT_TRUE(errors::IsNotFound(missing));
  EXPECT_EQ(errors::StatusOf(missing)->code, 404);
  EXPECT_TRUE(errors::IsConflict(errors::Conflict({.resource = "pods"}, "web-0", "changed")));
  const absl::Status refused = pods.Get(Context(), "web-0").status();
  EXPECT_EQ(httpclient::TransportErrorOf(refused)->kind, httpclient::TransportErrorKind::kConnect);
  EXPECT_TRUE(absl::StrContains(refused.message(), "refused"));
}

TEST(ClientsetBundle, RunsCommandsInPods) {
  const auto transport = std::make_shared<ScriptedTransport>();
  transport->Expect({.method = "GET"}, rest::StatusReply(403, "Forbidden", "no get"));
  transport->Expect({.method = "POST", .path = "/api/v1/namespaces/prod/pods/web-0/exec"},
                    rest::StatusReply(404, "NotFound", "no such pod"));
  const absl::StatusOr<Clientset> client = Clientset::Make(ConfigOf(transport));
  ASSERT_THAT(client, IsOk());
  const absl::StatusOr<remotecommand::CommandOutput> output = remotecommand::CollectOutput(
      Context(), client->client(), {"prod", "web-0"}, {.command = {"hostname"}});
  EXPECT_TRUE(errors::IsNotFound(output.status()));
  EXPECT_EQ(remotecommand::ExitCodeOf(output.status()), std::nullopt);
  const remotecommand::Streams streams = {.stdin_source = remotecommand::FromDescriptor(0)};
  EXPECT_FALSE(streams.stdin_source == nullptr);
  EXPECT_FALSE(remotecommand::IsTerminal(-1));
}

TEST(ClientsetBundle, ForwardsPortsReadsLogsAndCopiesFiles) {
  const auto transport = std::make_shared<ScriptedTransport>();
  transport->Always({}, rest::StatusReply(404, "NotFound", "no such pod"));
  const absl::StatusOr<Clientset> client = Clientset::Make(ConfigOf(transport));
  ASSERT_THAT(client, IsOk());
  EXPECT_TRUE(errors::IsNotFound(
      portforward::Forwarder::Connect(Context(), client->client(), {"prod", "web-0"}).status()));
  EXPECT_THAT(portforward::ParsePorts({"8888:5000"}), IsOk());
  EXPECT_THAT(portforward::Listen(Context(), nullptr, {}, {}), testing::Not(IsOk()));
  EXPECT_NE(portforward::PodDialer(nullptr), nullptr);
  const std::vector<podlogs::Target> targets = {
      {.namespace_name = "prod", .pod = "web-0", .container = "app"}};
  EXPECT_TRUE(
      errors::IsNotFound(podlogs::Follow(Context(), client->client(), targets, {},
                                         [](absl::string_view) { return absl::OkStatus(); })));
  EXPECT_TRUE(errors::IsNotFound(
      podcopy::CopyFromPod(Context(), client->client(), {"prod", "web-0"}, "/srv", "none")));
}

TEST(ClientsetBundle, HasSelectorsWaitsAndMacros) {
  const auto matches = [](const labels::Set& set) -> absl::StatusOr<bool> {
    KUBE_ASSIGN_OR_RETURN(const labels::Selector web, labels::Parse("app=web"));
    return web.Matches(set);
  };
  EXPECT_THAT(matches({{"app", "web"}}), base::IsOkAndHolds(true));
  EXPECT_THAT(base::SleepFor(Context(), absl::ZeroDuration()), IsOk());
}

}  // namespace
}  // namespace kube

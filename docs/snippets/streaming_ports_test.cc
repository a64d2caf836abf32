// The code in docs/streaming.md about ports, logs and files, which //docs:snippets_test compares.
#include <iostream>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/errors/predicates.h"
#include "clientset/podcopy/copy.h"
#include "clientset/podlogs/follow.h"
#include "clientset/podlogs/targets.h"
#include "clientset/portforward/forwarder.h"
#include "clientset/portforward/listeners.h"
#include "clientset/portforward/pod_dialer.h"
#include "clientset/portforward/port_spec.h"
#include "clientset/remotecommand/exec.h"
#include "clientset/rest/client.h"
#include "clientset/rest/testing/scripted_client.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "clientset/rest/testing/test_folder.h"
#include "gtest/gtest.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/transport.h"

namespace kube {
namespace {

// Asks a server in the pod, as `nc` would.
absl::StatusOr<std::string> GetPage(const Context& ctx, const rest::Client& client) {
  KUBE_ASSIGN_OR_RETURN(const auto forwarder,
                        portforward::Forwarder::Connect(ctx, client, {"prod", "web-0"}));
  KUBE_ASSIGN_OR_RETURN(const auto stream, forwarder->Dial(ctx, 8080));
  KUBE_RETURN_IF_ERROR(stream->Write(ctx, "GET / HTTP/1.0\r\n\r\n"));
  std::string page;
  while (true) {
    KUBE_ASSIGN_OR_RETURN(const std::string bytes, stream->Read(ctx));
    if (bytes.empty()) return page;
    page += bytes;
  }
}

// Does what `kubectl port-forward -n prod web-0 8888:8080 :9090` does.
absl::Status ForwardPorts(const Context& ctx, const rest::Client& client) {
  KUBE_ASSIGN_OR_RETURN(const std::shared_ptr<portforward::Forwarder> forwarder,
                        portforward::Forwarder::Connect(ctx, client, {"prod", "web-0"}));
  portforward::ListenOptions options;
  options.on_error = [](const portforward::ForwardedPort&, const absl::Status& error) {
    std::cerr << error.message() << "\n";
  };
  KUBE_ASSIGN_OR_RETURN(const auto listeners, portforward::Listen(ctx, forwarder, {"localhost"},
                                                                  {"8888:8080", ":9090"}, options));
  for (const portforward::BoundPort& port : listeners->ports()) {
    std::cout << "Forwarding from " << portforward::JoinHostPort(port.ip, port.local) << " -> "
              << port.remote << "\n";
  }
  return listeners->Wait(ctx);
}

// Sends a request to a server in the pod.
absl::StatusOr<httpclient::HttpResponse> GetHealth(
    const Context& ctx, const std::shared_ptr<portforward::Forwarder>& forwarder,
    httpclient::Transport& transport) {
  const auto connection = std::make_shared<httpclient::ConnectionOptions>();
  connection->dialer = portforward::PodDialer(forwarder);
  httpclient::HttpRequest request = {.url = "http://localhost:8080/healthz"};
  request.connection = connection;
  return transport.RoundTrip(ctx, std::move(request));
}

// Does what `kubectl logs -n prod -l app=web --all-containers --prefix -f` does.
absl::Status PrintLogs(const Context& ctx, const rest::Client& client) {
  const auto print = [](absl::string_view line) {
    std::cout << line << std::flush;
    return absl::OkStatus();
  };
  return podlogs::FollowSelector(ctx, client, "prod", "app=web", {.all_containers = true},
                                 {.log = {.follow = true}, .prefix = true}, print);
}

// Fetches the configuration of a server, and installs another one.
absl::Status ReplaceConfig(const Context& ctx, const rest::Client& client,
                           const std::string& folder) {
  const remotecommand::PodTarget pod = {"prod", "web-0"};
  KUBE_RETURN_IF_ERROR(podcopy::CopyFromPod(ctx, client, pod, "/etc/nginx", folder + "/old",
                                            {.container = "app", .max_retries = 3}));
  return podcopy::CopyToPod(ctx, client, pod, folder + "/new/nginx", "/etc", {.container = "app"});
}

// A server that refuses everything: the examples compile, and return its error.
TEST(StreamingPortsSnippets, ReturnTheErrorOfTheServer) {
  const auto transport = std::make_shared<rest::ScriptedTransport>();
  transport->Always({}, rest::StatusReply(403, "Forbidden", "not for you"));
  const rest::Client client = rest::MakeScriptedClient(transport);
  const Context ctx = WithTimeout(Context(), absl::Minutes(1));
  const rest::TestFolder folder;
  EXPECT_TRUE(errors::IsForbidden(GetPage(ctx, client).status()));
  EXPECT_TRUE(errors::IsForbidden(ForwardPorts(ctx, client)));
  EXPECT_TRUE(errors::IsForbidden(PrintLogs(ctx, client)));
  EXPECT_TRUE(errors::IsForbidden(ReplaceConfig(ctx, client, folder.Path(""))));
  // Its transport does not dial; pod_dialer_test does.
  EXPECT_TRUE(GetHealth(ctx, nullptr, *transport).ok());
}

}  // namespace
}  // namespace kube

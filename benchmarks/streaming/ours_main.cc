// Our client of tools/bench streaming, with kubectl's command line:
//
//   ours exec POD [-i] -- COMMAND [ARGUMENT]...
//   ours port-forward POD [LOCAL]:REMOTE
//
// It takes the cluster from KUBECONFIG. As with kubectl, KUBECTL_REMOTE_COMMAND_WEBSOCKETS=false
// and KUBECTL_PORT_FORWARD_WEBSOCKETS=false leave only SPDY.
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/signal_context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/remotecommand/protocol.h"
#include "clientset/clientcmd/load_config.h"
#include "clientset/portforward/forwarder.h"
#include "clientset/portforward/listeners.h"
#include "clientset/portforward/port_spec.h"
#include "clientset/remotecommand/exec.h"
#include "clientset/remotecommand/run.h"
#include "clientset/remotecommand/session.h"
#include "clientset/remotecommand/streams.h"
#include "clientset/rest/client.h"

namespace kube::benchmarks {
namespace {

bool IsDisabled(const char* variable) {
  const char* const value = std::getenv(variable);
  return value != nullptr && absl::string_view(value) == "false";
}

// `words` are those behind "exec POD".
absl::Status Exec(const Context& ctx, const rest::Client& client, const std::string& pod,
                  std::vector<std::string> words) {
  remotecommand::ExecOptions options;
  options.with_stdin = words.front() == "-i";
  if (options.with_stdin) words.erase(words.begin());
  words.erase(words.begin());  // the hyphens
  options.command = std::move(words);
  if (IsDisabled("KUBECTL_REMOTE_COMMAND_WEBSOCKETS")) {
    options.transport = remotecommand::TransportPreference::kSpdy;
  }
  KUBE_ASSIGN_OR_RETURN(const std::unique_ptr<remotecommand::Session> session,
                        remotecommand::StartExec(ctx, client, {"default", pod}, options));
  remotecommand::Streams streams = {.stdout_sink = remotecommand::ToDescriptor(STDOUT_FILENO),
                                    .stderr_sink = remotecommand::ToDescriptor(STDERR_FILENO)};
  if (options.with_stdin) streams.stdin_source = remotecommand::FromDescriptor(STDIN_FILENO);
  return remotecommand::Run(ctx, *session, std::move(streams));
}

absl::Status Forward(const Context& ctx, const rest::Client& client, const std::string& pod,
                     const std::vector<std::string>& ports) {
  const portforward::ForwarderOptions options = {
      .websocket = !IsDisabled("KUBECTL_PORT_FORWARD_WEBSOCKETS")};
  KUBE_ASSIGN_OR_RETURN(const std::shared_ptr<portforward::Forwarder> forwarder,
                        portforward::Forwarder::Connect(ctx, client, {"default", pod}, options));
  KUBE_ASSIGN_OR_RETURN(const auto listeners,
                        portforward::Listen(ctx, forwarder, {"localhost"}, ports));
  for (const portforward::BoundPort& port : listeners->ports()) {
    std::cout << absl::StrCat("Forwarding from ", portforward::JoinHostPort(port.ip, port.local),
                              " -> ", port.remote, "\n")
              << std::flush;
  }
  return listeners->Wait(Context());
}

absl::Status Run(const std::vector<std::string>& arguments) {
  if (arguments.size() < 4) {
    return absl::InvalidArgumentError(
        "usage: ours exec POD [-i] -- COMMAND... | port-forward POD [LOCAL]:REMOTE");
  }
  KUBE_ASSIGN_OR_RETURN(const rest::Config config, clientcmd::LoadDefaultConfig());
  KUBE_ASSIGN_OR_RETURN(const rest::Client client, rest::MakeClient(config));
  const Context ctx = SignalContext();
  const std::vector<std::string> words(arguments.begin() + 3, arguments.end());
  if (arguments[1] == "exec") return Exec(ctx, client, arguments[2], words);
  return Forward(ctx, client, arguments[2], words);
}

}  // namespace
}  // namespace kube::benchmarks

int main(int argc, char* argv[]) {
  const absl::Status status = kube::benchmarks::Run(std::vector<std::string>(argv, argv + argc));
  if (!status.ok()) std::cerr << status.message() << "\n";
  return kube::remotecommand::ExitCodeOf(status).value_or(1);
}

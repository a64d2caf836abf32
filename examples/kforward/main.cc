// kforward POD [LOCAL:]REMOTE ... [-n NAMESPACE] [--address localhost]: forwards local ports to
// ports of a pod, as kubectl port-forward does, until it is interrupted. ":5000" lets the system
// choose the local port. Unlike kubectl it goes on when a connection fails, and connects again when
// the connection to the cluster was lost.
//
//   Forwarding from 127.0.0.1:8888 -> 5000
//   Forwarding from [::1]:8888 -> 5000
//   Handling connection for 8888
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/signal_context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/meta/object_name.h"
#include "clientset/clientcmd/flags.h"
#include "clientset/clientcmd/load_config.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/portforward/forwarder.h"
#include "clientset/portforward/listeners.h"
#include "clientset/portforward/port_spec.h"

ABSL_FLAG(std::vector<std::string>, address, {"localhost"},
          "addresses to listen on: IP addresses or localhost, which is 127.0.0.1 and ::1");

namespace {

namespace corev1 = kube::api::core::v1;
namespace portforward = kube::portforward;

constexpr absl::Duration kConnectTimeout = absl::Seconds(60);

absl::Status CheckRuns(const kube::Context& ctx, const kube::kubernetes::Clientset& client,
                       const kube::meta::ObjectName& name) {
  KUBE_ASSIGN_OR_RETURN(const corev1::Pod pod,
                        client.CoreV1().Pods(name.namespace_name).Get(ctx, name.name));
  if (pod.status.phase == "Running") return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("unable to forward port because pod is not running. Current status=",
                   pod.status.phase.view()));
}

// The lines of one call must not be mixed with those of another one: each is written at once.
void Print(std::ostream& out, const std::string& line) {
  out << absl::StrCat(line, "\n") << std::flush;
}

absl::Status Forward(const kube::Context& ctx, const std::string& pod,
                     const std::vector<std::string>& ports) {
  // Tell about mistakes before anything is asked of the server.
  const std::vector<std::string> addresses = absl::GetFlag(FLAGS_address);
  KUBE_RETURN_IF_ERROR(portforward::ParsePorts(ports));
  KUBE_RETURN_IF_ERROR(portforward::ParseAddresses(addresses));

  KUBE_ASSIGN_OR_RETURN(
      const kube::clientcmd::LoadedConfig loaded,
      kube::clientcmd::LoadDefaultConfigAndNamespace(kube::clientcmd::FlagOptions()));
  KUBE_ASSIGN_OR_RETURN(const auto client, kube::kubernetes::Clientset::Make(loaded.config));
  const kube::meta::ObjectName name = {.namespace_name = loaded.chosen_namespace.name, .name = pod};
  const kube::Context connecting = kube::WithTimeout(ctx, kConnectTimeout);
  KUBE_RETURN_IF_ERROR(CheckRuns(connecting, client, name));
  KUBE_ASSIGN_OR_RETURN(const std::shared_ptr<portforward::Forwarder> forwarder,
                        portforward::Forwarder::Connect(connecting, client.client(), name));

  portforward::ListenOptions options;
  options.on_connection = [](const portforward::ForwardedPort& port) {
    Print(std::cout, absl::StrCat("Handling connection for ", port.local));
  };
  options.on_error = [](const portforward::ForwardedPort&, const absl::Status& error) {
    Print(std::cerr, std::string(error.message()));
  };
  KUBE_ASSIGN_OR_RETURN(const auto listeners,
                        portforward::Listen(ctx, forwarder, addresses, ports, options));
  for (const portforward::BoundPort& port : listeners->ports()) {
    Print(std::cout,
          absl::StrCat("Forwarding from ", portforward::JoinHostPort(port.ip, port.local), " -> ",
                       port.remote));
  }
  // Ends with an interrupt; the connections have ended then, too.
  return listeners->Wait(kube::Context());
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<char*> arguments = kube::clientcmd::ParseCommandLine(argc, argv);
  if (arguments.size() < 3) {
    std::cerr << "usage: kforward POD [LOCAL:]REMOTE ...\n";
    return 2;
  }
  const std::vector<std::string> ports(arguments.begin() + 2, arguments.end());
  const absl::Status status = Forward(kube::SignalContext(), arguments[1], ports);
  if (!status.ok()) std::cerr << status.message() << "\n";
  return status.ok() ? 0 : 1;
}

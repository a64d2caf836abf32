#include "apiserver/streaming/port_forward.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/queryparams/queryparams.h"
#include "apiserver/call/answer.h"
#include "apiserver/call/call.h"
#include "apiserver/call/core.h"
#include "apiserver/container.h"
#include "apiserver/containers/container_table.h"
#include "apiserver/object.h"
#include "apiserver/streaming/connect_admission.h"
#include "apiserver/streaming/negotiation.h"
#include "apiserver/streaming/pod_target.h"
#include "apiserver/streaming/port_session.h"
#include "net/io/duplex_stream.h"

namespace kube::apiserver::internal {
namespace {

namespace corev1 = api::core::v1;

// The number of a channel is one byte, and each port has two channels.
constexpr size_t kMaxChannelPorts = 127;

// Checks the ports of the query, which a kubelet wants for channels, and adds them to `asked`.
absl::Status TakePorts(const corev1::PodPortForwardOptions& options, PortRequest& asked) {
  if (options.ports.empty()) {
    return absl::InvalidArgumentError("query parameter \"port\" is required");
  }
  const std::string all = absl::StrJoin(options.ports, ",");
  for (const int32_t port : options.ports) {
    if (port < 1) {
      return absl::InvalidArgumentError(absl::StrCat("port \"", all, "\" must be > 0"));
    }
    // The parameters are decoded as numbers of 16 bits.
    asked.ports.push_back(static_cast<uint16_t>(port));
  }
  if (asked.ports.size() <= kMaxChannelPorts) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("at most ", kMaxChannelPorts, " ports fit into one connection"));
}

// Returns the names of the containers of a pod, which share their ports.
std::vector<ContainerName> ContainersOf(const Call& call, const corev1::Pod& pod) {
  std::vector<ContainerName> names;
  const auto add = [&](const auto& container) {
    names.push_back({.namespace_name = call.info.namespace_name,
                     .pod = call.info.name,
                     .container = std::string(container.name.view())});
  };
  for (const corev1::Container& each : pod.spec.containers) add(each);
  for (const corev1::Container& each : pod.spec.init_containers) add(each);
  for (const auto& each : pod.spec.ephemeral_containers) add(each);
  return names;
}

// Calls the function of the first container that has the port.
absl::Status CallPort(const ContainerTable& containers, const std::vector<ContainerName>& names,
                      const Context& ctx, uint16_t port,
                      std::unique_ptr<io::DuplexStream> connection) {
  for (const ContainerName& name : names) {
    const std::shared_ptr<const Container> container = containers.Find(name);
    if (container == nullptr) continue;
    const auto found = container->ports.find(port);
    if (found == container->ports.end() || found->second == nullptr) continue;
    return found->second(ctx, std::move(connection));
  }
  return absl::UnavailableError(
      absl::StrCat("failed to connect to localhost:", port, ": connection refused"));
}

}  // namespace

absl::StatusOr<Answer> ServePortForward(Core& core, Call& call) {
  auto options = queryparams::DecodeParameters<corev1::PodPortForwardOptions>(call.info.query);
  if (!options.ok()) return errors::BadRequest(options.status().message());
  KUBE_RETURN_IF_ERROR(AdmitConnection(core, call, "PodPortForwardOptions", *options));
  KUBE_RETURN_IF_ERROR(CheckMayCreate(core, call));
  KUBE_ASSIGN_OR_RETURN(const ObjectPtr found, PodOf(core, call));
  const corev1::Pod& pod = *found->object().As<corev1::Pod>();
  KUBE_RETURN_IF_ERROR(CheckHasNode(pod));
  if (!call.request->wants_upgrade) return errors::BadRequest("Upgrade request required");
  // Names the pod as kubelets do.
  PortRequest asked = {.pod = absl::StrCat(call.info.name, "_", call.info.namespace_name)};
  if (WantsPortChannels(*call.request)) {
    const absl::Status taken = TakePorts(*options, asked);
    if (!taken.ok()) return Answer(PlainRefusal(400, taken.message()));
  }
  Negotiation chosen = NegotiatePorts(*call.request);
  if (chosen.refusal.has_value()) return Answer(*std::move(chosen.refusal));
  PortFunction function = [containers = core.containers, names = ContainersOf(call, pod)](
                              const Context& ctx, uint16_t port,
                              std::unique_ptr<io::DuplexStream> connection) {
    return CallPort(*containers, names, ctx, port, std::move(connection));
  };
  Upgrade upgrade;
  upgrade.headers = std::move(chosen.headers);
  upgrade.serve = [carrier = chosen.carrier, protocol = std::move(chosen.protocol),
                   asked = std::move(asked), function = std::move(function)](
                      const Context& ctx, std::unique_ptr<io::DuplexStream> connection) {
    ServePortSession(ctx, std::move(connection), carrier, protocol, asked, function);
  };
  return Answer(std::move(upgrade));
}

}  // namespace kube::apiserver::internal

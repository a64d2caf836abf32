#include "apiserver/streaming/remote_command.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/queryparams/queryparams.h"
#include "apimachinery/remotecommand/protocol.h"
#include "apimachinery/types/string.h"
#include "apiserver/call/answer.h"
#include "apiserver/call/call.h"
#include "apiserver/call/core.h"
#include "apiserver/container.h"
#include "apiserver/containers/container_table.h"
#include "apiserver/containers/pod_logs.h"
#include "apiserver/object.h"
#include "apiserver/streaming/command_session.h"
#include "apiserver/streaming/connect_admission.h"
#include "apiserver/streaming/negotiation.h"
#include "apiserver/streaming/pod_target.h"
#include "net/io/duplex_stream.h"

namespace kube::apiserver::internal {
namespace {

namespace corev1 = api::core::v1;

enum class Command { kExec, kAttach };

// Returns what a client is told if nobody provides the function.
std::string NoFunction(const ContainerName& name, absl::string_view function) {
  return absl::StrCat("container \"", name.container, "\" in pod \"", name.pod, "\" has no ",
                      function, " function (ApiHandler::SetContainer)");
}

// Runs the function and returns the outcome, with the errors of a kubelet.
absl::Status RunExec(ContainerProcess& process, const Container* container) {
  const auto failure = [](absl::string_view cause) {
    return errors::InternalError(absl::StrCat("error executing command in container: ", cause));
  };
  if (container == nullptr || container->exec == nullptr) {
    return failure(NoFunction(process.container(), "exec"));
  }
  const absl::StatusOr<int> code = container->exec(process);
  if (!code.ok()) return failure(code.status().message());
  const auto low_bits = static_cast<uint8_t>(*code & 0xff);
  return low_bits == 0 ? absl::OkStatus() : remotecommand::MakeExitError(low_bits);
}

absl::Status RunAttach(ContainerProcess& process, const Container* container) {
  const auto failure = [](absl::string_view cause) {
    return errors::InternalError(absl::StrCat("error attaching to container: ", cause));
  };
  if (container == nullptr || container->attach == nullptr) {
    return failure(NoFunction(process.container(), "attach"));
  }
  const absl::Status status = container->attach(process);
  return status.ok() ? status : failure(status.message());
}

// What a session needs; it may outlive the core.
struct SessionParts {
  Command command = Command::kExec;
  CommandRequest asked = {};
  Carrier carrier = Carrier::kWebSocket;
  std::string protocol = {};
  std::shared_ptr<const ContainerTable> containers = {};
  std::shared_ptr<PodLogs> logs = {};
};

void RunSession(const SessionParts& parts, const Context& ctx,
                std::unique_ptr<io::DuplexStream> connection) {
  const auto body = [&parts](const Context& client, const CommandStreams& streams) {
    const std::unique_ptr<ContainerProcess> process =
        MakeProcess(parts.asked, client, streams, [&parts](absl::string_view text) {
          parts.logs->Append(parts.asked.container, text, base::WallNow());
        });
    const std::shared_ptr<const Container> container =
        parts.containers->Find(parts.asked.container);
    return parts.command == Command::kExec ? RunExec(*process, container.get())
                                           : RunAttach(*process, container.get());
  };
  ServeCommandSession(ctx, std::move(connection), parts.carrier, parts.protocol, parts.asked, body);
}

// Does what exec and attach have in common, after their parameters are read.
absl::StatusOr<Answer> Serve(Core& core, Call& call, Command command, CommandRequest asked) {
  KUBE_RETURN_IF_ERROR(CheckMayCreate(core, call));
  KUBE_ASSIGN_OR_RETURN(const ObjectPtr found, PodOf(core, call));
  const corev1::Pod& pod = *found->object().As<corev1::Pod>();
  KUBE_RETURN_IF_ERROR(ChooseContainer(pod, asked.container.container));
  KUBE_RETURN_IF_ERROR(CheckHasNode(pod));
  if (!call.request->wants_upgrade) return errors::BadRequest("Upgrade request required");
  asked.container.namespace_name = call.info.namespace_name;
  asked.container.pod = call.info.name;
  // A terminal has no stderr of its own.
  asked.err = asked.err && !asked.tty;
  if (!asked.in && !asked.out && !asked.err) {
    return Answer(PlainRefusal(400, "you must specify at least 1 of stdin, stdout, stderr"));
  }
  Negotiation chosen = NegotiateCommand(*call.request);
  if (chosen.refusal.has_value()) return Answer(*std::move(chosen.refusal));
  SessionParts parts = {.command = command,
                        .asked = std::move(asked),
                        .carrier = chosen.carrier,
                        .protocol = std::move(chosen.protocol),
                        .containers = core.containers,
                        .logs = core.logs};
  Upgrade upgrade;
  upgrade.headers = std::move(chosen.headers);
  upgrade.serve = [parts = std::move(parts)](const Context& ctx,
                                             std::unique_ptr<io::DuplexStream> connection) {
    RunSession(parts, ctx, std::move(connection));
  };
  return Answer(std::move(upgrade));
}

// Copies what the parameters of exec and attach have in common.
template <typename Options>
CommandRequest RequestOf(const Options& options) {
  CommandRequest asked;
  asked.container.container = std::string(options.container.view());
  asked.tty = options.tty;
  asked.in = options.stdin_;
  asked.out = options.stdout_;
  asked.err = options.stderr_;
  return asked;
}

}  // namespace

absl::StatusOr<Answer> ServeExec(Core& core, Call& call) {
  auto options = queryparams::DecodeParameters<corev1::PodExecOptions>(call.info.query);
  if (!options.ok()) return errors::BadRequest(options.status().message());
  KUBE_RETURN_IF_ERROR(AdmitConnection(core, call, "PodExecOptions", *options));
  CommandRequest asked = RequestOf(*options);
  for (const String& word : options->command) asked.command.emplace_back(word);
  return Serve(core, call, Command::kExec, std::move(asked));
}

absl::StatusOr<Answer> ServeAttach(Core& core, Call& call) {
  auto options = queryparams::DecodeParameters<corev1::PodAttachOptions>(call.info.query);
  if (!options.ok()) return errors::BadRequest(options.status().message());
  KUBE_RETURN_IF_ERROR(AdmitConnection(core, call, "PodAttachOptions", *options));
  return Serve(core, call, Command::kAttach, RequestOf(*options));
}

}  // namespace kube::apiserver::internal

#include "clientset/remotecommand/exec.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/text/go_text.h"
#include "apimachinery/queryparams/queryparams.h"
#include "apimachinery/queryparams/values.h"
#include "apimachinery/remotecommand/protocol.h"
#include "clientset/remotecommand/internal/channel_session.h"
#include "clientset/remotecommand/session.h"
#include "clientset/rest/client.h"
#include "clientset/rest/request.h"
#include "clientset/rest/second_attempt.h"
#include "net/http/headers.h"
#include "net/websocket/handshake.h"

namespace kube::remotecommand {

namespace corev1 = api::core::v1;

namespace {

constexpr absl::string_view kProtocolHeader = "x-stream-protocol-version";

// What is asked for, however it is carried.
struct Start {
  // What errors begin with.
  std::string name = {};
  // Without a verb and the headers that ask for another protocol.
  rest::Request request = {};
  internal::ChannelsOptions channels = {};
  TransportPreference transport = TransportPreference::kAuto;
};

// The outcome of asking for a WebSocket.
struct Attempt {
  // An error does not begin with Start::name yet.
  absl::StatusOr<std::unique_ptr<Session>> session = absl::UnknownError("");
  // Whether the server, or a proxy, has refused to switch to the protocol.
  bool refused = false;
};

std::string NameOf(absl::string_view verb, const PodTarget& pod, absl::string_view container) {
  std::string name = absl::StrCat(verb, " pod \"", pod.name, "\" of \"", pod.namespace_name, "\"");
  if (!container.empty()) absl::StrAppend(&name, ", container \"", container, "\"");
  return name;
}

// Fills an api::core::v1 object with what the options of exec and attach have in common.
template <typename Parameters, typename Options>
Parameters ParametersOf(const Options& options) {
  Parameters parameters;
  parameters.stdin_ = options.with_stdin;
  parameters.stdout_ = options.with_stdout;
  parameters.stderr_ = options.with_stderr && !options.tty;
  parameters.tty = options.tty;
  parameters.container = options.container;
  return parameters;
}

template <typename Options>
Start MakeStart(std::string name, absl::string_view subresource, const PodTarget& pod,
                const Options& options, queryparams::Values parameters) {
  Start start = {.name = std::move(name), .transport = options.transport};
  start.request.resource = {.version = "v1", .resource = "pods"};
  start.request.namespace_name = pod.namespace_name;
  start.request.name = pod.name;
  start.request.subresource = {std::string(subresource)};
  start.request.params = std::move(parameters);
  // A request that may have arrived must not be sent again, or the command might run twice.
  start.request.retry = rest::RetryRule::kStream;
  start.channels = {.with_stdin = options.with_stdin,
                    .with_stdout = options.with_stdout,
                    .with_stderr = options.with_stderr && !options.tty,
                    .tty = options.tty};
  return start;
}

absl::Status Check(const internal::ChannelsOptions& channels) {
  if (channels.with_stdin || channels.with_stdout || channels.with_stderr) return absl::OkStatus();
  return absl::InvalidArgumentError("you must specify at least 1 of stdin, stdout, stderr");
}

absl::StatusOr<std::unique_ptr<Session>> Open(const Context& ctx, const Start& start,
                                              internal::Carrier carrier, std::string protocol,
                                              rest::UpgradedResult result) {
  internal::ChannelsOptions channels = start.channels;
  channels.protocol = std::move(protocol);
  return internal::OpenSession(
      ctx, std::move(result.connection),
      {.name = start.name, .carrier = carrier, .channels = std::move(channels)});
}

// ---- WebSocket

Attempt TryWebSocket(const Context& ctx, const rest::Client& client, const Start& start) {
  // With a second way to go, version 5 alone is asked for, as in client-go: an older server would
  // choose version 4, which cannot end stdin, where SPDY can.
  std::vector<std::string> protocols = {std::string(kProtocolV5)};
  if (start.transport == TransportPreference::kWebSocket) protocols.emplace_back(kProtocolV4);
  const absl::StatusOr<websocket::ClientHandshake> handshake =
      websocket::MakeClientHandshake(std::move(protocols));
  if (!handshake.ok()) return {.session = handshake.status()};

  rest::Request request = start.request;
  request.verb = "GET";
  request.headers = handshake->RequestHeaders();
  absl::StatusOr<rest::UpgradedResult> result = client.Upgrade(ctx, request);
  if (!result.ok()) {
    return {.session = result.status(), .refused = rest::IsUpgradeRefused(result.status())};
  }
  absl::StatusOr<std::string> protocol = handshake->CheckResponse(101, result->headers);
  if (!protocol.ok()) return {.session = protocol.status(), .refused = true};
  return {.session = Open(ctx, start, internal::Carrier::kWebSocket, *std::move(protocol),
                          *std::move(result))};
}

// ---- SPDY

// In client-go's order. Servers know none over SPDY that is newer than version 4.
constexpr absl::string_view kSpdyProtocols[] = {kProtocolV5, kProtocolV4, kProtocolV3, kProtocolV2,
                                                kProtocolV1};

// Returns the protocol that the server has chosen.
absl::StatusOr<std::string> CheckSpdyResponse(const http::Headers& headers) {
  if (!headers.HasToken("connection", "upgrade") || !headers.HasToken("upgrade", "spdy/3.1")) {
    return absl::FailedPreconditionError(
        "unable to upgrade connection: the server switches to another protocol than SPDY/3.1");
  }
  const absl::string_view chosen = headers.Get(kProtocolHeader).value_or("");
  if (chosen.empty()) return std::string(kProtocolV1);
  if (absl::c_linear_search(kSpdyProtocols, chosen)) return std::string(chosen);
  return absl::FailedPreconditionError(
      absl::StrCat("unable to upgrade connection: invalid protocol, expected one of [",
                   absl::StrJoin(kSpdyProtocols, " "), "], got ", text::Quoted(chosen)));
}

absl::StatusOr<std::unique_ptr<Session>> TrySpdy(const Context& ctx, const rest::Client& client,
                                                 const Start& start) {
  rest::Request request = start.request;
  request.verb = "POST";
  request.headers = {{"connection", "Upgrade"}, {"upgrade", "SPDY/3.1"}};
  for (const absl::string_view protocol : kSpdyProtocols) {
    request.headers.Add(kProtocolHeader, protocol);
  }
  KUBE_ASSIGN_OR_RETURN(rest::UpgradedResult result, client.Upgrade(ctx, request), start.name);
  KUBE_ASSIGN_OR_RETURN(std::string protocol, CheckSpdyResponse(result.headers), start.name);
  return Open(ctx, start, internal::Carrier::kSpdy, std::move(protocol), std::move(result));
}

// ---- Both

absl::StatusOr<std::unique_ptr<Session>> Connect(const Context& ctx, const rest::Client& client,
                                                 const Start& start) {
  KUBE_RETURN_IF_ERROR(Check(start.channels), start.name);
  if (start.transport == TransportPreference::kSpdy) return TrySpdy(ctx, client, start);
  Attempt first = TryWebSocket(ctx, client, start);
  if (first.session.ok()) return std::move(first.session);
  if (!first.refused || start.transport == TransportPreference::kWebSocket) {
    return base::Annotate(first.session.status(), start.name);
  }
  absl::StatusOr<std::unique_ptr<Session>> second = TrySpdy(ctx, client, start);
  if (second.ok()) return second;
  return rest::WithFirstError(second.status(), first.session.status());
}

}  // namespace

absl::StatusOr<std::unique_ptr<Session>> StartExec(const Context& ctx, const rest::Client& client,
                                                   const PodTarget& pod,
                                                   const ExecOptions& options) {
  std::string name = NameOf("exec in", pod, options.container);
  if (options.command.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat(name, ": you must specify at least one command for the container"));
  }
  auto parameters = ParametersOf<corev1::PodExecOptions>(options);
  parameters.command = options.command;
  return Connect(
      ctx, client,
      MakeStart(std::move(name), "exec", pod, options, queryparams::EncodeParameters(parameters)));
}

absl::StatusOr<std::unique_ptr<Session>> StartAttach(const Context& ctx, const rest::Client& client,
                                                     const PodTarget& pod,
                                                     const AttachOptions& options) {
  return Connect(
      ctx, client,
      MakeStart(NameOf("attach to", pod, options.container), "attach", pod, options,
                queryparams::EncodeParameters(ParametersOf<corev1::PodAttachOptions>(options))));
}

}  // namespace kube::remotecommand

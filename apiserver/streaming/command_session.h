#ifndef APISERVER_STREAMING_COMMAND_SESSION_H_
#define APISERVER_STREAMING_COMMAND_SESSION_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apiserver/container.h"
#include "apiserver/streaming/negotiation.h"
#include "net/io/duplex_stream.h"

// Sessions of exec and attach, over a WebSocket and over SPDY: their streams and their end.
namespace kube::apiserver::internal {

// What a client asks for.
struct CommandRequest {
  ContainerName container = {};
  std::vector<std::string> command = {};
  bool tty = false;
  // The streams that it wants; `err` is never set with a terminal.
  bool in = false;
  bool out = false;
  bool err = false;
};

// The streams of a session; null if the client does not want them.
struct CommandStreams {
  io::DuplexStream* in = nullptr;
  io::DuplexStream* out = nullptr;
  io::DuplexStream* err = nullptr;
  io::DuplexStream* sizes = nullptr;  // of the terminal
};

// Runs the command, and returns the outcome: OK, MakeExitError, or an error that carries a Status.
// Called once, when all streams are there, with a context that is done when the client has gone.
using CommandBody = absl::FunctionRef<absl::Status(const Context&, const CommandStreams&)>;

// Serves a session over the carrier and the protocol that were negotiated: opens the streams, calls
// `body`, tells the client the outcome, and closes the connection. Blocks until then. The body is
// not called if the client does not open its streams within thirty seconds.
void ServeCommandSession(const Context& ctx, std::unique_ptr<io::DuplexStream> connection,
                         Carrier carrier, absl::string_view protocol, const CommandRequest& asked,
                         CommandBody body);

// Returns the process that a function of a container gets. `append_log` appends to the log
// of the container. The streams must outlive it.
std::unique_ptr<ContainerProcess> MakeProcess(const CommandRequest& asked, const Context& ctx,
                                              const CommandStreams& streams,
                                              std::function<void(absl::string_view)> append_log);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_STREAMING_COMMAND_SESSION_H_

#ifndef APISERVER_STREAMING_PORT_SESSION_H_
#define APISERVER_STREAMING_PORT_SESSION_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apiserver/streaming/negotiation.h"
#include "net/io/duplex_stream.h"

// Sessions of port-forward: which streams they have over any of the carriers.
namespace kube::apiserver::internal {

// Serves one connection to a port of the pod, and blocks until it has ended. An error is told to
// the client. Called on many threads.
using PortFunction = std::function<absl::Status(const Context& ctx, uint16_t port,
                                                std::unique_ptr<io::DuplexStream> connection)>;

struct PortRequest {
  // The pod as errors name it.
  std::string pod = {};
  // The ports that the query names; used for channels of a WebSocket only.
  std::vector<uint16_t> ports = {};
};

// Serves a session over the carrier and the protocol that were negotiated. Blocks until the client
// has gone or, with channels, until `function` has returned for each port.
void ServePortSession(const Context& ctx, std::unique_ptr<io::DuplexStream> connection,
                      Carrier carrier, absl::string_view protocol, const PortRequest& asked,
                      const PortFunction& function);

// Returns what a client is told about an error of `function`.
std::string ForwardErrorText(const PortRequest& asked, uint16_t port, const absl::Status& error);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_STREAMING_PORT_SESSION_H_

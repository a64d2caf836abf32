#ifndef NET_WEBSOCKET_TUNNEL_H_
#define NET_WEBSOCKET_TUNNEL_H_

#include <memory>

#include "net/io/duplex_stream.h"
#include "net/websocket/message_stream.h"

namespace kube::websocket {

// Returns a stream of bytes that is carried by the binary messages of a WebSocket, whose boundaries
// mean nothing. Kubernetes speaks SPDY through it to forward ports. (client-go:
// `portforward.TunnelingConnection`)
//
//   const std::unique_ptr<io::DuplexStream> tunnel = MakeTunnel(std::make_unique<MessageStream>(
//       std::move(connection), MessageStreamOptions{.role = Role::kClient}));
//   KUBE_RETURN_IF_ERROR(tunnel->Write(ctx, frames));
//
// Each Write becomes messages of at most 32 KiB, all or none of which are sent. Its Read returns
// the end when the peer has closed with kNormal, and otherwise the errors of MessageStream::Read; a
// text message is DATA_LOSS, and the peer is told so. Its CloseWrite returns UNIMPLEMENTED. Close
// sends a close frame, if that is possible within 20 milliseconds, and does not wait for its
// answer; to be sure that what was written arrives, call Flush first.
std::unique_ptr<io::DuplexStream> MakeTunnel(std::unique_ptr<MessageStream> messages);

}  // namespace kube::websocket

#endif  // NET_WEBSOCKET_TUNNEL_H_

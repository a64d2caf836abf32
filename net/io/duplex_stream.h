#ifndef NET_IO_DUPLEX_STREAM_H_
#define NET_IO_DUPLEX_STREAM_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/watch/byte_stream.h"

namespace kube::io {

// Bytes in both directions between two parties: a connection whose HTTP has switched protocols, a
// tunnel through another stream, or two threads of one program (pipe.h). (Go: `net.Conn`)
//
//   KUBE_RETURN_IF_ERROR(stream->Write(ctx, "ping\n"));
//   KUBE_ASSIGN_OR_RETURN(const std::string answer, stream->Read(ctx));
//
// One thread may read while another one writes; two threads must not read, or write, at the same
// time. Close is thread-safe. The destructor does what Close does. Works with the Runtime of the
// threads that use it.
class DuplexStream : public watch::ByteStream {
 public:
  // Sends bytes. Blocks while what was written before and waits to be sent exceeds the limit of the
  // stream, which is how a slow peer slows the writer down. OK means that the bytes will be sent
  // soon, not that they have arrived.
  //
  // If `ctx` is done already, bytes for which there is room are taken all the same, so that a
  // finished context means: without blocking.
  //
  // Takes all of `bytes` or, with an error, nothing, so that a protocol above never loses its
  // place: ctx.status() if `ctx` ends first, after which writing may go on; any other error is
  // final, such as UNAVAILABLE if the peer has gone, and FAILED_PRECONDITION after CloseWrite or
  // Close.
  virtual absl::Status Write(const Context& ctx, absl::string_view bytes) = 0;

  // Blocks until everything that was written has been passed on, for a connection to the operating
  // system. Returns the errors of Write.
  virtual absl::Status Flush(const Context& ctx) = 0;

  // Ends this side's bytes, after what was written; the peer's Read then returns the end, and
  // reading goes on. Does not block; does nothing if it was called before. Returns UNIMPLEMENTED,
  // and does nothing, if the stream cannot end in one direction only. (Go:
  // `net.TCPConn.CloseWrite`)
  virtual absl::Status CloseWrite() = 0;

  // From ByteStream: Read blocks until there are bytes, and returns "" at the end. Close ends both
  // directions at once: what was written and not yet passed on is lost, unless Flush came before.
};

}  // namespace kube::io

#endif  // NET_IO_DUPLEX_STREAM_H_

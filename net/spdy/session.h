#ifndef NET_SPDY_SESSION_H_
#define NET_SPDY_SESSION_H_

#include <cstddef>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "net/http/headers.h"
#include "net/io/duplex_stream.h"
#include "net/spdy/connection.h"

namespace kube::spdy {

struct SessionOptions {
  // The options of the connection below the session: its side and its limits.
  ConnectionOptions connection = {};
  // The time between two pings, which keep proxies and load balancers from closing an idle
  // connection; zero means no pings. A missing answer has no consequence, as in client-go: the
  // connection below notices a peer that is lost.
  absl::Duration ping_interval = absl::Seconds(10);
  // The time for which OpenStream waits for the reply of the peer. Default: as k8s.io/streaming.
  absl::Duration reply_timeout = absl::Seconds(30);
  // The number of bytes of one stream that wait for their reader. If there are more, the whole
  // session waits until they have been read or the stream is closed, because SPDY in Kubernetes has
  // no flow control. The peer can make a session keep that much for each stream that is open.
  size_t max_buffered_bytes = size_t{256} << 10;
  // The number of streams of the peer that wait for Accept; more are refused. Zero for a side that
  // never calls Accept.
  size_t max_waiting_streams = 1000;
};

// A stream of a session. It may be used on other threads than the session and other streams, and
// may outlive the session. (k8s.io/streaming: `httpstream.Stream`)
//
// Its Read returns the end when the peer has finished. If the peer has reset the stream, Read
// returns what had arrived, and then ABORTED: data may be missing. CloseWrite finishes this side.
// Close, and the destructor, reset the stream unless both sides have finished; they wake a Write
// that blocks, too. When the session ends, Read returns what had arrived, and then the error of the
// session; all other calls return that error.
class SessionStream : public io::DuplexStream {
 public:
  // The headers with which the stream was opened.
  virtual const http::Headers& headers() const = 0;
  // Accepts a stream that Session::Accept has returned; before that it can be neither read nor
  // written. Never blocks: the reply is sent as soon as there is room. Returns ABORTED if the peer
  // has reset the stream, FAILED_PRECONDITION after Close, and the error of the session. Does
  // nothing for a stream that has been accepted.
  virtual absl::Status Reply() = 0;
  // Ends the stream in both directions, as Close does; the peer's Read returns an error, or the end
  // if the peer is of Go. Thread-safe, never blocks.
  virtual void Reset() = 0;
};

// Many streams over one connection, by SPDY/3.1, for both sides. (k8s.io/streaming:
// `httpstream.Connection`)
//
//   KUBE_ASSIGN_OR_RETURN(const std::unique_ptr<Session> session,
//                         Session::Start(ctx, std::move(connection), {}));
//   KUBE_ASSIGN_OR_RETURN(const std::unique_ptr<SessionStream> stream,
//                         session->OpenStream(ctx, {{"streamtype", "data"}}));
//   KUBE_RETURN_IF_ERROR(stream->Write(ctx, "GET / HTTP/1.0\r\n\r\n"));
//
// Two threads of its own read the connection, and send what found no room at first. Writes to
// different streams take turns, and a turn lasts for one call of Write: write in pieces of about
// 32 KiB, so that other writers need not wait for long.
//
// Thread-safe.
class Session {
 private:
  // Restricts the constructor to Start.
  struct Key {
    explicit Key() = default;
  };

 public:
  // Starts the threads, which end with the connection, with `ctx`, or with the session. Returns
  // RESOURCE_EXHAUSTED if there are no threads left.
  static absl::StatusOr<std::unique_ptr<Session>> Start(
      const Context& ctx, std::unique_ptr<io::DuplexStream> connection,
      const SessionOptions& options);

  struct Impl;
  Session(Key, std::shared_ptr<Impl> impl);
  // Closes the session and joins its threads. Must not be called by a callback of context().
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Opens a stream and blocks until the peer has accepted it. Returns ABORTED if the peer has
  // refused it, DEADLINE_EXCEEDED after SessionOptions::reply_timeout, FAILED_PRECONDITION if the
  // peer accepts no more streams, INVALID_ARGUMENT if the headers cannot be sent (see FrameWriter),
  // ctx.status(), and the error of the session.
  absl::StatusOr<std::unique_ptr<SessionStream>> OpenStream(const Context& ctx,
                                                            const http::Headers& headers);
  // Returns the next stream that the peer opens. Call Reply on it, or destroy it to refuse it.
  // Blocks; returns ctx.status() and the error of the session.
  absl::StatusOr<std::unique_ptr<SessionStream>> Accept(const Context& ctx);

  // Returns a context that is done when the session has ended; its cause says why, and is the error
  // of the session: UNAVAILABLE if the peer has ended it, DATA_LOSS if it has broken the protocol,
  // RESOURCE_EXHAUSTED if it has exceeded a limit, the cause of Start's context, the error of the
  // connection, or FAILED_PRECONDITION after Close.
  const Context& context() const;

  // Resets all streams, says goodbye (GOAWAY) if that is possible within 20 milliseconds, and
  // closes the connection. Does not wait for the threads.
  void Close();

 private:
  const std::shared_ptr<Impl> impl_;
};

}  // namespace kube::spdy

#endif  // NET_SPDY_SESSION_H_

#ifndef NET_HTTPCLIENT_INTERNAL_SESSION_H_
#define NET_HTTPCLIENT_INTERNAL_SESSION_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/internal/endpoint.h"
#include "net/httpclient/internal/response_head.h"
#include "net/httpclient/transport_error.h"

namespace kube::httpclient::internal {

// How a request has ended on its connection, or why the connection has failed.
struct StreamEnd {
  // Nullopt if the response is complete.
  std::optional<TransportErrorKind> error = {};
  // The cause, such as "connection reset by peer".
  std::string cause = {};
  // Whether the server said that it did not process the request; it may then use another
  // connection.
  bool unprocessed = false;
};

// A request on its connection, as seen by the session. The session calls these methods, which must
// not call the session.
class Stream {
 public:
  virtual ~Stream() = default;

  virtual const HttpRequest& request() const = 0;
  virtual const Endpoint& endpoint() const = 0;

  // The first bytes of the request are about to be sent.
  virtual void OnSent() = 0;
  // Receives the header of the final response; interim responses (1xx) are skipped. After 101,
  // which only a request with `upgrade` gets, the bytes of the new protocol come through OnData,
  // and those for the server through TakeOutgoing. The end of the server's bytes is OnEnd without
  // an error.
  virtual void OnHead(ResponseHead head) = 0;
  // Receives a piece of the body. Returns false if the reader is behind; the session then lets the
  // server send only a little more until Resume is called.
  virtual bool OnData(absl::string_view data) = 0;
  // Appends all bytes to `out` that wait to be sent; called from Produce, after 101.
  virtual void TakeOutgoing(std::string& out) = 0;
  // The request has ended; the session no longer refers to the stream.
  virtual void OnEnd(StreamEnd end) = 0;
};

// The client's side of HTTP on one connection. It has no socket: bytes come in through Receive and
// go out through Produce. Thread-compatible.
class Session {
 public:
  virtual ~Session() = default;

  // Adds a stream; the next call of Produce sends its request. At most limit() streams may run at a
  // time.
  virtual void Start(Stream& stream) = 0;
  // Forgets a stream that has not ended, because nobody wants its response.
  virtual void Cancel(Stream& stream) = 0;
  // The reader of the stream has caught up.
  virtual void Resume(Stream& stream) = 0;

  // Receive takes bytes from the peer; EndOfInput says that no more will come.
  virtual void Receive(absl::string_view bytes) = 0;
  virtual void EndOfInput() = 0;
  // Appends bytes to be sent to `out`, until it has about `limit` bytes; after 101, all that wait.
  // Call it when all that it produced before has been sent, until it produces nothing.
  virtual void Produce(std::string& out, size_t limit) = 0;
  // Requests a sign of life from the peer, if the protocol can.
  virtual void Ping() {}

  virtual int http_version() const = 0;
  // Returns the number of concurrent streams that the server allows; zero if it has not said yet.
  virtual int limit() const = 0;
  // Returns whether it takes no new streams; those that have started continue.
  virtual bool draining() const = 0;
  // Returns false while input must wait for a reader that is behind.
  virtual bool wants_input() const = 0;
  // Returns nullopt unless the connection has failed. Then nothing more happens on it, and its user
  // must end the streams.
  virtual const std::optional<StreamEnd>& failure() const = 0;
};

// Returns whether a request has a content-length header. As Go's net/http, this includes empty
// bodies of methods that usually have one, since some servers require it.
inline bool HasContentLength(const HttpRequest& request) {
  return request.body != nullptr || request.method == "POST" || request.method == "PUT" ||
         request.method == "PATCH";
}

struct SessionLimits {
  size_t max_header_bytes;
  // Number of bytes that a stream may still receive after OnData has returned false (HTTP/2).
  size_t window_bytes;
};

std::unique_ptr<Session> MakeHttp2Session(const SessionLimits& limits);
// How requests without TLS go through an HTTP proxy: whether one is used, and the value of
// Proxy-Authorization; "" if none.
struct PlainProxy {
  bool used = false;
  std::string authorization = {};
};
std::unique_ptr<Session> MakeHttp1Session(const SessionLimits& limits, PlainProxy proxy);

}  // namespace kube::httpclient::internal

#endif  // NET_HTTPCLIENT_INTERNAL_SESSION_H_

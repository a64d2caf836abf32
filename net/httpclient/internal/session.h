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

// How a request has ended on its connection, or why the connection has.
struct StreamEnd {
  // Nothing: the response is complete.
  std::optional<TransportErrorKind> error = {};
  // What has happened: "connection reset by peer".
  std::string cause = {};
  // The server has said that it did nothing for it: it may go over another connection.
  bool unprocessed = false;
};

// A request on its connection, as the session sees it. The On... are called from within the
// session, and must not call it.
class Stream {
 public:
  virtual ~Stream() = default;

  virtual const HttpRequest& request() const = 0;
  virtual const Endpoint& endpoint() const = 0;

  // Its first bytes are on their way.
  virtual void OnSent() = 0;
  // The header of the response, never one of 1xx.
  virtual void OnHead(ResponseHead head) = 0;
  // False: the reader is behind, and the session may let the server send only a little more before
  // Resume.
  virtual bool OnData(absl::string_view data) = 0;
  // The session has forgotten it.
  virtual void OnEnd(StreamEnd end) = 0;
};

// HTTP on one connection, the client's side: bytes come in and go out, without a socket.
// Thread-compatible.
class Session {
 public:
  virtual ~Session() = default;

  // Sends the stream's request with what Produce gives next. At most limit() at a time.
  virtual void Start(Stream& stream) = 0;
  // Forgets it before its end: nobody wants its response.
  virtual void Cancel(Stream& stream) = 0;
  // Its reader has caught up.
  virtual void Resume(Stream& stream) = 0;

  // Of the peer; and that no more will come.
  virtual void Receive(absl::string_view bytes) = 0;
  virtual void EndOfInput() = 0;
  // Adds what is to be sent, until `out` has about `limit` bytes.
  virtual void Produce(std::string& out, size_t limit) = 0;
  // Asks the peer for a sign of life, if there is a way.
  virtual void Ping() {}

  virtual int http_version() const = 0;
  // So many streams the server takes at a time. Zero: it has not said yet.
  virtual int limit() const = 0;
  // It takes no more streams; those that are there go on.
  virtual bool draining() const = 0;
  // Whether more bytes may be received now: a reader may be behind.
  virtual bool wants_input() const = 0;
  // Nothing: all is well. Otherwise nothing more will come of it, and its streams have to be ended
  // by whoever has started them.
  virtual const std::optional<StreamEnd>& failure() const = 0;
};

// Of requests without a body, too, that usually have one: net/http sends "content-length: 0" then,
// and some servers insist.
inline bool HasContentLength(const HttpRequest& request) {
  return request.body != nullptr || request.method == "POST" || request.method == "PUT" ||
         request.method == "PATCH";
}

struct SessionLimits {
  size_t max_header_bytes;
  // What may come of a stream after OnData has returned false, with HTTP/2.
  size_t window_bytes;
};

std::unique_ptr<Session> MakeHttp2Session(const SessionLimits& limits);
// Of requests without TLS: a proxy that gets them as such, and what it wants to see; "": nothing.
struct PlainProxy {
  bool used = false;
  std::string authorization = {};
};
std::unique_ptr<Session> MakeHttp1Session(const SessionLimits& limits, PlainProxy proxy);

}  // namespace kube::httpclient::internal

#endif  // NET_HTTPCLIENT_INTERNAL_SESSION_H_

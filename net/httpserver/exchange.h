#ifndef NET_HTTPSERVER_EXCHANGE_H_
#define NET_HTTPSERVER_EXCHANGE_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "net/http/headers.h"
#include "net/io/duplex_stream.h"

namespace kube::httpserver {

// Identifies a client by its certificate, which an authority of TlsOptions::client_ca has signed.
struct ClientCertificate {
  std::string common_name = {};                 // Kubernetes: the user's name
  std::vector<std::string> organizations = {};  // Kubernetes: the user's groups
};

// A request with its complete body. (Go: `http.Request`)
struct Request {
  std::string method = {};  // "GET"
  // As received, still escaped: "/api/v1/pods?labelSelector=a%3Db". Begins with "/", or is "*".
  std::string target = {};
  // Without the headers of the connection, such as "transfer-encoding", except that `connection`
  // and `upgrade` are there if `wants_upgrade`. HTTP/2's :authority is "host".
  http::Headers headers = {};
  std::string body = {};

  int http_version = 1;           // 1 or 2
  std::string peer_address = {};  // "127.0.0.1:40312", "[::1]:40312"
  bool tls = false;
  // Whether the client asks for another protocol on this connection ("connection: upgrade"), and it
  // can have it: HTTP/1.1, and no body. See Exchange::SwitchProtocols.
  bool wants_upgrade = false;
  std::optional<ClientCertificate> client_certificate = {};

  // Return the parts of the target before and after the "?", as received.
  absl::string_view path() const;
  absl::string_view query() const;
};

// A complete response. "content-length" is derived from the body, and "date" is added.
struct Response {
  int status = 200;
  http::Headers headers = {};
  std::string body = {};
};

// A request and the means to answer it: once with Respond, or in pieces with Start, Write and
// Finish. Unlike in Go (`http.ResponseWriter` and `http.Request`), the handler may return before
// the answer is complete, and any thread may continue it: thousands of watches need no threads of
// their own.
//
//   void Handle(std::shared_ptr<Exchange> exchange) override {
//     exchange->Respond({.headers = {{"content-type", "text/plain"}}, .body = "ok\n"});
//   }
//
// Never blocks. Written data waits in memory until the client takes it. If more waits than the
// server's limit, the client is too slow and the exchange is aborted. An exchange that is dropped
// without an answer responds with 500; one that is dropped after Start is aborted.
//
// Thread-safe; pieces are sent in the order of the calls. Server and InProcessExchange have
// implementations.
class Exchange {
 public:
  virtual ~Exchange() = default;

  virtual const Request& request() const = 0;

  // Returns a context that is done when the answer is probably no longer wanted: the client has
  // disconnected, cancelled the request or closed its sending side, a deadline has passed, the
  // answer is complete, or the server stops. Its callbacks run on the server's I/O thread and must
  // not block.
  virtual const Context& context() const = 0;

  // Returns whether an answer can still reach the client. May be true although context() is done:
  // an HTTP/1 client that has only closed its sending side, as `nc -N` does, may wait for the
  // answer. Check this before dropping a request because of its context.
  virtual bool can_answer() const { return !context().done(); }

  // Sends an interim response (1xx, such as 103, but not 101) before the final one. HTTP/1.0
  // clients do not get it.
  virtual void Inform(int status, http::Headers headers) = 0;

  // Sends the complete answer. Invalid headers are a bug of the handler: the client gets 500, and
  // the log names the header. Does nothing if an answer has been begun.
  virtual void Respond(Response response) = 0;

  // Sends status and headers; Write and Finish must follow. Otherwise as Respond.
  virtual void Start(int status, http::Headers headers) = 0;

  // Sends the next piece of the body, after Start(200, {}) if there was no Start. Returns false if
  // nobody will read it; the handler should then stop.
  virtual bool Write(std::string piece) = 0;

  // Ends the body. Trailers are not sent to HTTP/1.0 clients.
  virtual void Finish(http::Headers trailers) = 0;
  void Finish() { Finish({}); }

  // Answers 101 with these headers, which name the new protocol, and returns the connection, on
  // which HTTP has ended. It takes the place of the answer: after it, the other methods that answer
  // do nothing. The connection may outlive the exchange, whose context is done when the connection
  // has ended; the server's timeouts and limits for answers do not apply to it. If the client does
  // not read, Write blocks for as long as its context allows. Adds "connection: Upgrade" if
  // `headers` lack it. Returns FAILED_PRECONDITION if the request has no `wants_upgrade` or an
  // answer has been begun, INVALID_ARGUMENT if a header is invalid (the request can then still be
  // answered), and UNAVAILABLE if the client has gone. (Go: `http.Hijacker`)
  virtual absl::StatusOr<std::unique_ptr<io::DuplexStream>> SwitchProtocols(
      http::Headers headers) = 0;

  // Aborts the answer in a way that the client notices: resets the HTTP/2 stream, or closes the
  // HTTP/1 connection, also if it has switched protocols.
  virtual void Abort() = 0;

  // Returns the number of bytes written that have not been passed to the operating system.
  virtual size_t buffered_bytes() const = 0;

  // Lets a handler limit its buffered bytes. If more than `limit` bytes wait, returns true and
  // later calls `drained` once, as soon as at most half of `limit` waits; stop writing until then.
  // `drained` runs on the thread that reads, without locks held; it must not block, and may write.
  // It is never called if nobody reads any longer (see context()), and a later PauseUntilDrained
  // replaces it. Returns false if writing may go on; `drained` is then dropped.
  [[nodiscard]] virtual bool PauseUntilDrained(size_t limit, std::function<void()> drained) = 0;
};

// Handles the requests of a server. It must outlive the server.
class Handler {
 public:
  virtual ~Handler() = default;

  // Called on an I/O thread, which also serves other connections, so it must not block. For code
  // that blocks see ThreadPoolHandler.
  virtual void Handle(std::shared_ptr<Exchange> exchange) = 0;
};

}  // namespace kube::httpserver

#endif  // NET_HTTPSERVER_EXCHANGE_H_

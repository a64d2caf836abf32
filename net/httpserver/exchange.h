#ifndef NET_HTTPSERVER_EXCHANGE_H_
#define NET_HTTPSERVER_EXCHANGE_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "net/http/headers.h"

namespace kube::httpserver {

// Who the client is, by the certificate that it showed and that the server's CA has signed.
struct ClientCertificate {
  std::string common_name = {};                 // Kubernetes: the user
  std::vector<std::string> organizations = {};  // its groups
};

// A request with all of its body. Go: http.Request.
struct Request {
  std::string method = {};  // "GET"
  // As it came, with what is escaped in it: "/api/v1/pods?labelSelector=a%3Db". Begins with "/",
  // or is "*".
  std::string target = {};
  // Without what holds for one connection only, such as "transfer-encoding". The one of HTTP/2's
  // :authority is "host".
  http::Headers headers = {};
  std::string body = {};

  int http_version = 1;           // 1 or 2
  std::string peer_address = {};  // "127.0.0.1:40312", "[::1]:40312"
  bool tls = false;
  std::optional<ClientCertificate> client_certificate = {};

  // The target before its "?", and after it. Both as they came.
  absl::string_view path() const;
  absl::string_view query() const;
};

// What a whole response is made of. "content-length" comes from the body; "date" is added.
struct Response {
  int status = 200;
  http::Headers headers = {};
  std::string body = {};
};

// One request and the way to answer it: once with Respond, or piece by piece with Start, Write and
// Finish. What Go has as http.ResponseWriter and http.Request, except that the handler may return
// first, and others answer later from any thread: so thousands of watches need no threads.
//
//   void Handle(std::shared_ptr<Exchange> exchange) override {
//     exchange->Respond({.headers = {{"content-type", "text/plain"}}, .body = "ok\n"});
//   }
//
// Nothing blocks. What is written waits in memory until the client takes it, up to a limit of the
// server's, beyond which the client is too slow and the exchange is over. An exchange that is
// dropped without an answer answers 500, or ends a response that was begun as broken.
//
// Thread-safe; the order of pieces is that of the calls. A server is one kind of exchange, a
// transport within the process another.
class Exchange {
 public:
  virtual ~Exchange() = default;

  virtual const Request& request() const = 0;

  // Done as soon as nobody seems to want the answer: the client went away or cancelled, it has said
  // that it sends no more, its deadline has passed, the answer is complete, the server stops. Its
  // callbacks run on the server's I/O thread, and must not block.
  virtual const Context& context() const = 0;

  // Whether an answer can reach the client. True although context() is done: the client of HTTP/1
  // has only closed its sending side, as `nc -N` does, and may wait for the answer. Ask this before
  // a request is dropped unanswered because of its context.
  virtual bool can_answer() const { return !context().done(); }

  // A response of the 1xx kind before the real one, such as 103; not 101. HTTP/1.0 clients do not
  // see it.
  virtual void Inform(int status, http::Headers headers) = 0;

  // The whole answer. Headers that HTTP does not allow are a bug of the handler: the client gets
  // 500, the log says which. Nothing happens where an answer has been begun already.
  virtual void Respond(Response response) = 0;

  // Status and headers, to be followed by pieces. As Respond otherwise.
  virtual void Start(int status, http::Headers headers) = 0;

  // The next piece of the body. False: nobody will read it, stop. Before Start, it starts with 200.
  virtual bool Write(std::string piece) = 0;

  // The end of the body. Trailers are not sent to clients of HTTP/1.0.
  virtual void Finish(http::Headers trailers) = 0;
  void Finish() { Finish({}); }

  // Breaks the answer off, so that the client sees that it is not complete: resets the stream of
  // HTTP/2, closes the connection of HTTP/1.
  virtual void Abort() = 0;

  // What was written and not yet given to the operating system, in bytes.
  virtual size_t buffered_bytes() const = 0;

  // For who has more to write than should wait in memory. True: more than `limit` bytes wait; write
  // on when `drained` is called, which happens once, as soon as at most half of `limit` does: on
  // the thread that reads, without locks; it must not block, and may write. It is never called
  // where nobody reads any more, see context(). A later call takes the place of one before. False:
  // write now; `drained` is dropped.
  [[nodiscard]] virtual bool PauseUntilDrained(size_t limit, std::function<void()> drained) = 0;
};

// What a server calls for each request. Outlives it.
class Handler {
 public:
  virtual ~Handler() = default;

  // Called on an I/O thread, which serves all other connections too: it must not block. See
  // ThreadPoolHandler for code that does.
  virtual void Handle(std::shared_ptr<Exchange> exchange) = 0;
};

}  // namespace kube::httpserver

#endif  // NET_HTTPSERVER_EXCHANGE_H_

#ifndef NET_HTTPSERVER_INTERNAL_SESSION_H_
#define NET_HTTPSERVER_INTERNAL_SESSION_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/monotonic_time.h"
#include "net/httpserver/exchange.h"
#include "net/httpserver/internal/request_memory.h"
#include "net/httpserver/internal/stream.h"
#include "net/httpserver/internal/switched_connection.h"
#include "net/httpserver/server.h"

namespace kube::httpserver::internal {

// The counters behind ServerStatistics.
struct Counters {
  std::atomic<int64_t> connections = 0;
  std::atomic<int64_t> exchanges = 0;
  std::atomic<int64_t> accepted_connections = 0;
  std::atomic<int64_t> requests = 0;
  std::atomic<int64_t> failed_handshakes = 0;
  std::atomic<int64_t> timeouts = 0;
  std::atomic<int64_t> evictions = 0;
  std::atomic<int64_t> slow_readers = 0;
};

// The progress of a session, from which its connection computes timeouts; mere bytes, such as
// PINGs, are not progress. Used on the I/O thread only.
struct Progress {
  int64_t requests = 0;      // complete ones
  int64_t body_bytes = 0;    // of requests
  int64_t answer_bytes = 0;  // of bodies, taken to be sent
};

// What a session needs of its connection.
struct SessionEnvironment {
  const ServerOptions* options = nullptr;
  Handler* handler = nullptr;
  Counters* counters = nullptr;
  // The fields that all requests of the connection share: peer, TLS, client certificate.
  Request request = {};
  // Returns a function that makes the I/O thread call Session::Wake with this number soon. Any
  // thread may call the function, even after the connection has been closed.
  absl::AnyInvocable<absl::AnyInvocable<void()>(int32_t)> make_wake = {};
  std::shared_ptr<FaultControl> faults = {};
  // Null: the memory of requests is not limited.
  std::shared_ptr<MemoryLimit> memory = {};
  // Never null. It outlives the session.
  Progress* progress = nullptr;
};

// What a connection waits for, which decides the timeout that applies.
enum class Activity {
  kIdle,           // a request
  kReadingHeader,  // the rest of a request's header
  kReadingBody,    // the rest of a request's body
  kResponding,     // handlers, or the client to read
  kSwitched,       // whatever the protocol says to which it has switched
};

// The server's side of HTTP on one connection. It has no socket: bytes come in through Receive and
// go out through Produce. Used on the I/O thread only.
class Session {
 public:
  virtual ~Session() = default;

  // Handles bytes from the client, which may end anywhere.
  virtual void Receive(absl::string_view bytes) = 0;
  // The client sends nothing more, but may still read.
  virtual void EndOfInput() = 0;
  // Returns false while the session has enough input.
  virtual bool wants_input() const = 0;

  // Appends output to `out`, until it has about `limit` bytes.
  virtual void Produce(std::string& out, size_t limit) = 0;
  // Everything that Produce has appended was passed to the operating system.
  virtual void OnOutputSent() = 0;
  // The stream with this number has something to send.
  virtual void Wake(int32_t number) = 0;

  // Takes no further requests, and completes those in progress.
  virtual void Shutdown() = 0;
  // Returns whether the connection should be closed once its output has been sent.
  virtual bool finished() const = 0;
  // Returns whether it should be closed at once instead, without the output that was not sent.
  virtual bool drops_output() const = 0;
  // Returns whether the sending side should be closed once the output has been sent, while input is
  // still wanted.
  virtual bool output_ended() const = 0;
  // Returns whether the connection should be reset at once, so that the client notices.
  virtual bool broken() const = 0;
  virtual Activity activity() const = 0;
  // Returns whether a handler is working: it has a request and has not completed its answer, or the
  // connection has switched protocols.
  virtual bool awaits_handler() const = 0;
  // Called regularly. Ends answers of which the client has taken nothing for write_timeout. Returns
  // true if there is something to send.
  virtual bool OnTick(base::MonotonicTime now) = 0;

  // The connection is closed. Cancels all contexts with `why`.
  virtual void Close(const absl::Status& why) = 0;

  // HTTP/2 only, for tests of clients; no effect on HTTP/1.
  virtual void SendGoAway(uint32_t error_code) = 0;
  virtual void ResetStreams(uint32_t error_code) = 0;
};

std::unique_ptr<Session> MakeHttp1Session(SessionEnvironment environment);
std::unique_ptr<Session> MakeHttp2Session(SessionEnvironment environment);

// Open and close a stream, and count it. `request` is complete and holds `held`. `upgrade` is the
// connection of SwitchProtocols; null if the request cannot have one.
std::shared_ptr<Stream> OpenStream(SessionEnvironment& environment, Request request,
                                   HeldMemory held, int32_t number,
                                   std::shared_ptr<SwitchedConnection> upgrade = nullptr);
void CloseStream(SessionEnvironment& environment, Stream& stream, const absl::Status& why);

// Returns `request` with the fields that all requests of the connection share.
Request WithConnection(const SessionEnvironment& environment, Request request);

// Returns whether a header concerns only the connection; handlers and HTTP/2 do not see it.
bool IsConnectionHeader(absl::string_view name);

// Returns the current time for the header "date", such as "Sat, 21 Nov 2026 10:00:00 GMT".
std::string HttpDate();

}  // namespace kube::httpserver::internal

#endif  // NET_HTTPSERVER_INTERNAL_SESSION_H_

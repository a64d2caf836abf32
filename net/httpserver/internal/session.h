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
#include "net/httpserver/server.h"

namespace kube::httpserver::internal {

// ServerStatistics, while it is counted.
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

// How far a session has come, for the deadlines of its connection: bytes alone, such as PINGs, are
// no progress. On the I/O thread.
struct Progress {
  int64_t requests = 0;      // that are complete
  int64_t body_bytes = 0;    // of requests
  int64_t answer_bytes = 0;  // of answers' bodies, taken to be sent
};

// What a session knows of its connection.
struct SessionEnvironment {
  const ServerOptions* options = nullptr;
  Handler* handler = nullptr;
  Counters* counters = nullptr;
  // What requests of the connection have in common: peer, TLS, client certificate.
  Request request = {};
  // Wakes the session: Session::Wake with this number, later, on the I/O thread. From any thread,
  // and also when the connection has gone.
  absl::AnyInvocable<absl::AnyInvocable<void()>(int32_t)> make_wake = {};
  std::shared_ptr<FaultControl> faults = {};
  // Null: requests may hold as much as they like.
  std::shared_ptr<MemoryLimit> memory = {};
  // Never null. Outlives the session.
  Progress* progress = nullptr;
};

// What a connection waits for, and so which deadline holds.
enum class Activity {
  kIdle,           // for a request
  kReadingHeader,  // for the rest of one's header
  kReadingBody,    // for the rest of its body
  kResponding,     // for handlers
};

// One connection's HTTP, without the connection: bytes in, bytes out. On the I/O thread.
class Session {
 public:
  virtual ~Session() = default;

  // Bytes from the client. They may end anywhere.
  virtual void Receive(absl::string_view bytes) = 0;
  // The client sends no more, but may still read.
  virtual void EndOfInput() = 0;
  // False: there is enough to do, read later.
  virtual bool wants_input() const = 0;

  // Appends to `out` what there is for the client, until it has about `limit` bytes.
  virtual void Produce(std::string& out, size_t limit) = 0;
  // The stream of this number has something.
  virtual void Wake(int32_t number) = 0;

  // Takes no further requests, ends those that are there.
  virtual void Shutdown() = 0;
  // Nothing comes any more: close once what was produced has been sent.
  virtual bool finished() const = 0;
  // The client is to see a broken connection: close at once, without a farewell.
  virtual bool broken() const = 0;
  virtual Activity activity() const = 0;
  // Whether a handler is at work: it has a request, and has not said all of its answer.
  virtual bool awaits_handler() const = 0;
  // Now and then: ends answers of which the client has taken nothing for write_timeout. True: there
  // is something to send.
  virtual bool OnTick(base::MonotonicTime now) = 0;

  // The connection has gone. Ends all contexts with `why`.
  virtual void Close(const absl::Status& why) = 0;

  // What only HTTP/2 has, for tests of clients; elsewhere nothing happens.
  virtual void SendGoAway(uint32_t error_code) = 0;
  virtual void ResetStreams(uint32_t error_code) = 0;
};

std::unique_ptr<Session> MakeHttp1Session(SessionEnvironment environment);
std::unique_ptr<Session> MakeHttp2Session(SessionEnvironment environment);

// A stream for a request that is complete and holds `held`, counted; and its end.
std::shared_ptr<Stream> OpenStream(SessionEnvironment& environment, Request request,
                                   HeldMemory held, int32_t number);
void CloseStream(SessionEnvironment& environment, Stream& stream, const absl::Status& why);

// `request` with what those of the connection have in common.
Request WithConnection(const SessionEnvironment& environment, Request request);

// Headers that belong to one connection, not to the message: neither handlers nor HTTP/2 see them.
bool IsConnectionHeader(absl::string_view name);

// "Sat, 21 Nov 2026 10:00:00 GMT", as the header "date" has it.
std::string HttpDate();

}  // namespace kube::httpserver::internal

#endif  // NET_HTTPSERVER_INTERNAL_SESSION_H_

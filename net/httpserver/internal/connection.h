#ifndef NET_HTTPSERVER_INTERNAL_CONNECTION_H_
#define NET_HTTPSERVER_INTERNAL_CONNECTION_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/monotonic_time.h"
#include "net/httpserver/exchange.h"
#include "net/httpserver/internal/fault_control.h"
#include "net/httpserver/internal/idle_connections.h"
#include "net/httpserver/internal/request_memory.h"
#include "net/httpserver/internal/session.h"
#include "net/httpserver/internal/tls.h"
#include "net/httpserver/internal/worker.h"
#include "net/httpserver/server.h"
#include "net/io/event_loop.h"
#include "net/io/file_descriptor.h"
#include "net/io/secure_socket.h"

namespace kube::httpserver::internal {

// The state that all connections of a server share. It outlives them.
struct ServerContext {
  ServerOptions options;
  Handler* handler = nullptr;
  std::unique_ptr<TlsContexts> tls;  // null without TLS
  Counters counters;
  // The memory of all requests.
  std::shared_ptr<MemoryLimit> memory;

  // Used if the number of connections is limited: the connections that may be closed.
  IdleConnections idle;
  // Whether a connection has been asked to close and has not done so yet.
  std::atomic<bool> making_room = false;
  // Whether the listener waits until there may be room, and the function that wakes it, which any
  // thread may call.
  std::atomic<bool> listener_waits = false;
  absl::AnyInvocable<void()> wake_listener;

  bool has_limit() const { return options.max_connections > 0; }
  void NoteRoom() {
    if (listener_waits.exchange(false)) wake_listener();
  }
};

// One client's connection: its socket, TLS, and the HTTP session that ALPN or its first bytes
// choose.
//
//   SecureSocket <-> Session <-> Streams <-> handlers
//
// It lives on its worker's thread and never blocks. The worker owns it.
class Connection final : public Served, public std::enable_shared_from_this<Connection> {
 public:
  // Makes a connection and begins to serve it.
  static void Start(std::shared_ptr<Worker> worker, io::FileDescriptor socket,
                    std::string peer_address, ServerContext& server);
  // Only for Start.
  Connection(std::shared_ptr<Worker> worker, io::FileDescriptor socket, std::string peer_address,
             ServerContext& server);
  ~Connection() override;

  void OnEvents(int fd, uint32_t events) override;
  void OnTick(base::MonotonicTime now) override;
  void Shutdown() override;
  void OnStop() override;

  // Closes the connection soon if it is still idle. Any thread may call it.
  void MakeRoom();

  // ---- For faults

  void SetFaults(const Faults& faults);
  const Faults& faults() const { return faults_; }
  // Sends bytes as they are, among those of the session.
  void SendRaw(absl::string_view bytes);
  // Closes with RST; data that was not delivered yet is lost.
  void Reset();
  // Closes the sending side; input is still read.
  void HalfClose();
  Session* session() { return session_.get(); }
  // Sends what the session has, as far as the socket takes it, and updates deadlines and watches.
  void Pump();

 private:
  enum class State { kOpen, kLingering, kClosed };

  void Read();
  // Handle the end or the failure of the socket.
  void OnInputEnd();
  void OnBroken();
  // Handles bytes of HTTP. The first ones choose the protocol.
  void Receive(absl::string_view plain);
  void ChooseSession();
  std::unique_ptr<Session> MakeSession(bool http2);
  SessionEnvironment MakeEnvironment();

  // Moves output of the session to wire_. Returns false if there is none.
  bool FillWire();
  // Sends as much of wire_ as possible. Returns false if the connection was closed.
  bool SendWire();
  // Closes the sending side, so that the client sees the end, and goes on to read.
  void EndOutput();
  // Returns how many bytes the faults allow to be sent now.
  uint64_t SendAllowance() const;
  void WatchEvents();

  base::MonotonicTime Deadline() const;
  // Returns whether it may be closed to make room: no handler is working, and no client is taking
  // an answer.
  bool IsIdle() const;
  // Adds it to the connections that may be closed, or removes it, as IsIdle says.
  void ListAsIdle();
  // Ends the session politely, as far as the client takes that at once, and closes.
  void CloseIdle(const absl::Status& why);
  // Closes the sending side, and waits until the client closes its own, so that it can read what
  // was sent before.
  void Linger();
  void SayGoodbye();
  void Close(const absl::Status& why);

  const std::shared_ptr<Worker> worker_;
  io::FileDescriptor file_;
  const UniqueSsl tls_;  // null: plain
  io::SecureSocket socket_;
  const std::string peer_address_;
  ServerContext& server_;
  io::EventLoop::Task again_;  // reads what raises no event
  State state_ = State::kOpen;
  uint32_t watched_ = 0;  // events
  bool unread_ = false;   // input was not wanted, but TLS may hold some

  std::string first_bytes_;  // until they tell the protocol
  std::unique_ptr<Session> session_;
  std::string wire_;  // bytes to be sent
  size_t wire_sent_ = 0;
  bool goodbye_waits_ = false;  // for room in the socket
  bool half_closed_ = false;
  bool input_ended_ = false;

  Faults faults_;
  uint64_t sent_in_tick_ = 0;

  // Times for the deadlines.
  base::MonotonicTime opened_;
  base::MonotonicTime last_output_;  // bytes were sent, or became ready to be
  base::MonotonicTime activity_since_;
  Activity activity_ = Activity::kIdle;
  Progress progress_;                                // updated by the session
  Progress seen_;                                    // progress_ at the last Pump
  base::MonotonicTime last_request_;                 // or the start
  base::MonotonicTime last_body_;                    // last piece of a request's body
  base::MonotonicTime last_answer_;                  // last piece of an answer's body
  std::optional<base::MonotonicTime> listed_since_;  // its key in ServerContext::idle
};

}  // namespace kube::httpserver::internal

#endif  // NET_HTTPSERVER_INTERNAL_CONNECTION_H_

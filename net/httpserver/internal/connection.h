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

// What all connections of a server have in common. Outlives them.
struct ServerContext {
  ServerOptions options;
  Handler* handler = nullptr;
  std::shared_ptr<const TlsContext> tls;  // null: plain
  Counters counters;
  // Of all requests.
  std::shared_ptr<MemoryLimit> memory;

  // With a limit of connections: which ones can make room.
  IdleConnections idle;
  // Whether one of them has been told to close, and has not yet.
  std::atomic<bool> making_room = false;
  // Whether the listener waits until there may be room, and what tells it so, on any thread.
  std::atomic<bool> listener_waits = false;
  absl::AnyInvocable<void()> wake_listener;

  bool has_limit() const { return options.max_connections > 0; }
  void NoteRoom() {
    if (listener_waits.exchange(false)) wake_listener();
  }
};

// One client's connection: its socket, TLS, and the session of HTTP that it turns out to speak.
//
//   SecureSocket <-> Session <-> Streams <-> handlers
//
// Lives on its worker's thread. Nothing here blocks.
class Connection final : public Served, public std::enable_shared_from_this<Connection> {
 public:
  // Starts to serve.
  static void Start(std::shared_ptr<Worker> worker, io::FileDescriptor socket,
                    std::string peer_address, ServerContext& server);
  // For Start.
  Connection(std::shared_ptr<Worker> worker, io::FileDescriptor socket, std::string peer_address,
             ServerContext& server);
  ~Connection() override;

  void OnEvents(int fd, uint32_t events) override;
  void OnTick(base::MonotonicTime now) override;
  void Shutdown() override;
  void OnStop() override;

  // Closes it if it is still idle. On any thread; soon.
  void MakeRoom();

  // ---- for faults

  void SetFaults(const Faults& faults);
  const Faults& faults() const { return faults_; }
  // Bytes as they are, among those of the session.
  void SendRaw(absl::string_view bytes);
  // With RST: what was not delivered yet is lost.
  void Reset();
  // Nothing more is sent; what comes is still read.
  void HalfClose();
  Session* session() { return session_.get(); }
  // Sends what there is.
  void Pump();

 private:
  enum class State { kOpen, kLingering, kClosed };

  void Read();
  // What has happened to the socket instead of bytes.
  void OnInputEnd();
  void OnBroken();
  // Bytes of HTTP. The first ones say which.
  void Receive(absl::string_view plain);
  void ChooseSession();
  std::unique_ptr<Session> MakeSession(bool http2);
  SessionEnvironment MakeEnvironment();

  // Moves what the session has to wire_. False: it has nothing.
  bool FillWire();
  // Sends what it can of wire_. False: the connection has gone.
  bool SendWire();
  // How much the faults let it send now.
  uint64_t SendAllowance() const;
  void WatchEvents();

  base::MonotonicTime Deadline() const;
  // Whether nobody would miss it: no handler is at work, and no client takes an answer.
  bool IsIdle() const;
  // Lists it among those that can make room, or not any more.
  void ListAsIdle();
  // Says goodbye, as far as the client takes it at once.
  void CloseIdle(const absl::Status& why);
  // Sends the end, waits for the client's, so that it reads what was sent before.
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
  bool unread_ = false;   // nothing was wanted although TLS may have something

  std::string first_bytes_;  // until it is clear what they are
  std::unique_ptr<Session> session_;
  std::string wire_;  // what is to be sent
  size_t wire_sent_ = 0;
  bool goodbye_waits_ = false;  // for room
  bool half_closed_ = false;
  bool input_ended_ = false;

  Faults faults_;
  uint64_t sent_in_tick_ = 0;

  // For deadlines.
  base::MonotonicTime opened_;
  base::MonotonicTime last_output_;  // progress, or when something came to be sent
  base::MonotonicTime activity_since_;
  Activity activity_ = Activity::kIdle;
  Progress progress_;                                // the session's
  Progress seen_;                                    // of it, by the last Pump
  base::MonotonicTime last_request_;                 // or the start
  base::MonotonicTime last_body_;                    // a piece of a request's body
  base::MonotonicTime last_answer_;                  // a piece of an answer's body
  std::optional<base::MonotonicTime> listed_since_;  // in ServerContext::idle
};

}  // namespace kube::httpserver::internal

#endif  // NET_HTTPSERVER_INTERNAL_CONNECTION_H_

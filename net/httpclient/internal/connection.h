#ifndef NET_HTTPCLIENT_INTERNAL_CONNECTION_H_
#define NET_HTTPCLIENT_INTERNAL_CONNECTION_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "apimachinery/base/monotonic_time.h"
#include "net/httpclient/http_transport.h"
#include "net/httpclient/internal/curl_options.h"
#include "net/httpclient/internal/dial_threads.h"
#include "net/httpclient/internal/dialer.h"
#include "net/httpclient/internal/session.h"
#include "net/httpclient/transport_error.h"
#include "net/io/event_loop.h"
#include "net/io/secure_socket.h"

namespace kube::httpclient::internal {

// One connection: curl dials it, then a session runs on its socket. It knows nothing of its users:
// when there is something to do it schedules the task of its owner, which calls Work and looks at
// the results. Thread-compatible.
class Connection final : public io::EventLoop::Listener {
 public:
  // `changed` is the owner's task. All arguments must outlive the connection.
  Connection(io::EventLoop& loop, const HttpTransportOptions& transport_options,
             const CurlOptions& options, DialThreads& dials, io::EventLoop::Task& changed);
  ~Connection() override;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Starts to dial; called once. Returns false if out of memory or threads, or if curl has no
  // OpenSSL.
  bool Open();
  // Returns nullopt while the connection is being opened, then OK (there is a session) or the
  // transport error.
  const std::optional<absl::Status>& opened() const { return opened_; }
  const Dialer& dialer() const { return dialer_; }

  // These require an open connection.
  void Start(Stream& stream);
  void Cancel(Stream& stream);
  void Resume(Stream& stream);
  // A stream has bytes to send after a switch of protocols.
  void SendMore() { changed_.Schedule(); }

  // Notices whether dialing has ended; receives and sends what is possible now.
  void Work();
  const Session& session() const { return *session_; }
  // Returns why the connection and all of its streams have failed; nullopt if they have not.
  const std::optional<StreamEnd>& failure() const {
    return failure_.has_value() ? failure_ : session_->failure();
  }

  void OnEvents(int fd, uint32_t events) override;

 private:
  void OnDialed();
  absl::Status MakeSession();
  void Receive();
  void Send();
  void Watch();
  void Fail(TransportErrorKind kind, std::string cause);
  void FailBySocket();
  // Probes the peer or fails the connection if nothing was received for too long.
  void CheckLife();

  io::EventLoop& loop_;
  const HttpTransportOptions& transport_options_;
  const CurlOptions& options_;
  io::EventLoop::Task& changed_;
  // Declared before the dialer, whose destructor still uses it to close TLS.
  std::unique_ptr<io::SecureSocket> socket_;
  Dialer dialer_;
  std::optional<absl::Status> opened_;
  std::unique_ptr<Session> session_;

  io::EventLoop::Timer again_;
  io::EventLoop::Timer life_timer_;
  base::MonotonicTime last_heard_;
  base::MonotonicTime asked_ = base::MonotonicTime::Infinite();

  bool unread_ = false;  // the socket may have data
  bool input_ended_ = false;
  bool full_ = false;         // the socket takes no more data
  bool cannot_send_ = false;  // sending has failed, and there is something left to be read
  std::string wire_;          // bytes to be sent
  size_t wire_sent_ = 0;
  std::optional<StreamEnd> failure_;
};

}  // namespace kube::httpclient::internal

#endif  // NET_HTTPCLIENT_INTERNAL_CONNECTION_H_

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
#include "net/httpclient/internal/dialer.h"
#include "net/httpclient/internal/session.h"
#include "net/httpclient/transport_error.h"
#include "net/io/event_loop.h"
#include "net/io/secure_socket.h"

namespace kube::httpclient::internal {

// One connection: dialed by curl, then a session over its socket. It knows nothing of who uses it:
// when there is something to do it schedules the task of its owner, who calls Work and looks at
// what has come of it. Thread-compatible.
class Connection final : public io::EventLoop::Listener {
 public:
  // All outlive it.
  Connection(io::EventLoop& loop, const HttpTransportOptions& transport_options,
             const CurlOptions& options, io::EventLoop::Task& changed);
  ~Connection() override;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Once. False: out of memory, or curl is one without OpenSSL.
  bool Open();
  // Nothing: it is being opened. OK, and there is a session; or the transport error.
  const std::optional<absl::Status>& opened() const { return opened_; }
  const Dialer& dialer() const { return dialer_; }

  // Of an open one.
  void Start(Stream& stream);
  void Cancel(Stream& stream);
  void Resume(Stream& stream);

  // Sees whether it is open; receives and sends what there is.
  void Work();
  const Session& session() const { return *session_; }
  // Why nothing more will come of it, with the streams that it has.
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
  // Whether anything was heard of the peer lately.
  void CheckLife();

  io::EventLoop& loop_;
  const HttpTransportOptions& transport_options_;
  const CurlOptions& options_;
  io::EventLoop::Task& changed_;
  // Before the dialer, which says goodbye through it.
  std::unique_ptr<io::SecureSocket> socket_;
  Dialer dialer_;
  std::optional<absl::Status> opened_;
  std::unique_ptr<Session> session_;

  io::EventLoop::Timer again_;
  io::EventLoop::Timer life_timer_;
  base::MonotonicTime last_heard_;
  base::MonotonicTime asked_ = base::MonotonicTime::Infinite();

  bool unread_ = false;  // the socket may have something
  bool input_ended_ = false;
  bool full_ = false;  // the socket has no room
  std::string wire_;   // what is to be sent
  size_t wire_sent_ = 0;
  std::optional<StreamEnd> failure_;
};

}  // namespace kube::httpclient::internal

#endif  // NET_HTTPCLIENT_INTERNAL_CONNECTION_H_

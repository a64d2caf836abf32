#ifndef NET_HTTPCLIENT_INTERNAL_CONNECTION_H_
#define NET_HTTPCLIENT_INTERNAL_CONNECTION_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "apimachinery/base/monotonic_time.h"
#include "net/httpclient/http_transport.h"
#include "net/httpclient/internal/connection_planner.h"
#include "net/httpclient/internal/curl_options.h"
#include "net/httpclient/internal/dialer.h"
#include "net/httpclient/internal/event_loop.h"
#include "net/httpclient/internal/secure_socket.h"
#include "net/httpclient/internal/session.h"

namespace kube::httpclient::internal {

class ActiveTransfer;

// One connection: dialed by curl, then a session over its socket. Thread-compatible.
class Connection final : public PlannedConnection,
                         public EventLoop::Listener,
                         private Dialer::Observer {
 public:
  class Observer {
   public:
    virtual ~Observer() = default;
    // Soon, but not now, it has to be looked after: see Work.
    virtual void OnChanged(Connection& connection) = 0;
  };

  // All outlive it.
  Connection(EventLoop& loop, const HttpTransportOptions& transport_options,
             const CurlOptions& options, Observer& observer);
  ~Connection() override;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Once. False: out of memory, or curl is one without OpenSSL.
  bool Open();
  // Nothing: it is being opened. OK, and there is a session; or the transport error.
  const std::optional<absl::Status>& opened() const { return opened_; }
  const Dialer& dialer() const { return dialer_; }

  // Of an open one.
  void Start(ActiveTransfer& transfer);
  void Cancel(ActiveTransfer& transfer);
  void Resume(ActiveTransfer& transfer);

  // Receives and sends what there is.
  void Work();
  // Swaps those that have ended since the last call into `ended`, which is empty.
  void TakeEnded(std::vector<ActiveTransfer*>& ended) { ended.swap(ended_); }
  const Session& session() const { return *session_; }
  // Why nothing more will come of it, with the streams that it has.
  const std::optional<StreamEnd>& failure() const {
    return failure_.has_value() ? failure_ : session_->failure();
  }

  // Of the session's streams.
  void OnStreamEnded(ActiveTransfer& transfer) { ended_.push_back(&transfer); }

  // Of whoever looks after it.
  bool changed = false;
  bool used = false;  // it has taken a request
  base::MonotonicTime idle_since;

  void OnEvents(int fd, uint32_t events) override;

 private:
  void OnDialed() override;
  absl::Status MakeSession();
  void Receive();
  void Send();
  void Watch();
  void Changed() { observer_.OnChanged(*this); }
  void Fail(TransportErrorKind kind, std::string cause);
  // Whether anything was heard of the peer lately.
  void CheckLife();

  EventLoop& loop_;
  const HttpTransportOptions& transport_options_;
  const CurlOptions& options_;
  Observer& observer_;
  // Before the dialer, which says goodbye through it.
  std::unique_ptr<SecureSocket> socket_;
  Dialer dialer_;
  std::optional<absl::Status> opened_;
  std::unique_ptr<Session> session_;

  EventLoop::Timer again_;
  EventLoop::Timer life_timer_;
  base::MonotonicTime last_heard_;
  base::MonotonicTime asked_ = base::MonotonicTime::Infinite();

  bool unread_ = false;  // the socket may have something
  bool input_ended_ = false;
  bool full_ = false;  // the socket has no room
  std::string wire_;   // what is to be sent
  size_t wire_sent_ = 0;
  std::optional<StreamEnd> failure_;
  std::vector<ActiveTransfer*> ended_;
};

}  // namespace kube::httpclient::internal

#endif  // NET_HTTPCLIENT_INTERNAL_CONNECTION_H_

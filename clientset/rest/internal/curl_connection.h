#ifndef CLIENTSET_REST_INTERNAL_CURL_CONNECTION_H_
#define CLIENTSET_REST_INTERNAL_CURL_CONNECTION_H_

#include <curl/curl.h>

#include <cstdint>
#include <memory>
#include <unordered_set>
#include <vector>

#include "apimachinery/base/monotonic_time.h"
#include "clientset/rest/http_transport.h"
#include "clientset/rest/internal/connection_planner.h"
#include "clientset/rest/internal/curl_options.h"
#include "clientset/rest/internal/curl_transfer.h"
#include "clientset/rest/internal/event_loop.h"

namespace kube::rest::internal {

// One connection: a multi handle of curl that is allowed no second one, so that it is us who decide
// where a request goes. Thread-compatible.
class CurlConnection final : public PlannedConnection, public EventLoop::Listener {
 public:
  class Observer {
   public:
    virtual ~Observer() = default;
    // Soon, but not now, it has to be looked after: transfers have ended, or its socket has closed.
    virtual void OnChanged(CurlConnection& connection) = 0;
    // Within curl: a socket is being opened by a transfer that found none open.
    virtual void OnOpening(CurlConnection& connection) = 0;
  };

  CurlConnection(EventLoop& loop, const HttpTransportOptions& options, Observer& observer);
  ~CurlConnection() override;
  CurlConnection(const CurlConnection&) = delete;
  CurlConnection& operator=(const CurlConnection&) = delete;

  // False: out of memory.
  bool ok() const { return multi_ != nullptr; }

  // Adds it and lets curl begin. It may end, and be placed, meanwhile.
  bool Add(CurlTransfer& transfer);
  // Whether it has ended or not; ends it.
  void Remove(CurlTransfer& transfer);
  // After the Remove of a transfer that had not ended. curl has made the frame that tells the
  // server (RST_STREAM) but keeps it until there is something else to send (7.88, and unknown
  // others): this makes it send it now. False: there is no way while the connection is idle.
  bool Flush();
  // Within curl: something of its response has come. Once until the next look.
  void OnReceived(CurlTransfer& transfer) { received_.push_back(&transfer); }
  // From here to Uncork TCP collects what is sent, at most for 0.2 seconds: several requests cost
  // little more than one. False: it does so already.
  bool Cork();
  void Uncork();
  // Its reader has made room.
  void Resume(CurlTransfer& transfer);

  struct Ended {
    CurlTransfer* transfer;
    CURLcode code;
  };
  // Those that have ended since the last call; Remove them.
  std::vector<Ended> TakeEnded();

  const std::unordered_set<CurlTransfer*>& transfers() const { return transfers_; }
  bool has_socket() const { return !sockets_.empty(); }
  // Whether the host, or the proxy, has answered; TLS may not be agreed on yet.
  bool IsConnected() const;
  // Since when it has had no transfer.
  base::MonotonicTime idle_since() const { return idle_since_; }

  // Of whoever looks after it.
  EventLoop::Timer* timer() const { return timer_.get(); }
  void set_timer(std::unique_ptr<EventLoop::Timer> timer) { timer_ = std::move(timer); }
  bool changed = false;
  bool unflushed = false;  // Flush could not do it
  base::MonotonicTime opening_since;
  base::MonotonicTime connected_since = base::MonotonicTime::Infinite();

  void OnEvents(int fd, uint32_t events) override;

 private:
  static int OnSocket(CURL*, curl_socket_t fd, int what, void* self, void*);
  static int OnTimer(CURLM*, long milliseconds, void* self);  // NOLINT: curl's type
  static curl_socket_t OpenSocket(void* self, curlsocktype, curl_sockaddr* address);
  static int CloseSocket(void* self, curl_socket_t fd);

  void SetCork(int value);
  void Act(curl_socket_t fd, int events);
  void Nudge();
  void OnTimeout();
  void SetCurlTimer(long milliseconds);  // NOLINT: curl's type

  EventLoop& loop_;
  const HttpTransportOptions& options_;
  Observer& observer_;
  EventLoop::Timer curl_timer_;
  std::unique_ptr<EventLoop::Timer> timer_;
  std::unordered_set<CurlTransfer*> transfers_;
  // Of these, those that have got something since Nudge, or were nudged by it.
  std::vector<CurlTransfer*> received_;
  std::vector<int> sockets_;
  bool corked_ = false;
  base::MonotonicTime idle_since_;
  // Last, so first to go: it closes sockets through the callbacks.
  CurlMulti multi_;
};

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_CURL_CONNECTION_H_

#ifndef CLIENTSET_REST_INTERNAL_CURL_TRANSFER_H_
#define CLIENTSET_REST_INTERNAL_CURL_TRANSFER_H_

#include <curl/curl.h>

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "clientset/rest/http_transport.h"
#include "clientset/rest/internal/curl_error.h"
#include "clientset/rest/internal/curl_options.h"
#include "clientset/rest/internal/endpoint.h"
#include "clientset/rest/internal/event_loop.h"
#include "clientset/rest/internal/transfer.h"

namespace kube::rest::internal {

class CurlConnection;
class CurlGroup;

// The I/O thread's side of a Transfer: a handle of curl, which is used for one after another of the
// same server, and what its callbacks collect. Thread-compatible.
class CurlTransfer {
 public:
  // Who is told, in the middle of curl's work, and so must not call curl.
  class Observer {
   public:
    virtual ~Observer() = default;
    // It has a place on an open connection and is about to be sent.
    virtual void OnPlaced(CurlTransfer& transfer) = 0;
    virtual void OnHead(CurlTransfer& transfer, int http_version) = 0;
    // There is something to deliver. Once until Deliver.
    virtual void OnNews(CurlTransfer& transfer) = 0;
    virtual void OnPaused() = 0;
    // At the loop, from where curl may be called.
    virtual void OnHeaderTimeout(CurlTransfer& transfer) = 0;
    // The end of the response seems to have got lost.
    virtual void OnSilence(CurlTransfer& transfer) = 0;
  };

  // `options` and `observer` outlive it.
  CurlTransfer(EventLoop& loop, const CurlOptions& curl_options, CurlGroup& group,
               Observer& observer, const HttpTransportOptions& options);
  ~CurlTransfer();
  CurlTransfer(const CurlTransfer&) = delete;
  CurlTransfer& operator=(const CurlTransfer&) = delete;

  // False: out of memory.
  bool Start(std::shared_ptr<Transfer> transfer, const Endpoint& endpoint);
  // Before it is tried on another connection. Nothing was sent.
  void Restart();
  // What was collected, to the caller; with `end`, the end.
  void Deliver();
  void End(absl::Status end);
  // OnNews was called, and Deliver not since.
  bool announced() const { return announced_; }
  // Ready for the next Start.
  void Reset();

  CurlGroup& group() const { return group_; }
  Transfer* transfer() const { return transfer_.get(); }
  CURL* easy() const { return easy_.get(); }
  // Null: it waits for one.
  CurlConnection* connection() const { return connection_; }
  void set_connection(CurlConnection* connection) { connection_ = connection; }

  bool placed() const { return placed_; }
  // Whether something of the request has left; false: nobody has seen it.
  bool sent() const;
  bool responded() const { return responded_; }
  // The connection had no place for it, or no longer has: it is about to end.
  bool displaced() const { return displaced_; }
  void set_displaced() { displaced_ = true; }

  // Whether something that the server has sent may still be in curl's buffers, where no event tells
  // of it: then curl has to be called again. Asked after curl has run; see CurlConnection::Nudge.
  bool MayHaveMore();
  // Its reader was too slow: it is not to be called again until he has caught up.
  bool paused() const { return paused_; }
  void set_resumed() {
    paused_ = false;
    CountReceived(0);  // the end of the response may be in those buffers
  }

  // Before it leaves its connection: takes what curl keeps of a paused response.
  void DropPaused();
  // It was paused once. Then it is not to be used for another request: where the connection has
  // other requests, curl (7.88 at least) forgets nothing of what it kept when this one ends, and
  // would give it to the next.
  bool is_spoilt() const { return spoilt_; }

  // The error for a code of curl's; OK for success.
  absl::Status StatusOf(CURLcode code) const;
  CurlOutcome OutcomeOf(CURLcode code) const;

 private:
  static size_t OnHeader(char* data, size_t size, size_t count, void* self);
  static size_t OnData(char* data, size_t size, size_t count, void* self);
  static int OnPrepared(void* self, char*, char*, int, int);

  bool SetConstantOptions();
  bool SetMethod(const HttpRequest& request);
  bool SetHeaders(const HttpRequest& request, const Endpoint& endpoint);
  void AddHeaderLine(std::string line) { lines_.push_back(std::move(line)); }
  void CountReceived(size_t bytes);
  bool TakeHeaderLine(absl::string_view line);
  void TakeStatusLine(absl::string_view line);
  void Announce();

  const CurlOptions& options_;
  CurlGroup& group_;
  Observer& observer_;
  const size_t max_header_bytes_;
  const size_t buffer_bytes_;
  const absl::Duration lost_after_;
  CurlEasy easy_;
  EventLoop::Timer timer_;  // of the header; then see MayHaveMore
  std::array<char, CURL_ERROR_SIZE> error_ = {};

  std::shared_ptr<Transfer> transfer_;
  CurlConnection* connection_ = nullptr;
  std::string url_;
  // The request's header: curl walks a list through these strings.
  std::vector<std::string> lines_;
  std::vector<curl_slist> list_;

  ResponseHead head_;
  int http_version_ = 1;
  size_t header_bytes_ = 0;
  // Since MayHaveMore was last asked. Whether curl's buffer may have been too small for it.
  size_t received_bytes_ = 0;
  bool overflowed_ = false;
  bool awaits_look_ = false;  // OnReceived was called, and MayHaveMore did not say no since
  bool placed_ = false;
  bool responded_ = false;
  bool displaced_ = false;
  bool announced_ = false;
  bool paused_ = false;
  bool dropping_ = false;  // within DropPaused
  bool spoilt_ = false;
  bool header_too_large_ = false;
  Transfer::News news_;
};

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_CURL_TRANSFER_H_

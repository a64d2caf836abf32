#ifndef NET_HTTPCLIENT_INTERNAL_ACTIVE_TRANSFER_H_
#define NET_HTTPCLIENT_INTERNAL_ACTIVE_TRANSFER_H_

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/internal/endpoint.h"
#include "net/httpclient/internal/response_head.h"
#include "net/httpclient/internal/session.h"
#include "net/httpclient/internal/transfer.h"
#include "net/io/event_loop.h"

namespace kube::httpclient::internal {

// The I/O thread's side of a Transfer. It collects what the session reports and what the caller
// wants, and schedules the task of its owner; it calls nothing but the Transfer. Thread-compatible.
class ActiveTransfer final : public Stream {
 public:
  // `news` is scheduled when there is something for the owner to do. It must outlive this object.
  ActiveTransfer(io::EventLoop& loop, std::shared_ptr<Transfer> transfer,
                 io::EventLoop::Task& news);
  ~ActiveTransfer() override;
  ActiveTransfer(const ActiveTransfer&) = delete;
  ActiveTransfer& operator=(const ActiveTransfer&) = delete;

  // ---- Requests of the caller

  // The caller no longer wants the response.
  void Cancel();
  // The reader has made room in the buffer.
  void Resume();
  // Bytes wait in Transfer::outgoing.
  void Send();

  // ---- For the owner. `authority` is the server's.

  // The request was placed on a connection, which starts the time for the header; or it was taken
  // off a connection that has not processed it.
  void OnPlaced();
  void OnDisplaced();

  // Returns why the request must end, whatever its connection says; nullopt if it need not.
  std::optional<absl::Status> Interruption(absl::string_view authority) const;
  // Returns how the connection has ended the request, if it has.
  const std::optional<StreamEnd>& end() const { return end_; }
  // Return whether, since the last call, the reader has fallen behind or has made room, or the
  // caller has written bytes.
  bool TakePaused() { return std::exchange(has_paused_, false); }
  bool TakeResumed() { return std::exchange(has_resumed_, false); }
  bool TakeWritten() { return std::exchange(has_written_, false); }

  bool sent() const { return sent_; }
  // Returns whether the response was 101, so that the request is no longer one of HTTP.
  bool switched() const { return switched_; }
  // Returns the error of a request that has ended so: "await response of HOST: …".
  absl::Status ErrorOf(const StreamEnd& end, absl::string_view authority) const;

  // Deliver hands what was collected to the caller; Finish also ends the transfer.
  void Deliver();
  void Finish(const absl::Status& status);

  // ---- For the session

  const HttpRequest& request() const override { return transfer_->request(); }
  const Endpoint& endpoint() const override { return transfer_->endpoint(); }
  void OnSent() override { sent_ = true; }
  void OnHead(ResponseHead head) override;
  bool OnData(absl::string_view data) override;
  void TakeOutgoing(std::string& out) override;
  void OnEnd(StreamEnd end) override;

 private:
  io::EventLoop& loop_;
  const std::shared_ptr<Transfer> transfer_;
  io::EventLoop::Task& news_task_;
  io::EventLoop::Timer header_timer_;
  bool cancelled_ = false;
  bool timed_out_ = false;
  bool sent_ = false;
  bool responded_ = false;
  bool switched_ = false;
  bool paused_ = false;
  bool has_paused_ = false;
  bool has_resumed_ = false;
  bool has_written_ = false;
  std::optional<StreamEnd> end_;
  Transfer::News news_;
};

}  // namespace kube::httpclient::internal

#endif  // NET_HTTPCLIENT_INTERNAL_ACTIVE_TRANSFER_H_

#ifndef NET_HTTPCLIENT_INTERNAL_ACTIVE_TRANSFER_H_
#define NET_HTTPCLIENT_INTERNAL_ACTIVE_TRANSFER_H_

#include <memory>
#include <optional>
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

// The I/O thread's side of a Transfer: collects what its session says, and what its caller wants.
// It calls nobody but the Transfer: when there is something to look after it schedules the task of
// its owner. Thread-compatible.
class ActiveTransfer final : public Stream {
 public:
  // `news` outlives it.
  ActiveTransfer(io::EventLoop& loop, std::shared_ptr<Transfer> transfer,
                 io::EventLoop::Task& news);
  ~ActiveTransfer() override;
  ActiveTransfer(const ActiveTransfer&) = delete;
  ActiveTransfer& operator=(const ActiveTransfer&) = delete;

  // ---- The caller's wishes

  // Nobody wants it any more.
  void Cancel();
  // Its reader has made room.
  void Resume();

  // ---- For its owner. `authority`: the server's.

  // It is on a connection now, or on none: nothing has happened yet. The time for the header begins
  // with the first.
  void OnPlaced();
  void OnDisplaced();

  // Why it is to end, whatever its connection says. Nothing: it is not.
  std::optional<absl::Status> Interruption(absl::string_view authority) const;
  // How its connection has ended it, if it has.
  const std::optional<StreamEnd>& end() const { return end_; }
  // Since the last call: whether its reader has fallen behind; has made room.
  bool TakePaused() { return std::exchange(has_paused_, false); }
  bool TakeResumed() { return std::exchange(has_resumed_, false); }

  bool sent() const { return sent_; }
  // The error for that end: "await response of HOST: …".
  absl::Status ErrorOf(const StreamEnd& end, absl::string_view authority) const;

  // What was collected, to the caller; and the end.
  void Deliver();
  void Finish(const absl::Status& status);

  // ---- Of its session

  const HttpRequest& request() const override { return transfer_->request(); }
  const Endpoint& endpoint() const override { return transfer_->endpoint(); }
  void OnSent() override { sent_ = true; }
  void OnHead(ResponseHead head) override;
  bool OnData(absl::string_view data) override;
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
  bool paused_ = false;
  bool has_paused_ = false;
  bool has_resumed_ = false;
  std::optional<StreamEnd> end_;
  Transfer::News news_;
};

}  // namespace kube::httpclient::internal

#endif  // NET_HTTPCLIENT_INTERNAL_ACTIVE_TRANSFER_H_

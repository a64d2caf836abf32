#ifndef NET_HTTPCLIENT_INTERNAL_ACTIVE_TRANSFER_H_
#define NET_HTTPCLIENT_INTERNAL_ACTIVE_TRANSFER_H_

#include <cstddef>
#include <memory>
#include <optional>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/internal/connection.h"
#include "net/httpclient/internal/endpoint.h"
#include "net/httpclient/internal/event_loop.h"
#include "net/httpclient/internal/response_head.h"
#include "net/httpclient/internal/session.h"
#include "net/httpclient/internal/transfer.h"

namespace kube::httpclient::internal {

class ConnectionGroup;

// The I/O thread's side of a Transfer. Thread-compatible.
class ActiveTransfer final : public Stream {
 public:
  // Both outlive it.
  ActiveTransfer(EventLoop& loop, ConnectionGroup& group, std::shared_ptr<Transfer> transfer);
  ~ActiveTransfer() override;
  ActiveTransfer(const ActiveTransfer&) = delete;
  ActiveTransfer& operator=(const ActiveTransfer&) = delete;

  ConnectionGroup& group() const { return group_; }
  // Null: it waits for one.
  Connection* connection() const { return connection_; }
  // On a connection, or on none: nothing has happened yet. The time for the header begins.
  void Place(Connection& connection);
  void Displace();

  // Its reader has made room.
  void set_resumed() { paused_ = false; }

  bool sent() const { return sent_; }
  // How the connection has ended it, if it has.
  const std::optional<StreamEnd>& end() const { return end_; }
  // The error for that: "await response of HOST: …".
  absl::Status ErrorOf(const StreamEnd& end) const;

  // What was collected, to the caller; and the end.
  void Deliver();
  void Finish(const absl::Status& status);
  bool announced() const { return announced_; }

  // Its place among its group's.
  size_t index = 0;
  // So many connections it was on already.
  int displaced = 0;

  const HttpRequest& request() const override { return transfer_->request(); }
  const Endpoint& endpoint() const override { return transfer_->endpoint(); }
  void OnSent() override { sent_ = true; }
  void OnHead(ResponseHead head) override;
  bool OnData(absl::string_view data) override;
  void OnEnd(StreamEnd end) override;

 private:
  void Announce();

  ConnectionGroup& group_;
  const std::shared_ptr<Transfer> transfer_;
  Connection* connection_ = nullptr;
  EventLoop::Timer header_timer_;
  bool sent_ = false;
  bool responded_ = false;
  bool announced_ = false;
  bool paused_ = false;
  std::optional<StreamEnd> end_;
  Transfer::News news_;
};

}  // namespace kube::httpclient::internal

#endif  // NET_HTTPCLIENT_INTERNAL_ACTIVE_TRANSFER_H_

#ifndef NET_HTTPSERVER_IN_PROCESS_EXCHANGE_H_
#define NET_HTTPSERVER_IN_PROCESS_EXCHANGE_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "net/http/headers.h"
#include "net/httpserver/exchange.h"
#include "net/io/duplex_stream.h"

namespace kube::httpserver {

// The client's end of an exchange with a Handler in the same process, without a connection. It
// reads what the handler writes.
//
//   InProcessExchange exchange(std::move(request), /*max_buffered_bytes=*/1 << 20);
//   handler.Handle(exchange.ForHandler());
//   KUBE_ASSIGN_OR_RETURN(auto head, exchange.WaitForHead(ctx, base::MonotonicTime::Infinite()));
//   KUBE_ASSIGN_OR_RETURN(std::string piece, exchange.Read(ctx));  // "" at the end
//
// A request with `wants_upgrade` can have another protocol than HTTP: the status is then 101, and
// TakeConnection returns the connection.
//
// One thread at a time may call WaitForHead, Read and TakeConnection; Close is thread-safe. The
// destructor calls Close. Uses the locks of the current Runtime, so it works under SimRuntime.
class InProcessExchange {
 public:
  struct Head {
    int status = 200;
    http::Headers headers = {};
    // The length of the body, if the handler answered with Respond.
    std::optional<size_t> content_length = {};
  };

  // If more than `max_buffered_bytes` are written but not read, Write returns false to the handler
  // and the response counts as aborted.
  InProcessExchange(Request request, size_t max_buffered_bytes);
  ~InProcessExchange();
  InProcessExchange(const InProcessExchange&) = delete;
  InProcessExchange& operator=(const InProcessExchange&) = delete;

  // Returns the exchange to pass to Handler::Handle. Call it once. If the handler drops it without
  // an answer, the response is 500.
  std::shared_ptr<Exchange> ForHandler();

  // Blocks until the handler has written the head of the final response, which may be 101; other
  // 1xx responses are skipped. Returns ABORTED if the handler aborted, DEADLINE_EXCEEDED if the
  // deadline passed first, and ctx.status() if `ctx` ended first.
  absl::StatusOr<Head> WaitForHead(const Context& ctx, base::MonotonicTime deadline);

  // Blocks until there are bytes of the body and returns them; "" at the end, and after Close.
  // Returns ABORTED if the handler aborted, and ctx.status() if `ctx` ended first; a later call
  // continues.
  absl::StatusOr<std::string> Read(const Context& ctx);

  // After WaitForHead has returned the status 101, returns the client's end of the connection; call
  // it once. Returns null after any other status. The connection may outlive this object, whose
  // Close and destructor have no effect on it. The exchange's context is done when either side has
  // closed the connection, or both have ended their bytes. If the handler aborts the exchange, what
  // was not read is lost, and Read and Write return ABORTED.
  std::unique_ptr<io::DuplexStream> TakeConnection();

  // Ends the exchange: cancels its context, and wakes a Read that blocks.
  void Close();

 private:
  class Pipe;
  const std::shared_ptr<Pipe> pipe_;
};

}  // namespace kube::httpserver

#endif  // NET_HTTPSERVER_IN_PROCESS_EXCHANGE_H_

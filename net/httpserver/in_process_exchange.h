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

namespace kube::httpserver {

// The client's end of an exchange with a Handler of the same process, without a connection: it
// takes what the handler writes.
//
//   InProcessExchange exchange(std::move(request), /*max_buffered_bytes=*/1 << 20);
//   handler.Handle(exchange.ForHandler());
//   KUBE_ASSIGN_OR_RETURN(auto head, exchange.WaitForHead(ctx, base::MonotonicTime::Infinite()));
//   KUBE_ASSIGN_OR_RETURN(std::string piece, exchange.Read(ctx));  // "" at the end
//
// WaitForHead and Read are for one thread at a time; Close is thread-safe. The destructor is Close.
// It uses the locks of the current Runtime, and so works under SimRuntime.
class InProcessExchange {
 public:
  struct Head {
    int status = 200;
    http::Headers headers = {};
    // The length of the body, if the handler gave all of it at once.
    std::optional<size_t> content_length = {};
  };

  // If the handler writes more than `max_buffered_bytes` that nobody has read, its Write returns
  // false, and the response counts as broken off.
  InProcessExchange(Request request, size_t max_buffered_bytes);
  ~InProcessExchange();
  InProcessExchange(const InProcessExchange&) = delete;
  InProcessExchange& operator=(const InProcessExchange&) = delete;

  // Returns what Handler::Handle gets. Call it once. If the handler drops it without an answer, the
  // response is 500.
  std::shared_ptr<Exchange> ForHandler();

  // Blocks until the handler has written the head of the response; 1xx responses are skipped.
  // Returns ABORTED if the handler broke the response off, DEADLINE_EXCEEDED if the deadline passed
  // first, and ctx.status() if `ctx` ended first.
  absl::StatusOr<Head> WaitForHead(const Context& ctx, base::MonotonicTime deadline);

  // Blocks until there are more bytes of the body, and returns them; "" at its end, and after
  // Close. Returns ABORTED if the handler broke the response off, and ctx.status() if `ctx` ended
  // first: a later call goes on.
  absl::StatusOr<std::string> Read(const Context& ctx);

  // Ends the exchange: its context is cancelled, and a Read that blocks returns.
  void Close();

 private:
  class Pipe;
  const std::shared_ptr<Pipe> pipe_;
};

}  // namespace kube::httpserver

#endif  // NET_HTTPSERVER_IN_PROCESS_EXCHANGE_H_

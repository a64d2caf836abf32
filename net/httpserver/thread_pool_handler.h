#ifndef NET_HTTPSERVER_THREAD_POOL_HANDLER_H_
#define NET_HTTPSERVER_THREAD_POOL_HANDLER_H_

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/queue.h"
#include "apimachinery/base/thread.h"
#include "net/httpserver/exchange.h"

namespace kube::httpserver {

struct ThreadPoolOptions {
  // Number of requests that are handled at the same time; at least 1.
  int threads = 4;
  // Number of further requests that may wait. Any more get 503 and "retry-after: 1". Zero counts as
  // 1, because each request waits for a moment until a thread takes it.
  size_t max_waiting = 128;
  // The name of the threads in debuggers.
  std::string name = "http-handler";
};

// A Handler that calls a function on threads of its own, so that the function may block, as Go's
// net/http does for every request.
//
//   ThreadPoolHandler handler([](Exchange& exchange) { exchange.Respond({.body = Metrics()}); });
//   KUBE_RETURN_IF_ERROR(handler.Start(ctx));
//   KUBE_ASSIGN_OR_RETURN(std::unique_ptr<Server> server, Server::Start({}, handler));
//
// A request whose client disconnects while it waits is skipped. The function should check
// exchange.context() during long work. A request that it does not answer gets 500. Destroy the
// server before the handler. Thread-safe.
class ThreadPoolHandler final : public Handler {
 public:
  // Called by several threads at the same time.
  using Function = absl::AnyInvocable<void(Exchange&) const>;
  explicit ThreadPoolHandler(Function function, const ThreadPoolOptions& options = {});
  // The same for a function that may keep the exchange and answer it later.
  using KeepingFunction = absl::AnyInvocable<void(std::shared_ptr<Exchange>) const>;
  explicit ThreadPoolHandler(KeepingFunction function, const ThreadPoolOptions& options = {});

  // Starts the threads, which end with `ctx` or with the handler. Requests that arrive earlier
  // wait. Returns RESOURCE_EXHAUSTED if the system has no threads left, and INVALID_ARGUMENT if
  // ThreadPoolOptions::threads is less than 1.
  absl::Status Start(const Context& ctx);

  void Handle(std::shared_ptr<Exchange> exchange) override;

 private:
  void Work(const Context& ctx);

  const KeepingFunction function_;
  const ThreadPoolOptions options_;
  base::BoundedQueue<std::shared_ptr<Exchange>> waiting_;
  // Declared last: the threads use all of the above.
  std::vector<std::unique_ptr<base::Thread>> threads_;
};

}  // namespace kube::httpserver

#endif  // NET_HTTPSERVER_THREAD_POOL_HANDLER_H_

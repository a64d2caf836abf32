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
  // How many requests are handled at a time.
  int threads = 4;
  // How many more may wait. Those beyond are answered with 503 and "retry-after: 1".
  size_t max_waiting = 128;
  // Of the threads, in debuggers.
  std::string name = "http-handler";
};

// A Handler whose requests are handled by a function that may block, on threads of its own: what
// Go's net/http has for every request.
//
//   ThreadPoolHandler handler([](Exchange& exchange) { exchange.Respond({.body = Metrics()}); });
//   KUBE_RETURN_IF_ERROR(handler.Start(ctx));
//   KUBE_ASSIGN_OR_RETURN(auto server, Server::Start({.port = 8080}, handler));
//
// A request whose client has gone while it waited is not handled. The function looks at
// exchange.context() while it works for long; a request that it does not answer is answered 500.
// Destroy the server first. Thread-safe.
class ThreadPoolHandler final : public Handler {
 public:
  // `function` is called by several threads at a time.
  using Function = absl::AnyInvocable<void(Exchange&) const>;
  explicit ThreadPoolHandler(Function function, const ThreadPoolOptions& options = {});

  // Starts the threads. Until then requests wait. They end with `ctx` or with the handler.
  // RESOURCE_EXHAUSTED when the system has no thread left.
  absl::Status Start(const Context& ctx);

  void Handle(std::shared_ptr<Exchange> exchange) override;

 private:
  void Work(const Context& ctx);

  const Function function_;
  const ThreadPoolOptions options_;
  base::BoundedQueue<std::shared_ptr<Exchange>> waiting_;
  // Last: they use all of the above.
  std::vector<std::unique_ptr<base::Thread>> threads_;
};

}  // namespace kube::httpserver

#endif  // NET_HTTPSERVER_THREAD_POOL_HANDLER_H_

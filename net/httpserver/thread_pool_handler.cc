#include "net/httpserver/thread_pool_handler.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/queue.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/thread.h"
#include "net/httpserver/exchange.h"

namespace kube::httpserver {

ThreadPoolHandler::ThreadPoolHandler(Function function, const ThreadPoolOptions& options)
    : ThreadPoolHandler(
          KeepingFunction([answer = std::move(function)](
                              const std::shared_ptr<Exchange>& exchange) { answer(*exchange); }),
          options) {}

ThreadPoolHandler::ThreadPoolHandler(KeepingFunction function, const ThreadPoolOptions& options)
    : function_(std::move(function)),
      options_(options),
      waiting_(std::max<size_t>(options.max_waiting, 1), base::WhenFull::kReject) {}

absl::Status ThreadPoolHandler::Start(const Context& ctx) {
  if (options_.threads < 1) {
    return absl::InvalidArgumentError("start HTTP handler threads: threads must be at least 1");
  }
  for (int i = 0; i < options_.threads; ++i) {
    threads_.push_back(std::make_unique<base::Thread>());
    KUBE_RETURN_IF_ERROR(
        threads_.back()->Start(ctx, options_.name, [this](const Context& body) { Work(body); }),
        "start HTTP handler threads");
  }
  return absl::OkStatus();
}

void ThreadPoolHandler::Handle(std::shared_ptr<Exchange> exchange) {
  if (waiting_.Push(Context(), exchange).ok()) return;
  exchange->Respond(
      {.status = 503,
       .headers = {{"content-type", "text/plain; charset=utf-8"}, {"retry-after", "1"}},
       .body = "too many pending requests\n"});
}

void ThreadPoolHandler::Work(const Context& ctx) {
  for (;;) {
    absl::StatusOr<std::shared_ptr<Exchange>> next = waiting_.Pop(ctx);
    if (!next.ok()) return;
    // Released at the end of each iteration; if it was not answered, it then responds with 500.
    std::shared_ptr<Exchange> exchange = *std::move(next);
    if (exchange->can_answer()) function_(std::move(exchange));
  }
}

}  // namespace kube::httpserver

#ifndef CONTROLLER_TESTING_INTERNAL_WEBHOOK_SWITCH_H_
#define CONTROLLER_TESTING_INTERNAL_WEBHOOK_SWITCH_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "apimachinery/base/mutex.h"
#include "net/httpserver/exchange.h"

namespace kube::controller::internal {

// Leads the calls of webhooks to the replicas that serve them, in turn, as a Service does.
//
// Thread-safe.
class WebhookSwitch final : public httpserver::Handler {
 public:
  WebhookSwitch() = default;
  WebhookSwitch(const WebhookSwitch&) = delete;
  WebhookSwitch& operator=(const WebhookSwitch&) = delete;

  // Passes the exchange to one of the handlers, on the calling thread. Answers 503 if none is
  // ready.
  void Handle(std::shared_ptr<httpserver::Exchange> exchange) override ABSL_LOCKS_EXCLUDED(mutex_);

  // Adds a handler, which answers before its Handle returns. It is called while `ready` returns
  // true, as a Service leads to pods that are ready. `ready` must not block, and must not call this
  // object.
  void Add(httpserver::Handler& handler, std::function<bool()> ready) ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns whether a handler is ready.
  bool IsReady() const ABSL_LOCKS_EXCLUDED(mutex_);
  // Removes the handler, and blocks until no call is in it. Does nothing if it was not added.
  void Remove(const httpserver::Handler& handler) ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  struct Serving {
    httpserver::Handler* handler = nullptr;
    std::function<bool()> ready = {};
    int calls = 0;
  };

  // Returns the entry of the next handler that is ready, with one call more, or null.
  std::shared_ptr<Serving> Enter() ABSL_LOCKS_EXCLUDED(mutex_);
  void Leave(Serving& serving) ABSL_LOCKS_EXCLUDED(mutex_);

  mutable base::Mutex mutex_;
  base::CondVar changed_;
  std::vector<std::shared_ptr<Serving>> serving_ ABSL_GUARDED_BY(mutex_);
  size_t turn_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace kube::controller::internal

#endif  // CONTROLLER_TESTING_INTERNAL_WEBHOOK_SWITCH_H_

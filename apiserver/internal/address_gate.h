#ifndef APISERVER_INTERNAL_ADDRESS_GATE_H_
#define APISERVER_INTERNAL_ADDRESS_GATE_H_

#include <memory>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "apimachinery/base/mutex.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {

// Stands before a handler that must know the server's port, which is known only when the server
// listens: requests that come sooner wait. There are as many as the server lets in. Thread-safe.
class AddressGate : public httpserver::Handler {
 public:
  // `handler` outlives this.
  explicit AddressGate(httpserver::Handler& handler) : handler_(handler) {}

  void Handle(std::shared_ptr<httpserver::Exchange> exchange) override {
    {
      base::MutexLock lock(mutex_);
      if (!open_) {
        waiting_.push_back(std::move(exchange));
        return;
      }
    }
    handler_.Handle(std::move(exchange));
  }

  // Passes on the requests that wait, and from now on all others.
  void Open() {
    std::vector<std::shared_ptr<httpserver::Exchange>> waiting;
    {
      base::MutexLock lock(mutex_);
      open_ = true;
      waiting.swap(waiting_);
    }
    for (auto& exchange : waiting) handler_.Handle(std::move(exchange));
  }

 private:
  httpserver::Handler& handler_;
  base::Mutex mutex_;
  bool open_ ABSL_GUARDED_BY(mutex_) = false;
  std::vector<std::shared_ptr<httpserver::Exchange>> waiting_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kube::apiserver::internal

#endif  // APISERVER_INTERNAL_ADDRESS_GATE_H_

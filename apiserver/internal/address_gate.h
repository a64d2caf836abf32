#ifndef APISERVER_INTERNAL_ADDRESS_GATE_H_
#define APISERVER_INTERNAL_ADDRESS_GATE_H_

#include <memory>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "apimachinery/base/mutex.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {

// Holds requests back until the server's port is known, which the handler needs and which is known
// only after the server listens. The server bounds how many requests wait. Thread-safe.
class AddressGate : public httpserver::Handler {
 public:
  // `handler` must outlive the gate.
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

  // Passes the waiting requests on, and all later ones directly.
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

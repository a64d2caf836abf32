#include "controller/testing/internal/webhook_switch.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <utility>

#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "net/httpserver/exchange.h"

namespace kube::controller::internal {

using base::MutexLock;

void WebhookSwitch::Handle(std::shared_ptr<httpserver::Exchange> exchange) {
  const std::shared_ptr<Serving> serving = Enter();
  if (serving == nullptr) {
    exchange->Respond({.status = 503, .body = "no replica of the operator serves webhooks"});
    return;
  }
  serving->handler->Handle(std::move(exchange));
  Leave(*serving);
}

void WebhookSwitch::Add(httpserver::Handler& handler, std::function<bool()> ready) {
  MutexLock lock(mutex_);
  serving_.push_back(
      std::make_shared<Serving>(Serving{.handler = &handler, .ready = std::move(ready)}));
}

bool WebhookSwitch::IsReady() const {
  MutexLock lock(mutex_);
  return std::any_of(serving_.begin(), serving_.end(),
                     [](const auto& each) { return each->ready(); });
}

void WebhookSwitch::Remove(const httpserver::Handler& handler) {
  MutexLock lock(mutex_);
  const auto found = std::find_if(serving_.begin(), serving_.end(), [&handler](const auto& each) {
    return each->handler == &handler;
  });
  if (found == serving_.end()) return;
  const std::shared_ptr<Serving> leaving = *found;
  serving_.erase(found);
  changed_.Wait(Context(), mutex_, [&leaving] { return leaving->calls == 0; }).IgnoreError();
}

std::shared_ptr<WebhookSwitch::Serving> WebhookSwitch::Enter() {
  MutexLock lock(mutex_);
  for (size_t tried = 0; tried < serving_.size(); ++tried) {
    std::shared_ptr<Serving> next = serving_[turn_++ % serving_.size()];
    if (!next->ready()) continue;
    ++next->calls;
    return next;
  }
  return nullptr;
}

void WebhookSwitch::Leave(Serving& serving) {
  MutexLock lock(mutex_);
  --serving.calls;
  changed_.NotifyAll();
}

}  // namespace kube::controller::internal

#include "apimachinery/base/thread.h"

#include <utility>

#include "apimachinery/base/check.h"

namespace kube::base {

Thread::~Thread() {
  RequestStop();
  Join();
}

absl::Status Thread::Start(const Context& parent, std::string name,
                           absl::AnyInvocable<void(const Context&)> body) {
  KUBE_CHECK(!joinable()) << "start thread \"" << name << "\": the previous thread is not joined";
  scope_.emplace(WithCancel(parent));
  auto started = Runtime::Current().StartThread(
      std::move(name),
      [context = scope_->context(), body = std::move(body)]() mutable { body(context); });
  if (!started.ok()) return started.status();
  running_ = *std::move(started);
  return absl::OkStatus();
}

void Thread::RequestStop(absl::Status cause) {
  if (scope_.has_value()) scope_->Cancel(std::move(cause));
}

void Thread::Join(SourceLocation where) {
  if (running_ == nullptr) return;
  running_->Join(where);
  running_ = nullptr;
}

}  // namespace kube::base

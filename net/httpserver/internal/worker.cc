#include "net/httpserver/internal/worker.h"

#include <memory>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "apimachinery/base/runtime.h"

namespace kube::httpserver::internal {
namespace {

thread_local const Worker* worker_of_this_thread = nullptr;

}  // namespace

bool Worker::IsThisThread() const { return worker_of_this_thread == this; }

Worker::Worker(absl::Duration tick) : tick_(tick), tick_timer_(loop_, [this] { Tick(); }) {}

void Worker::Run() {
  worker_of_this_thread = this;
  SetTick(tick_);
  while (!stop_ && !(shutting_down_ && served_.empty())) loop_.RunOnce();
  loop_.Close();
  tick_timer_.Cancel();
  const auto served = std::move(served_);
  served_.clear();
  for (const auto& [key, one] : served) one->OnStop();
  worker_of_this_thread = nullptr;
  ended_.Set();
}

void Worker::RequestStop() {
  Post([this] { stop_ = true; });
}

void Worker::RequestShutdown() {
  Post([this] {
    shutting_down_ = true;
    for (const std::shared_ptr<Served>& one : All()) one->Shutdown();
  });
}

void Worker::SetTick(absl::Duration tick) {
  tick_ = tick;
  tick_timer_.Set(base::Runtime::Real().Now() + tick);
}

void Worker::Add(std::shared_ptr<Served> served) {
  if (shutting_down_) Post([served] { served->Shutdown(); });
  const Served* const key = served.get();
  served_.emplace(key, std::move(served));
}

void Worker::Tick() {
  tick_timer_.Set(loop_.now() + tick_);
  for (const std::shared_ptr<Served>& one : All()) one->OnTick(loop_.now());
}

std::vector<std::shared_ptr<Served>> Worker::All() const {
  std::vector<std::shared_ptr<Served>> all;
  all.reserve(served_.size());
  for (const auto& [key, one] : served_) all.push_back(one);
  return all;
}

}  // namespace kube::httpserver::internal

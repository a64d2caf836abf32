#include "apimachinery/watch/testing/fake_watcher.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/queue.h"
#include "apimachinery/watch/internal/any_event.h"

namespace kube::watch::internal {

namespace {

std::shared_ptr<EventQueue> MakeQueue(size_t length) {
  return std::make_shared<EventQueue>(length, base::WhenFull::kReject);
}

}  // namespace

FakeWatcherCore::FakeWatcherCore(size_t queue_length)
    : queue_length_(std::max<size_t>(queue_length, 1)), queue_(MakeQueue(queue_length_)) {}

void FakeWatcherCore::Send(Event<void> event) {
  const absl::Status sent = queue()->Push(Context(), std::move(event));
  KUBE_CHECK(!absl::IsResourceExhausted(sent))
      << "FakeWatcher is full: " << queue_length_ << " events have not been received";
}

std::shared_ptr<EventQueue> FakeWatcherCore::queue() const {
  base::MutexLock lock(mutex_);
  return queue_;
}

void FakeWatcherCore::Stop() {
  base::MutexLock lock(mutex_);
  stopped_ = true;
  queue_->Close();
}

bool FakeWatcherCore::IsStopped() const {
  base::MutexLock lock(mutex_);
  return stopped_;
}

void FakeWatcherCore::Reset() {
  base::MutexLock lock(mutex_);
  stopped_ = false;
  queue_->Close();
  queue_ = MakeQueue(queue_length_);
}

}  // namespace kube::watch::internal

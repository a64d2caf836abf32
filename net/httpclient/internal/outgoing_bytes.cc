#include "net/httpclient/internal/outgoing_bytes.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/status.h"

namespace kube::httpclient::internal {

// Bytes are copied once, by Write into `waiting_`. Take swaps that string with the buffer of the
// connection, which is empty then, so that the two take turns: while the I/O thread sends one, the
// caller fills the other, and neither allocates.

namespace {

// A buffer that is larger is freed when nothing waits, since the connection may stay silent for
// long.
constexpr size_t kMaxIdleBytes = size_t{64} << 10;

void FreeIfLarge(std::string& buffer) {
  if (buffer.capacity() > kMaxIdleBytes) std::string().swap(buffer);
}

}  // namespace

OutgoingBytes::OutgoingBytes(size_t max_waiting_bytes) : max_waiting_bytes_(max_waiting_bytes) {}

absl::Status OutgoingBytes::Write(const Context& ctx, absl::string_view bytes, bool& wake) {
  base::MutexLock lock(mutex_);
  KUBE_RETURN_IF_ERROR(changed_.Wait(ctx, mutex_, [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return end_.has_value() || waiting_.size() <= max_waiting_bytes_;
  }));
  if (end_.has_value()) return end_->ToStatus();
  waiting_.append(bytes.data(), bytes.size());
  written_ += bytes.size();
  wake = !std::exchange(awake_, true);
  return absl::OkStatus();
}

absl::Status OutgoingBytes::Flush(const Context& ctx) {
  base::MutexLock lock(mutex_);
  const uint64_t all = written_;
  KUBE_RETURN_IF_ERROR(
      changed_.Wait(ctx, mutex_, [this, all]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
        return end_.has_value() || sent_ >= all;
      }));
  return sent_ >= all ? absl::OkStatus() : end_->ToStatus();
}

void OutgoingBytes::Take(std::string& out) {
  {
    base::MutexLock lock(mutex_);
    sent_ = taken_;
    taken_ = written_;
    if (waiting_.empty()) {
      awake_ = false;
      FreeIfLarge(waiting_);
      if (out.empty()) FreeIfLarge(out);
    } else if (out.empty()) {
      out.swap(waiting_);
    } else {
      out += waiting_;
      waiting_.clear();
    }
  }
  changed_.NotifyAll();
}

void OutgoingBytes::End(const absl::Status& status) {
  {
    base::MutexLock lock(mutex_);
    if (!end_.has_value()) end_.emplace(status);
  }
  changed_.NotifyAll();
}

}  // namespace kube::httpclient::internal

#include "net/httpclient/internal/transfer.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/status.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/internal/outgoing_bytes.h"
#include "net/httpclient/transport_error.h"

namespace kube::httpclient::internal {

// The I/O thread calls Reserve for bytes that have arrived and Deliver to pass them on; the
// caller's thread takes them in Read. `buffered_bytes_` counts bytes that are reserved and not yet
// read. If it reaches the limit, Reserve sets `paused_` and returns false, and the session lets the
// server send no more. Read clears `paused_` when at most half of the limit is buffered, and tells
// its caller to wake the I/O thread. Both sides change `paused_` by exchange, so exactly one of
// them resumes: Reserve checks the count again after setting the flag, in case the reader made room
// before it could see it.

namespace {

// As many pieces as may be on their way while a reader is behind.
constexpr size_t kMostSpares = 12;

std::unique_ptr<OutgoingBytes> MakeOutgoing(const HttpRequest& request, size_t max_buffered_bytes) {
  if (!request.upgrade) return nullptr;
  return std::make_unique<OutgoingBytes>(
      std::min(max_buffered_bytes, OutgoingBytes::kMaxWaitingBytes));
}

}  // namespace

Transfer::Transfer(HttpRequest request, Endpoint endpoint, size_t max_buffered_bytes,
                   std::shared_ptr<TransferCounters> counters)
    : request_(std::move(request)),
      endpoint_(std::move(endpoint)),
      max_buffered_bytes_(max_buffered_bytes),
      counters_(std::move(counters)),
      outgoing_(MakeOutgoing(request_, max_buffered_bytes)) {
  ++counters_->requests;
}

Transfer::~Transfer() { Abandon(); }

absl::StatusOr<ResponseHead> Transfer::AwaitHead(const Context& ctx) {
  base::MutexLock lock(mutex_);
  KUBE_RETURN_IF_ERROR(changed_.Wait(ctx, mutex_, [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return head_.has_value() || end_.has_value();
  }));
  if (head_.has_value()) return std::move(*head_);
  Finish();
  return end_->ToStatus();
}

absl::StatusOr<std::string> Transfer::Read(const Context& ctx, bool& resume) {
  std::string chunk;
  {
    base::MutexLock lock(mutex_);
    KUBE_RETURN_IF_ERROR(changed_.Wait(ctx, mutex_, [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
      return !chunks_.empty() || end_.has_value();
    }));
    if (chunks_.empty()) {
      Finish();
      KUBE_RETURN_IF_ERROR(end_->ToStatus());
      return std::string();
    }
    chunk = std::move(chunks_.front());
    chunks_.erase(chunks_.begin());
  }
  Release(chunk.size());
  resume = buffered_bytes_ <= max_buffered_bytes_ / 2 && paused_.exchange(false);
  return chunk;
}

void Transfer::Recycle(std::string chunk) {
  if (chunk.capacity() < kLongBytes) return;
  chunk.clear();
  base::MutexLock lock(mutex_);
  if (spares_.size() < kMostSpares) spares_.push_back(std::move(chunk));
}

std::string Transfer::TakeSpare() {
  base::MutexLock lock(mutex_);
  if (spares_.empty()) return std::string();
  std::string spare = std::move(spares_.back());
  spares_.pop_back();
  return spare;
}

bool Transfer::Abandon() {
  size_t dropped = 0;
  bool running = false;
  {
    base::MutexLock lock(mutex_);
    running = !end_.has_value() && !abandoned_;
    abandoned_ = true;
    if (!end_.has_value()) {
      end_.emplace(absl::CancelledError(outgoing_ == nullptr ? "read on closed response body"
                                                             : "read on closed connection"));
    }
    for (const std::string& chunk : chunks_) dropped += chunk.size();
    chunks_.clear();
    Finish();
  }
  Release(dropped);
  changed_.NotifyAll();
  if (outgoing_ != nullptr) {
    outgoing_->End(absl::FailedPreconditionError("write on closed connection"));
  }
  return running;
}

void Transfer::EndOutgoing(const absl::Status& status) {
  if (!status.ok()) return outgoing_->End(status);
  outgoing_->End(MakeTransportError(
      {.kind = TransportErrorKind::kEof},
      absl::StrCat("write to ", endpoint_.authority, ": the server closed the connection")));
}

void Transfer::Deliver(News& news) {
  if (!news.head.has_value() && news.data.empty() && !news.end.has_value()) return;
  if (news.end.has_value() && outgoing_ != nullptr) EndOutgoing(*news.end);
  size_t dropped = 0;
  std::vector<std::string> spares;  // destroyed without the lock
  {
    base::MutexLock lock(mutex_);
    if (chunks_.empty() && news.data.size() < kLongBytes) spares_.swap(spares);
    if (news.head.has_value()) head_ = std::move(news.head);
    if (abandoned_) {
      dropped = news.data.size();
    } else if (!news.data.empty()) {
      if (!chunks_.empty() && chunks_.back().size() + news.data.size() <= kPieceBytes) {
        std::string& last = chunks_.back();
        if (last.size() + news.data.size() > kLongBytes) last.reserve(kPieceBytes);
        last += news.data;
      } else {
        chunks_.push_back(std::move(news.data));
      }
    }
    if (news.end.has_value() && !end_.has_value()) end_.emplace(*news.end);
  }
  news.head.reset();
  news.data.clear();
  news.end.reset();
  if (dropped > 0) Release(dropped);
  changed_.NotifyAll();
}

void Transfer::Count(size_t bytes) {
  buffered_bytes_ += bytes;
  counters_->buffered_bytes += static_cast<int64_t>(bytes);
}

bool Transfer::Reserve(size_t bytes) {
  Count(bytes);
  if (buffered_bytes_ < max_buffered_bytes_) return true;
  paused_ = true;
  // The reader may have made room before it could see `paused_`.
  return buffered_bytes_ < max_buffered_bytes_ && paused_.exchange(false);
}

void Transfer::Release(size_t bytes) {
  buffered_bytes_ -= bytes;
  counters_->buffered_bytes -= static_cast<int64_t>(bytes);
}

void Transfer::Finish() {
  if (std::exchange(counted_, false)) --counters_->requests;
}

}  // namespace kube::httpclient::internal

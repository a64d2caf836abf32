#include "apiserver/watch/watch_session.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "absl/time/time.h"
#include "apimachinery/base/mutex.h"
#include "apiserver/resources.h"
#include "apiserver/storage.h"
#include "apiserver/watch/watch_stream.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {
namespace {

// What may wait for a client before nothing is added to it. The history is what it waits in then.
constexpr size_t kAheadBytes = 64 * 1024;

}  // namespace

WatchSession::WatchSession(std::shared_ptr<Storage> storage, std::unique_ptr<WatchStream> stream,
                           std::shared_ptr<httpserver::Exchange> exchange,
                           absl::Duration bookmark_interval)
    : storage_(std::move(storage)),
      exchange_(std::move(exchange)),
      bookmark_interval_(stream->parameters().bookmark_interval.value_or(bookmark_interval)),
      bookmarks_(stream->parameters().bookmarks && bookmark_interval_ != absl::InfiniteDuration()),
      stream_(std::move(stream)) {}

void WatchSession::Start(std::function<void()> ended) {
  {
    base::MutexLock lock(mutex_);
    ended_ = std::move(ended);
    // Nobody writes before the header is out and all below is set up.
    pumping_ = true;
  }
  const WatchParameters& watch = stream_->parameters();
  exchange_->Start(200, {{"content-type", watch.output.StreamContentType()},
                         {"cache-control", "no-cache, private"}});
  const std::weak_ptr<WatchSession> weak = weak_from_this();
  const auto pump = [weak] {
    if (const auto self = weak.lock()) self->Pump();
  };
  changed_ = storage_->Watch(watch.resource->storage, watch.prefix, pump);
  if (watch.initial && watch.after > 0) fresh_ = storage_->AtRevision(watch.after, pump);
  timeout_.Start(watch.timeout, [weak] {
    if (const auto self = weak.lock()) self->Finish();
  });
  if (bookmarks_) ArmBookmark(0);
  {
    base::MutexLock lock(mutex_);
    pumping_ = false;
  }
  Pump();
  gone_ = exchange_->context().OnDone([weak] {
    const auto self = weak.lock();
    if (self == nullptr) return;
    // Nobody is to think that the answer was forgotten.
    self->exchange_->Abort();
    self->End();
  });
}

void WatchSession::EndUnlessOf(const Resources& resources) {
  if (resources.Has(*stream_->parameters().resource)) return;
  {
    base::MutexLock lock(mutex_);
    wants_end_ = true;
  }
  Pump();
}

void WatchSession::Pump() {
  {
    base::MutexLock lock(mutex_);
    again_ = true;
    if (pumping_ || over_) return;
    pumping_ = true;
  }
  while (true) {
    {
      base::MutexLock lock(mutex_);
      if (!again_ || over_) {
        pumping_ = false;
        return;
      }
      again_ = false;
    }
    if (!WriteNext()) {
      {
        base::MutexLock lock(mutex_);
        pumping_ = false;
      }
      End();
      return;
    }
  }
}

bool WatchSession::WriteNext() {
  const auto pump = [weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->Pump();
  };
  if (exchange_->buffered_bytes() > kAheadBytes &&
      exchange_->PauseUntilDrained(kAheadBytes, pump)) {
    return true;
  }
  WatchStream::Piece piece = stream_->Next();
  // Any write brings a cache that lags on, also one of another resource.
  later_ = stream_->lags() ? storage_->AtRevision(storage_->revision() + 1, pump) : nullptr;
  bool end = piece.end;
  {
    base::MutexLock lock(mutex_);
    // A bookmark stands behind all that happened before it.
    if (!piece.more && !end) {
      if (wants_bookmark_) piece.bytes += stream_->Bookmark();
      wants_bookmark_ = false;
      end = wants_end_;
    }
    again_ |= piece.more;
  }
  if (!piece.bytes.empty() && !exchange_->Write(std::move(piece.bytes))) return false;
  if (end) exchange_->Finish();
  return !end;
}

void WatchSession::ArmBookmark(int which) {
  const std::weak_ptr<WatchSession> weak = weak_from_this();
  bookmark_timers_[which].Start(bookmark_interval_, [weak, which] {
    const auto self = weak.lock();
    if (self == nullptr) return;
    self->Bookmark();
    self->ArmBookmark(1 - which);
  });
}

void WatchSession::Bookmark() {
  {
    base::MutexLock lock(mutex_);
    wants_bookmark_ = true;
  }
  Pump();
}

void WatchSession::Finish() {
  {
    base::MutexLock lock(mutex_);
    wants_end_ = true;
    // As upstream, not for a watch that was short anyhow.
    const WatchParameters& watch = stream_->parameters();
    wants_bookmark_ = bookmarks_ && watch.timeout > absl::Seconds(2);
  }
  Pump();
}

void WatchSession::End() {
  std::function<void()> ended;
  {
    base::MutexLock lock(mutex_);
    over_ = true;
    ended.swap(ended_);
  }
  if (ended != nullptr) ended();
}

}  // namespace kube::apiserver::internal

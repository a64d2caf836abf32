// A bookmark or the end by timeout is only a wish (`wants_bookmark_`, `wants_end_`), which the
// writing thread grants when the stream has nothing more to send: both come after all events that
// happened before.

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

// How many bytes may wait for a client before no more are added. The rest waits in the history.
constexpr size_t kAheadBytes = 64 * 1024;

}  // namespace

WatchSession::WatchSession(std::shared_ptr<Storage> storage, std::unique_ptr<WatchStream> stream,
                           std::shared_ptr<httpserver::Exchange> exchange,
                           WatchSessionOptions options)
    : storage_(std::move(storage)),
      exchange_(std::move(exchange)),
      options_(std::move(options)),
      bookmark_interval_(
          stream->parameters().bookmark_interval.value_or(options_.bookmark_interval)),
      bookmarks_(stream->parameters().bookmarks && bookmark_interval_ != absl::InfiniteDuration()),
      stream_(std::move(stream)) {}

void WatchSession::Start(std::function<void()> ended) {
  {
    base::MutexLock lock(mutex_);
    ended_ = std::move(ended);
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
  steps_.Release();
  Pump();
  gone_ = exchange_->context().OnDone([weak] {
    const auto self = weak.lock();
    if (self == nullptr) return;
    // Tells the server that the exchange was not forgotten.
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
  if (options_.start_thread == nullptr) return PumpHere();
  {
    base::MutexLock lock(mutex_);
    // It will see what this call is about.
    if (thread_comes_) return;
    thread_comes_ = true;
  }
  const auto body = [weak = weak_from_this()] {
    const auto self = weak.lock();
    if (self == nullptr) return;
    {
      base::MutexLock lock(self->mutex_);
      self->thread_comes_ = false;
    }
    self->PumpHere();
  };
  // Without a thread, this one waits for the webhook.
  if (!options_.start_thread(body).ok()) body();
}

void WatchSession::PumpHere() {
  if (!steps_.Run([this] { return WriteNext(); })) End();
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
  // A write to any resource moves a lagging cache on.
  later_ = stream_->lags() ? storage_->AtRevision(storage_->revision() + 1, pump) : nullptr;
  bool end = piece.end;
  {
    base::MutexLock lock(mutex_);
    // A bookmark follows all events that happened before it.
    if (!piece.more && !end) {
      if (wants_bookmark_) piece.bytes += stream_->Bookmark();
      wants_bookmark_ = false;
      end = wants_end_;
    }
  }
  if (piece.more) steps_.Request();
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
    // As kube-apiserver, which sends no last bookmark to watches with a short timeout.
    const WatchParameters& watch = stream_->parameters();
    wants_bookmark_ = bookmarks_ && watch.timeout > absl::Seconds(2);
  }
  Pump();
}

void WatchSession::End() {
  steps_.End();
  std::function<void()> ended;
  {
    base::MutexLock lock(mutex_);
    ended.swap(ended_);
  }
  if (ended != nullptr) ended();
}

}  // namespace kube::apiserver::internal

#include "apiserver/containers/log_session.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <utility>

#include "apimachinery/base/mutex.h"
#include "apiserver/containers/log_reader.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {
namespace {

// How many bytes may wait for a client before no more are added. The rest waits in the log.
constexpr size_t kAheadBytes = size_t{64} << 10;

}  // namespace

LogSession::LogSession(FollowedLog followed, std::shared_ptr<httpserver::Exchange> exchange)
    : exchange_(std::move(exchange)), followed_(std::move(followed)) {}

void LogSession::Start(std::function<void()> ended) {
  {
    base::MutexLock lock(mutex_);
    ended_ = std::move(ended);
  }
  exchange_->Start(200, {{"content-type", "text/plain"}});
  const std::weak_ptr<LogSession> weak = weak_from_this();
  const auto pump = [weak] {
    if (const auto self = weak.lock()) self->Pump();
  };
  appended_ = followed_.log->Watch(pump);
  container_changed_ = followed_.watch_container(pump);
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

void LogSession::Pump() {
  if (!steps_.Run([this] { return WriteNext(); })) End();
}

bool LogSession::WriteNext() {
  const auto pump = [weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->Pump();
  };
  if (exchange_->buffered_bytes() > kAheadBytes &&
      exchange_->PauseUntilDrained(kAheadBytes, pump)) {
    return true;
  }
  // Asked before the log is read: what a container writes before it ends is sent.
  const bool container_ended = followed_.container_ended();
  LogReader::Piece piece = followed_.reader.Next();
  const bool end = piece.end || (container_ended && !piece.more);
  if (piece.more) steps_.Request();
  if (!piece.bytes.empty() && !exchange_->Write(std::move(piece.bytes))) return false;
  if (end) exchange_->Finish();
  return !end;
}

void LogSession::End() {
  steps_.End();
  std::function<void()> ended;
  {
    base::MutexLock lock(mutex_);
    ended.swap(ended_);
  }
  if (ended != nullptr) ended();
}

}  // namespace kube::apiserver::internal

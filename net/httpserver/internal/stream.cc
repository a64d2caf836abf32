#include "net/httpserver/internal/stream.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/mutex.h"
#include "net/http/headers.h"
#include "net/httpserver/exchange.h"
#include "net/io/duplex_stream.h"

namespace kube::httpserver::internal {

// A stream is a buffer between a handler, on any thread, and the session on the I/O thread. The
// session looks at phase(); if it is kWaiting, `waiting_` is set. The next change by the handler
// clears it and calls `wake` after releasing the lock, so there is exactly one wake-up for each
// kWaiting. `begun_`, `finished_`, `aborted_` and `closed_` only ever become true; once one of the
// last three holds, the handler can write nothing more.
//
// SwitchProtocols is the end of the answer (`finished_`), but not of the exchange (`switched_`):
// its bytes go another way, and it still can be aborted.

namespace {

bool AreLegal(const http::Headers& headers, const Request& request) {
  for (const http::Header& header : headers) {
    if (http::IsHeaderName(header.name) && http::IsHeaderValue(header.value)) continue;
    log::Error(absl::OkStatus(), "handler set an invalid header",
               {{"method", request.method}, {"path", request.path()}, {"header", header.name}});
    return false;
  }
  return true;
}

Response InternalError() {
  return {.status = 500,
          .headers = {{"content-type", "text/plain; charset=utf-8"}},
          .body = "Internal Server Error\n"};
}

}  // namespace

Stream::Stream(Request request, StreamEnvironment environment)
    : request_(std::move(request)),
      scope_(WithCancel(Context())),
      environment_(std::move(environment)) {}

bool Stream::can_answer() const {
  base::MutexLock lock(mutex_);
  return !aborted_ && !closed_;
}

bool Stream::is_answered() const {
  base::MutexLock lock(mutex_);
  return (finished_ && !switched_) || aborted_ || closed_;
}

void Stream::Inform(int status, http::Headers headers) {
  if (!AreLegal(headers, request_)) return;
  {
    base::MutexLock lock(mutex_);
    if (begun_ || aborted_ || closed_) return;
    heads_.push_back({.status = status, .headers = std::move(headers), .content_length = {}});
    if (!TakeWaiting()) return;
  }
  environment_.wake();
}

void Stream::Respond(Response response) {
  if (!AreLegal(response.headers, request_)) response = InternalError();
  {
    base::MutexLock lock(mutex_);
    const size_t size = response.body.size();
    if (!Begin({.status = response.status,
                .headers = std::move(response.headers),
                .content_length = size})) {
      return;
    }
    if (size != 0) {
      // max_buffered_bytes does not apply, since the whole body already is in memory.
      pieces_.push_back(std::move(response.body));
      buffered_ += size;
    }
    finished_ = true;
    if (!TakeWaiting()) return;
  }
  environment_.wake();
}

void Stream::Start(int status, http::Headers headers) {
  if (!AreLegal(headers, request_)) return Respond(InternalError());
  {
    base::MutexLock lock(mutex_);
    if (!Begin({.status = status, .headers = std::move(headers), .content_length = {}})) return;
    if (!TakeWaiting()) return;
  }
  environment_.wake();
}

bool Stream::Write(std::string piece) {
  bool written = false;
  {
    base::MutexLock lock(mutex_);
    if (!begun_) Begin({});
    written = Append(std::move(piece));
    if (!TakeWaiting()) return written;
  }
  environment_.wake();
  return written;
}

void Stream::Finish(http::Headers trailers) {
  if (!AreLegal(trailers, request_)) return Abort();
  {
    base::MutexLock lock(mutex_);
    if (finished_ || aborted_ || closed_) return;
    if (!begun_) Begin({});
    finished_ = true;
    trailers_ = std::move(trailers);
    if (!TakeWaiting()) return;
  }
  environment_.wake();
}

absl::StatusOr<std::unique_ptr<io::DuplexStream>> Stream::SwitchProtocols(http::Headers headers) {
  if (!request_.wants_upgrade || environment_.connect == nullptr) {
    return absl::FailedPreconditionError("switch protocols: the request does not ask for it");
  }
  if (!AreLegal(headers, request_)) {
    return absl::InvalidArgumentError("switch protocols: a header is invalid; the log names it");
  }
  if (!headers.Get("connection").has_value()) headers.Add("connection", "Upgrade");
  std::unique_ptr<io::DuplexStream> connection;
  {
    base::MutexLock lock(mutex_);
    if (begun_ || aborted_) {
      return absl::FailedPreconditionError("switch protocols: an answer has been begun");
    }
    if (!closed_) connection = environment_.connect();
    if (connection == nullptr) {
      return absl::UnavailableError("switch protocols: the client has disconnected");
    }
    Begin({.status = 101, .headers = std::move(headers), .content_length = {}, .switches = true});
    finished_ = true;
    switched_ = true;
    if (!TakeWaiting()) return connection;
  }
  environment_.wake();
  return connection;
}

void Stream::Abort() {
  {
    base::MutexLock lock(mutex_);
    if ((finished_ && !switched_) || closed_) return;
    aborted_ = true;
    if (!TakeWaiting()) return;
  }
  environment_.wake();
}

size_t Stream::buffered_bytes() const {
  base::MutexLock lock(mutex_);
  return buffered_;
}

bool Stream::PauseUntilDrained(size_t limit, std::function<void()> drained) {
  // Destroyed after the lock is released, since destructors of what it captures may do anything.
  std::function<void()> before;
  base::MutexLock lock(mutex_);
  before.swap(drained_);
  if (buffered_ <= limit || closed_) return false;
  drained_at_ = limit / 2;
  drained_ = std::move(drained);
  return true;
}

void Stream::Abandon() {
  bool begun = false;
  {
    base::MutexLock lock(mutex_);
    if (finished_ || aborted_ || closed_) return;
    begun = begun_;
  }
  // A client that gives up is not the handler's fault, and must not fill the log.
  if (context().done()) {
    KUBE_VLOG(4, "handler dropped a request whose client disconnected", {"method", request_.method},
              {"path", request_.path()});
  } else {
    log::Error(absl::OkStatus(), "handler dropped a request without responding",
               {{"method", request_.method}, {"path", request_.path()}});
  }
  if (begun) {
    Abort();
  } else {
    Respond(InternalError());
  }
}

std::optional<ResponseHead> Stream::TakeHead() {
  base::MutexLock lock(mutex_);
  if (heads_.empty()) return std::nullopt;
  ResponseHead head = std::move(heads_.front());
  heads_.pop_front();
  return head;
}

size_t Stream::Read(char* buffer, size_t size) {
  std::function<void()> drained;
  size_t taken = 0;
  {
    base::MutexLock lock(mutex_);
    while (taken < size && !pieces_.empty()) {
      const std::string& piece = pieces_.front();
      const size_t part = std::min(size - taken, piece.size() - first_offset_);
      std::memcpy(buffer + taken, piece.data() + first_offset_, part);
      taken += part;
      first_offset_ += part;
      if (first_offset_ == piece.size()) {
        pieces_.pop_front();
        first_offset_ = 0;
      }
    }
    buffered_ -= taken;
    if (buffered_ <= drained_at_) drained.swap(drained_);
  }
  if (drained != nullptr) drained();
  return taken;
}

Stream::Phase Stream::phase() {
  base::MutexLock lock(mutex_);
  if (aborted_) return Phase::kAborted;
  if (HasSomething()) return Phase::kReady;
  if (finished_ && !switched_) return Phase::kFinished;
  waiting_ = true;
  return switched_ ? Phase::kSwitched : Phase::kWaiting;
}

http::Headers Stream::TakeTrailers() {
  base::MutexLock lock(mutex_);
  return std::exchange(trailers_, {});
}

void Stream::EndInput() {
  {
    base::MutexLock lock(mutex_);
    if (switched_) return;
  }
  scope_.Cancel(absl::CancelledError("the client closed the connection"));
}

void Stream::Close(const absl::Status& why) {
  std::function<void()> drained;
  {
    base::MutexLock lock(mutex_);
    closed_ = true;
    waiting_ = false;
    heads_.clear();
    pieces_.clear();
    first_offset_ = 0;
    buffered_ = 0;
    drained.swap(drained_);
  }
  scope_.Cancel(why);
}

bool Stream::Begin(ResponseHead head) {
  if (begun_ || aborted_ || closed_) return false;
  begun_ = true;
  heads_.push_back(std::move(head));
  return true;
}

bool Stream::Append(std::string piece) {
  if (finished_ || aborted_ || closed_) return false;
  if (piece.empty()) return true;
  if (buffered_ + piece.size() > environment_.max_buffered_bytes) {
    aborted_ = true;
    ++*environment_.slow_readers;
    return false;
  }
  buffered_ += piece.size();
  pieces_.push_back(std::move(piece));
  return true;
}

bool Stream::HasSomething() const { return !heads_.empty() || !pieces_.empty(); }

bool Stream::TakeWaiting() { return std::exchange(waiting_, false); }

std::shared_ptr<Exchange> ForHandler(std::shared_ptr<Stream> stream) {
  Stream* const raw = stream.get();
  return {raw, [kept = std::move(stream)](Stream*) { kept->Abandon(); }};
}

}  // namespace kube::httpserver::internal

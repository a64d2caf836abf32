#include "apiserver/testing/fake_exchange.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_split.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "net/http/headers.h"
#include "net/httpserver/exchange.h"
#include "net/io/duplex_stream.h"
#include "net/io/pipe.h"

namespace kube::apiserver {

FakeExchange::FakeExchange(httpserver::Request request)
    : request_(std::move(request)), scope_(WithCancel(Context())) {}

void FakeExchange::Inform(int, http::Headers) {}

void FakeExchange::Respond(httpserver::Response response) {
  base::MutexLock lock(mutex_);
  if (status_ != 0) return;
  status_ = response.status;
  headers_ = std::move(response.headers);
  body_ = std::move(response.body);
  finished_ = true;
  changed_.NotifyAll();
}

void FakeExchange::Start(int status, http::Headers headers) {
  base::MutexLock lock(mutex_);
  if (status_ != 0) return;
  status_ = status;
  headers_ = std::move(headers);
}

bool FakeExchange::Write(std::string piece) {
  base::MutexLock lock(mutex_);
  if (finished_ || scope_.context().done()) return false;
  body_ += piece;
  changed_.NotifyAll();
  return true;
}

void FakeExchange::Finish(http::Headers) {
  base::MutexLock lock(mutex_);
  finished_ = true;
  changed_.NotifyAll();
}

absl::StatusOr<std::unique_ptr<io::DuplexStream>> FakeExchange::SwitchProtocols(
    http::Headers headers) {
  base::MutexLock lock(mutex_);
  if (!request_.wants_upgrade || status_ != 0 || finished_) {
    return absl::FailedPreconditionError("switch protocols: not asked for, or answered");
  }
  if (scope_.context().done())
    return absl::UnavailableError("switch protocols: the client has gone");
  io::Pipe pipe = io::MakePipe();
  connection_ = std::move(pipe.first);
  status_ = 101;
  headers_ = std::move(headers);
  finished_ = true;
  changed_.NotifyAll();
  return std::move(pipe.second);
}

std::unique_ptr<io::DuplexStream> FakeExchange::TakeConnection() {
  base::MutexLock lock(mutex_);
  return std::move(connection_);
}

void FakeExchange::Abort() { Finish({}); }

absl::Status FakeExchange::Wait(const Context& ctx) const {
  base::MutexLock lock(mutex_);
  return changed_.Wait(ctx, mutex_, [this]() ABSL_NO_THREAD_SAFETY_ANALYSIS { return finished_; });
}

absl::Status FakeExchange::WaitForLines(const Context& ctx, size_t lines) const {
  base::MutexLock lock(mutex_);
  return changed_.Wait(ctx, mutex_, [this, lines]() ABSL_NO_THREAD_SAFETY_ANALYSIS {
    return static_cast<size_t>(std::count(body_.begin(), body_.end(), '\n')) >= lines;
  });
}

int FakeExchange::status() const {
  base::MutexLock lock(mutex_);
  return status_;
}

http::Headers FakeExchange::headers() const {
  base::MutexLock lock(mutex_);
  return headers_;
}

std::string FakeExchange::body() const {
  base::MutexLock lock(mutex_);
  return body_;
}

bool FakeExchange::finished() const {
  base::MutexLock lock(mutex_);
  return finished_;
}

std::vector<std::string> FakeExchange::lines() const {
  return absl::StrSplit(body(), '\n', absl::SkipEmpty());
}

}  // namespace kube::apiserver

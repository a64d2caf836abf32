#include "net/httpclient/etag_cache.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/status.h"
#include "apimachinery/watch/byte_stream.h"
#include "net/http/headers.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/transport.h"

namespace kube::httpclient {
namespace {

constexpr int kOk = 200;
constexpr int kNotModified = 304;

// Bytes that have been read, and then, if there is one, the rest of another body.
class ReadBody final : public watch::ByteStream {
 public:
  ReadBody(std::shared_ptr<const std::string> bytes, std::unique_ptr<watch::ByteStream> rest)
      : bytes_(std::move(bytes)), rest_(std::move(rest)) {}

  absl::StatusOr<std::string> Read(const Context& ctx) override {
    if (ctx.done()) return ctx.status();
    if (const auto bytes = std::exchange(bytes_, nullptr); bytes != nullptr && !bytes->empty()) {
      return *bytes;
    }
    return rest_ == nullptr ? std::string() : rest_->Read(ctx);
  }
  void Close() override {
    if (rest_ != nullptr) rest_->Close();
  }

 private:
  std::shared_ptr<const std::string> bytes_;
  const std::unique_ptr<watch::ByteStream> rest_;
};

// A response that is kept.
struct Entry {
  std::string etag = {};
  http::Headers headers = {};
  std::shared_ptr<const std::string> body = {};
  uint64_t last_used = 0;
};

class EtagCache final : public Transport {
 public:
  EtagCache(std::shared_ptr<Transport> next, const EtagCacheOptions& options)
      : next_(std::move(next)), options_(options) {}

  absl::StatusOr<HttpResponse> RoundTrip(const Context& ctx, HttpRequest request) override {
    if (!IsCacheable(request)) return next_->RoundTrip(ctx, std::move(request));
    const std::string key =
        absl::StrCat(request.url, "\n", request.headers.Get("accept").value_or(""));
    const std::optional<Entry> known = Find(key);
    if (known.has_value()) request.headers.Set("if-none-match", known->etag);
    KUBE_ASSIGN_OR_RETURN(HttpResponse response, next_->RoundTrip(ctx, std::move(request)));
    if (response.status == kNotModified && known.has_value()) {
      response.status = kOk;
      response.headers = known->headers;
      response.body = std::make_unique<ReadBody>(known->body, nullptr);
      return response;
    }
    if (response.status == kOk && !response.headers.Get("etag").value_or("").empty()) {
      KUBE_RETURN_IF_ERROR(Keep(ctx, key, response));
    }
    return response;
  }

  void CloseIdleConnections() override { next_->CloseIdleConnections(); }
  void CloseConnections(const ConnectionOptions& connection) override {
    next_->CloseConnections(connection);
  }

 private:
  static bool IsCacheable(const HttpRequest& request) {
    return request.method == "GET" && request.body == nullptr && !request.long_running &&
           !request.upgrade && !request.headers.Get("if-none-match").has_value() &&
           !request.headers.Get("range").has_value();
  }

  std::optional<Entry> Find(const std::string& key) ABSL_LOCKS_EXCLUDED(mutex_) {
    base::MutexLock lock(mutex_);
    const auto it = entries_.find(key);
    if (it == entries_.end()) return std::nullopt;
    it->second.last_used = ++uses_;
    return it->second;
  }

  // Reads the body of a response, keeps it unless it is too large, and gives it back.
  absl::Status Keep(const Context& ctx, const std::string& key, HttpResponse& response)
      ABSL_LOCKS_EXCLUDED(mutex_) {
    std::string bytes;
    bool is_whole = false;
    while (!is_whole && bytes.size() <= options_.max_bytes) {
      KUBE_ASSIGN_OR_RETURN(std::string piece, response.body->Read(ctx));
      is_whole = piece.empty();
      bytes += piece;
      response.body->Recycle(std::move(piece));
    }
    const auto body = std::make_shared<const std::string>(std::move(bytes));
    if (is_whole) {
      Store(key, {.etag = std::string(*response.headers.Get("etag")),
                  .headers = response.headers,
                  .body = body});
    }
    response.body = std::make_unique<ReadBody>(body, is_whole ? nullptr : std::move(response.body));
    return absl::OkStatus();
  }

  // Returns whether `size` more bytes do not fit.
  bool IsFullFor(size_t size) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return bytes_ + size > options_.max_bytes || entries_.size() >= options_.max_responses;
  }

  void Store(const std::string& key, Entry entry) ABSL_LOCKS_EXCLUDED(mutex_) {
    base::MutexLock lock(mutex_);
    entry.last_used = ++uses_;
    if (const auto it = entries_.find(key); it != entries_.end()) {
      bytes_ -= it->second.body->size();
      entries_.erase(it);
    }
    while (!entries_.empty() && IsFullFor(entry.body->size())) {
      const auto oldest = std::min_element(
          entries_.begin(), entries_.end(),
          [](const auto& a, const auto& b) { return a.second.last_used < b.second.last_used; });
      bytes_ -= oldest->second.body->size();
      entries_.erase(oldest);
    }
    if (IsFullFor(entry.body->size())) return;
    bytes_ += entry.body->size();
    entries_.emplace(key, std::move(entry));
  }

  const std::shared_ptr<Transport> next_;
  const EtagCacheOptions options_;
  base::Mutex mutex_;
  std::map<std::string, Entry> entries_ ABSL_GUARDED_BY(mutex_);
  size_t bytes_ ABSL_GUARDED_BY(mutex_) = 0;
  uint64_t uses_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace

std::shared_ptr<Transport> MakeEtagCache(std::shared_ptr<Transport> next,
                                         const EtagCacheOptions& options) {
  return std::make_shared<EtagCache>(std::move(next), options);
}

}  // namespace kube::httpclient

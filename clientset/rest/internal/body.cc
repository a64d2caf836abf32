#include "clientset/rest/internal/body.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/watch/byte_stream.h"
#include "clientset/rest/trace.h"
#include "net/httpclient/http_message.h"

namespace kube::rest::internal {

namespace {

// A server may claim any length: beyond this, memory grows with the bytes that really arrive.
constexpr size_t kMaxReservedBytes = size_t{16} << 20;

class EmptyBody final : public watch::ByteStream {
 public:
  absl::StatusOr<std::string> Read(const Context&) override { return std::string(); }
  void Close() override {}
};

class TracedByteStream final : public watch::ByteStream {
 public:
  TracedByteStream(std::unique_ptr<watch::ByteStream> body, std::unique_ptr<Span> span)
      : body_(std::move(body)), span_(std::move(span)) {}

  absl::StatusOr<std::string> Read(const Context& ctx) override {
    absl::StatusOr<std::string> bytes = body_->Read(ctx);
    const bool interrupted = !bytes.ok() && ctx.done();
    if (span_ != nullptr && !interrupted && (!bytes.ok() || bytes->empty())) {
      span_->SetStatus(bytes.status());
      span_ = nullptr;
    }
    return bytes;
  }
  void Recycle(std::string bytes) override { body_->Recycle(std::move(bytes)); }
  void Close() override { body_->Close(); }

 private:
  std::unique_ptr<watch::ByteStream> body_;
  std::unique_ptr<Span> span_;
};

}  // namespace

absl::StatusOr<std::string> ReadAll(const Context& ctx, watch::ByteStream& body,
                                    absl::string_view length) {
  KUBE_ASSIGN_OR_RETURN(std::string all, body.Read(ctx));
  if (all.empty()) return all;
  size_t expected = 0;
  if (absl::SimpleAtoi(length, &expected)) all.reserve(std::min(expected, kMaxReservedBytes));
  for (;;) {
    KUBE_ASSIGN_OR_RETURN(const std::string piece, body.Read(ctx));
    if (piece.empty()) return all;
    all += piece;
  }
}

std::string ReadSome(const Context& ctx, watch::ByteStream& body, size_t limit) {
  std::string all;
  while (all.size() < limit) {
    const absl::StatusOr<std::string> piece = body.Read(ctx);
    if (!piece.ok() || piece->empty()) break;
    all.append(*piece, 0, limit - all.size());
  }
  return all;
}

httpclient::HttpResponse EmptyResponse() {
  return {.status = 200, .body = std::make_unique<EmptyBody>()};
}

std::unique_ptr<watch::ByteStream> TracedBody(std::unique_ptr<watch::ByteStream> body,
                                              std::unique_ptr<Span> span) {
  return std::make_unique<TracedByteStream>(std::move(body), std::move(span));
}

}  // namespace kube::rest::internal

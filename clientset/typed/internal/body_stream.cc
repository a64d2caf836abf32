#include "clientset/typed/internal/body_stream.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/metrics.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/watch/byte_stream.h"
#include "net/httpclient/transport_error.h"

namespace kube::typed::internal {

BodyStream::BodyStream(std::unique_ptr<watch::ByteStream> stream, absl::Duration idle_timeout,
                       base::Counter bytes)
    : stream_(std::move(stream)),
      idle_timeout_(idle_timeout),
      bytes_(std::move(bytes)),
      left_(idle_timeout) {}

absl::StatusOr<std::string> BodyStream::Read(const Context& ctx) {
  absl::StatusOr<std::string> bytes =
      idle_timeout_ > absl::ZeroDuration() ? ReadInTime(ctx) : stream_->Read(ctx);
  if (bytes.ok()) bytes_.Increment(bytes->size());
  return bytes;
}

absl::StatusOr<std::string> BodyStream::ReadInTime(const Context& ctx) {
  if (!lost_.ok()) return lost_;
  const base::MonotonicTime start = base::Now();
  const Context limited = WithTimeout(ctx, left_);
  absl::StatusOr<std::string> bytes = stream_->Read(limited);
  if (bytes.ok()) left_ = idle_timeout_;
  if (bytes.ok() || !limited.done()) return bytes;
  // A reader may wait in several calls and do other things in between.
  left_ -= base::Now() - start;
  if (left_ > absl::ZeroDuration()) return bytes;
  lost_ = httpclient::MakeTransportError(
      {.kind = httpclient::TransportErrorKind::kLost},
      absl::StrCat("no data received for ", absl::FormatDuration(idle_timeout_)));
  stream_->Close();
  return lost_;
}

void BodyStream::Recycle(std::string bytes) { stream_->Recycle(std::move(bytes)); }

void BodyStream::Close() { stream_->Close(); }

}  // namespace kube::typed::internal

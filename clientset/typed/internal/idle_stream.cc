#include "clientset/typed/internal/idle_stream.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/watch/byte_stream.h"
#include "net/httpclient/transport_error.h"

namespace kube::typed::internal {

IdleStream::IdleStream(std::unique_ptr<watch::ByteStream> stream, absl::Duration timeout)
    : stream_(std::move(stream)), timeout_(timeout), left_(timeout) {}

absl::StatusOr<std::string> IdleStream::Read(const Context& ctx) {
  if (!lost_.ok()) return lost_;
  const base::MonotonicTime start = base::Now();
  const Context limited = WithTimeout(ctx, left_);
  absl::StatusOr<std::string> bytes = stream_->Read(limited);
  if (bytes.ok()) left_ = timeout_;
  if (bytes.ok() || !limited.done()) return bytes;
  // A reader may wait in pieces, between which it looks after something else.
  left_ -= base::Now() - start;
  if (left_ > absl::ZeroDuration()) return bytes;
  lost_ = httpclient::MakeTransportError(
      {.kind = httpclient::TransportErrorKind::kLost},
      absl::StrCat("nothing has come for ", absl::FormatDuration(timeout_)));
  stream_->Close();
  return lost_;
}

void IdleStream::Recycle(std::string bytes) { stream_->Recycle(std::move(bytes)); }

void IdleStream::Close() { stream_->Close(); }

}  // namespace kube::typed::internal

#include "clientset/portforward/internal/pod_stream.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/status.h"
#include "net/spdy/session.h"

// A kubelet writes the text of an error, and only then ends or resets the data stream. A session
// delivers frames in order, so the text is there when Read sees the end of the data; nobody has to
// read the error stream before that, and no thread is needed for it. A kubelet also ends the error
// stream before the data stream, but other servers may end the data and go on receiving: so the end
// of the data is passed on after a moment, and only Outcome waits for the end of the error stream.
// A kubelet may fail before it has accepted the data stream, which it then resets: so the one who
// opens the streams asks for the reason, too.
namespace kube::portforward::internal {
namespace {

// How much of a text is kept.
constexpr size_t kMaxErrorBytes = size_t{64} << 10;

// How long Read holds back the end of the data, to see whether it is an error. What has arrived is
// read at once, so this is not a race against the network.
constexpr absl::Duration kPatienceAtEnd = absl::Milliseconds(10);

}  // namespace

ErrorStream::Report ErrorStream::Read(const Context& ctx) {
  if (TakeTurn(ctx)) {
    size_t room = 0;
    {
      base::MutexLock lock(mutex_);
      room = kMaxErrorBytes - report_.text.size();
    }
    EndTurn(ReadMore(ctx, room));
  }
  base::MutexLock lock(mutex_);
  return report_;
}

bool ErrorStream::TakeTurn(const Context& ctx) {
  base::MutexLock lock(mutex_);
  const absl::Status status = changed_.Wait(
      ctx, mutex_,
      [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return report_.ended || !reading_; });
  if (!status.ok() || report_.ended) return false;
  reading_ = true;
  return true;
}

void ErrorStream::EndTurn(const Report& read) {
  base::MutexLock lock(mutex_);
  absl::StrAppend(&report_.text, read.text);
  report_.ended = read.ended;
  report_.failure = read.failure;
  reading_ = false;
  changed_.NotifyAll();
}

ErrorStream::Report ErrorStream::ReadMore(const Context& ctx, size_t room) {
  Report report;
  while (!report.ended) {
    absl::StatusOr<std::string> piece = stream_->Read(ctx);
    if (!piece.ok()) {
      if (ctx.done()) return report;
      report.ended = true;
      report.failure = piece.status();
      return report;
    }
    report.text.append(*piece, 0, room - report.text.size());
    if (report.text.size() == room) {
      // What is not read would block the whole session.
      stream_->Reset();
      report.ended = true;
    }
    if (piece->empty()) report.ended = true;
  }
  return report;
}

absl::Status ErrorStream::Outcome(const Context& ctx) {
  const Report report = Read(ctx);
  KUBE_RETURN_IF_ERROR(ErrorOf(report));
  if (!report.ended) return ctx.status();
  return base::Annotate(report.failure, description_);
}

absl::Status ErrorStream::Explain(const Context& ctx, absl::Duration patience,
                                  const absl::Status& status) {
  // The calls of a program that has closed the stream fail for that reason: nothing is awaited.
  if (absl::IsFailedPrecondition(status)) patience = absl::ZeroDuration();
  KUBE_RETURN_IF_ERROR(ErrorOf(Read(WithTimeout(ctx, patience))));
  return base::Annotate(status, description_);
}

absl::Status ErrorStream::ErrorOf(const Report& report) const {
  if (report.text.empty()) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat(description_, ": an error occurred: ", report.text));
}

PodStream::PodStream(uint16_t port, std::unique_ptr<ErrorStream> error,
                     std::unique_ptr<spdy::SessionStream> data)
    : port_(port), error_(std::move(error)), data_(std::move(data)) {}

absl::StatusOr<std::string> PodStream::Read(const Context& ctx) {
  absl::StatusOr<std::string> bytes = data_->Read(ctx);
  if (bytes.ok()) {
    if (!bytes->empty()) return bytes;
    KUBE_RETURN_IF_ERROR(error_->Explain(ctx, kPatienceAtEnd, absl::OkStatus()));
    return bytes;
  }
  if (ctx.done()) return bytes;
  return error_->Explain(ctx, kPatienceAfterFailure, bytes.status());
}

absl::Status PodStream::Write(const Context& ctx, absl::string_view bytes) {
  const absl::Status status = data_->Write(ctx, bytes);
  if (status.ok() || ctx.done()) return status;
  return error_->Explain(ctx, kPatienceAfterFailure, status);
}

absl::Status PodStream::Flush(const Context& ctx) {
  const absl::Status status = data_->Flush(ctx);
  if (status.ok() || ctx.done()) return status;
  return error_->Explain(ctx, kPatienceAfterFailure, status);
}

void PodStream::Close() {
  data_->Close();
  error_->Close();
}

}  // namespace kube::portforward::internal

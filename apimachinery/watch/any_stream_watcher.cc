#include "apimachinery/watch/any_stream_watcher.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/content_type.h"
#include "apimachinery/codec/stream/watch_frame.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/table/message.h"
#include "apimachinery/watch/byte_stream.h"
#include "apimachinery/watch/event.h"

namespace kube::watch {

// Next reads from the stream until at least one event is complete. Take hands each piece of bytes
// to the reader, which keeps an incomplete event until its rest arrives and calls OnFrame for each
// complete one; a piece may hold several, which wait in `events_`. The watch ends (`ended_`) when
// the server sends an ERROR event, when the stream ends or breaks, or when its bytes cannot be
// decoded. The reason, unless it is a regular end, is the last event, of type kError; bytes after
// it are ignored. An error that only says that `ctx` is done does not end the watch: the bytes read
// so far are kept.

namespace metav1 = api::meta::v1;

namespace {

// Makes the error for bytes that are not a watch event.
absl::Status UndecodableStream(const absl::Status& cause) {
  return errors::ClientError(
      500, "GET", "ClientWatchDecoding",
      absl::StrCat("unable to decode an event from the watch stream: ", cause.message()));
}

// Make the errors for a stream that breaks, and for one that ends within an event.
absl::Status BrokenStream(const absl::Status& cause) {
  return base::Annotate(cause, "read watch stream");
}
absl::Status TruncatedStream() {
  return absl::UnavailableError(
      "read watch stream: unexpected EOF during watch stream event decoding");
}

}  // namespace

AnyStreamWatcher::AnyStreamWatcher(codec::ContentType content_type,
                                   std::unique_ptr<ByteStream> stream,
                                   const kube::table::Message& object,
                                   const StreamWatcherOptions& options)
    : stream_(std::move(stream)),
      decoder_(options.decode, options.store),
      reader_(content_type, decoder_, object, metav1::Status::kMessage, options.reader) {}

absl::StatusOr<std::optional<Event<void>>> AnyStreamWatcher::Next(const Context& ctx) {
  if (ctx.done()) return ctx.status();
  while (events_.empty() && !ended_) {
    absl::StatusOr<std::string> bytes = stream_->Read(ctx);
    if (!bytes.ok() && !stopped_ && ctx.done()) return ctx.status();
    Take(bytes);
    if (bytes.ok()) stream_->Recycle(*std::move(bytes));
  }
  if (events_.empty()) return std::optional<Event<void>>();
  std::optional<Event<void>> event = std::move(events_.front());
  events_.pop_front();
  return event;
}

void AnyStreamWatcher::Stop() {
  stopped_ = true;
  stream_->Close();
}

void AnyStreamWatcher::Take(const absl::StatusOr<std::string>& bytes) {
  if (!bytes.ok()) return End(BrokenStream(bytes.status()));
  if (bytes->empty()) {
    return End(reader_.IsBetweenEvents() ? absl::OkStatus() : TruncatedStream());
  }
  const absl::Status status = reader_.Append(
      *bytes, [this](codec::AnyWatchFrame frame) { return OnFrame(std::move(frame)); });
  if (!status.ok() && !ended_) End(UndecodableStream(status));
}

absl::Status AnyStreamWatcher::OnFrame(codec::AnyWatchFrame frame) {
  if (ended_) return absl::OkStatus();  // events after an error are ignored
  KUBE_ASSIGN_OR_RETURN(const EventType type, internal::EventTypeOfFrame(frame.type));
  ended_ = type == EventType::kError;
  Event<void> event = {.type = type};
  if (ended_) {
    event.error = internal::ErrorOfFrame(static_cast<const metav1::Status*>(frame.status.get()),
                                         frame.unexpected_kind);
  } else {
    event.object = std::move(frame.object);
  }
  events_.push_back(std::move(event));
  return absl::OkStatus();
}

void AnyStreamWatcher::End(const absl::Status& error) {
  ended_ = true;
  // After Stop, errors of the stream are expected and not reported.
  if (!error.ok() && !stopped_) events_.push_back({.type = EventType::kError, .error = error});
}

}  // namespace kube::watch

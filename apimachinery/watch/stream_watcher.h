#ifndef APIMACHINERY_WATCH_STREAM_WATCHER_H_
#define APIMACHINERY_WATCH_STREAM_WATCHER_H_

#include <atomic>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/codec/content_type.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/codec/shared_decoder.h"
#include "apimachinery/codec/watch_reader.h"
#include "apimachinery/watch/byte_stream.h"
#include "apimachinery/watch/event.h"
#include "apimachinery/watch/watcher.h"

namespace kube::watch {

struct StreamWatcherOptions {
  // How to decode each object. Default: as client-go's typed clients do.
  codec::DecodeOptions decode = {};
  // Where objects share what they have in common; outlives the watcher. Default: none.
  codec::SharingStore* store = nullptr;
  codec::WatchReaderOptions reader = {};
};

namespace internal {

// The error of bytes that are no watch (COD-4).
absl::Status UndecodableStream(const absl::Status& cause);
// The error of a stream that broke, or ended where it must not.
absl::Status BrokenStream(const absl::Status& cause);
absl::Status TruncatedStream();

}  // namespace internal

// The events that a server streams, decoded on the thread that pulls them. (watch.StreamWatcher)
//
// It ends after the server's own errors, too. Besides those there are events of type kError for
// bytes that are no event (errors::HasStatusCause(error, "ClientWatchDecoding"),
// HTTP code 500) and for a stream that breaks or ends in the middle of an event (the transport's
// error; UNAVAILABLE). Upstream logs the latter, and the watch just ends.
//
// See Watcher for what may be called when.
template <typename T>
class StreamWatcher final : public Watcher<T> {
 public:
  StreamWatcher(codec::ContentType content_type, std::unique_ptr<ByteStream> stream,
                const StreamWatcherOptions& options = {})
      : stream_(std::move(stream)),
        decoder_(options.decode, options.store),
        reader_(content_type, decoder_, options.reader) {}
  ~StreamWatcher() override { StreamWatcher::Stop(); }

  absl::StatusOr<std::optional<Event<T>>> Next(const Context& ctx) override {
    if (ctx.done()) return ctx.status();
    while (events_.empty() && !ended_) {
      absl::StatusOr<std::string> bytes = stream_->Read(ctx);
      if (!bytes.ok() && !stopped_ && ctx.done()) return ctx.status();
      Take(bytes);
    }
    if (events_.empty()) return std::optional<Event<T>>();
    std::optional<Event<T>> event = std::move(events_.front());
    events_.pop_front();
    return event;
  }

  void Stop() override {
    stopped_ = true;
    stream_->Close();
  }

 private:
  // What is complete becomes events.
  void Take(const absl::StatusOr<std::string>& bytes) {
    if (!bytes.ok()) return End(internal::BrokenStream(bytes.status()));
    if (bytes->empty()) {
      return End(reader_.IsBetweenEvents() ? absl::OkStatus() : internal::TruncatedStream());
    }
    const absl::Status status =
        reader_.Append(*bytes, [this](codec::WatchFrame<T, api::meta::v1::Status> frame) {
          if (ended_) return absl::OkStatus();  // nothing counts after an error
          absl::StatusOr<Event<T>> event = EventOf<T>(std::move(frame));
          if (!event.ok()) return event.status();
          ended_ = event->type == EventType::kError;
          events_.push_back(*std::move(event));
          return absl::OkStatus();
        });
    if (!status.ok() && !ended_) End(internal::UndecodableStream(status));
  }

  void End(const absl::Status& error) {
    ended_ = true;
    // Whoever stops a watch does not want to know how it broke.
    if (!error.ok() && !stopped_) events_.push_back({.type = EventType::kError, .error = error});
  }

  const std::unique_ptr<ByteStream> stream_;
  codec::SharedDecoder decoder_;
  codec::WatchReader<T, api::meta::v1::Status> reader_;
  std::deque<Event<T>> events_;  // of the last bytes; as many as they hold
  bool ended_ = false;
  std::atomic<bool> stopped_ = false;
};

}  // namespace kube::watch

#endif  // APIMACHINERY_WATCH_STREAM_WATCHER_H_

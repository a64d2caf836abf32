#ifndef APIMACHINERY_WATCH_STREAM_WATCHER_H_
#define APIMACHINERY_WATCH_STREAM_WATCHER_H_

#include <memory>
#include <optional>
#include <utility>

#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "apimachinery/codec/content_type.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/codec/shared_decoder.h"
#include "apimachinery/codec/watch_reader.h"
#include "apimachinery/watch/byte_stream.h"
#include "apimachinery/watch/event.h"
#include "apimachinery/watch/internal/any_event.h"
#include "apimachinery/watch/internal/stream_watcher_core.h"
#include "apimachinery/watch/watcher.h"

namespace kube::watch {

struct StreamWatcherOptions {
  // How to decode each object. Default: as client-go's typed clients do.
  codec::DecodeOptions decode = {};
  // Where objects share what they have in common; outlives the watcher. Default: none.
  codec::SharingStore* store = nullptr;
  codec::WatchReaderOptions reader = {};
};

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
      : core_(content_type, std::move(stream), options.decode, options.store, options.reader,
              T::kMessage) {}

  absl::StatusOr<std::optional<Event<T>>> Next(const Context& ctx) override {
    return internal::FromAny<T>(core_.Next(ctx));
  }

  bool HasNext() const override { return core_.Peek() != nullptr; }

  void Stop() override { core_.Stop(); }

 private:
  internal::StreamWatcherCore core_;
};

}  // namespace kube::watch

#endif  // APIMACHINERY_WATCH_STREAM_WATCHER_H_

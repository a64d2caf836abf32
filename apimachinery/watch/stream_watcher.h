#ifndef APIMACHINERY_WATCH_STREAM_WATCHER_H_
#define APIMACHINERY_WATCH_STREAM_WATCHER_H_

#include <memory>
#include <optional>
#include <utility>

#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "apimachinery/codec/content_type.h"
#include "apimachinery/watch/any_stream_watcher.h"
#include "apimachinery/watch/byte_stream.h"
#include "apimachinery/watch/event.h"
#include "apimachinery/watch/internal/any_event.h"
#include "apimachinery/watch/watcher.h"

namespace kube::watch {

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
      : any_(content_type, std::move(stream), T::kMessage, options) {}

  absl::StatusOr<std::optional<Event<T>>> Next(const Context& ctx) override {
    return internal::FromAny<T>(any_.Next(ctx));
  }

  bool HasNext() const override { return any_.HasNext(); }

  void Stop() override { any_.Stop(); }

 private:
  AnyStreamWatcher any_;
};

}  // namespace kube::watch

#endif  // APIMACHINERY_WATCH_STREAM_WATCHER_H_

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

// A watch that decodes the bytes of a response on the thread that calls Next.
// (client-go: `watch.StreamWatcher`)
//
// The watch ends after an ERROR event from the server. It also reports failures of its own as an
// event of type kError: bytes that are not an event (an error with HTTP code 500 for which
// errors::HasStatusCause(error, "ClientWatchDecoding") holds), a stream that breaks (the
// transport's error), and a stream that ends within an event (UNAVAILABLE). client-go only logs the
// last two and ends the watch.
//
// See Watcher for the contract of its methods.
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

#ifndef APIMACHINERY_WATCH_ANY_STREAM_WATCHER_H_
#define APIMACHINERY_WATCH_ANY_STREAM_WATCHER_H_

#include <atomic>
#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "apimachinery/codec/content_type.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/codec/sharing/shared_decoder.h"
#include "apimachinery/codec/stream/any_watch_reader.h"
#include "apimachinery/codec/stream/watch_frame.h"
#include "apimachinery/table/message.h"
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

// A StreamWatcher of objects whose type is known only at run time, for code that is generic over
// types, such as informers. See StreamWatcher for its events, and Watcher for what may be called
// when.
class AnyStreamWatcher final : public Watcher<void> {
 public:
  // `object` is the type of the objects.
  AnyStreamWatcher(codec::ContentType content_type, std::unique_ptr<ByteStream> stream,
                   const kube::table::Message& object, const StreamWatcherOptions& options = {});
  ~AnyStreamWatcher() override { AnyStreamWatcher::Stop(); }
  AnyStreamWatcher(const AnyStreamWatcher&) = delete;
  AnyStreamWatcher& operator=(const AnyStreamWatcher&) = delete;

  absl::StatusOr<std::optional<Event<void>>> Next(const Context& ctx) override;
  bool HasNext() const override { return Peek() != nullptr; }
  void Stop() override;

  // Returns the event that Next would return without blocking, or null. It is valid until Next is
  // called. Only for the thread that calls Next.
  const Event<void>* Peek() const { return events_.empty() ? nullptr : &events_.front(); }

 private:
  // Turns all complete events into elements of events_.
  void Take(const absl::StatusOr<std::string>& bytes);
  absl::Status OnFrame(codec::AnyWatchFrame frame);
  void End(const absl::Status& error);

  const std::unique_ptr<ByteStream> stream_;
  codec::SharedDecoder decoder_;
  codec::AnyWatchReader reader_;
  std::deque<Event<void>> events_;  // those of the last bytes; bounded by their size
  bool ended_ = false;
  std::atomic<bool> stopped_ = false;
};

}  // namespace kube::watch

#endif  // APIMACHINERY_WATCH_ANY_STREAM_WATCHER_H_

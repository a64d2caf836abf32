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
  // How each object is decoded. Default: as client-go's typed clients do.
  codec::DecodeOptions decode = {};
  // A store in which equal parts of objects are shared. It must outlive the watcher. Default: null,
  // nothing is shared.
  codec::SharingStore* store = nullptr;
  codec::WatchReaderOptions reader = {};
};

// A StreamWatcher of objects whose type is known only at run time, for code that is generic over
// types, such as informers. See StreamWatcher for its events, and Watcher for the contract of its
// methods.
class AnyStreamWatcher final : public Watcher<void> {
 public:
  // `object` describes the type of the watched objects. `content_type` is the format of `stream`.
  AnyStreamWatcher(codec::ContentType content_type, std::unique_ptr<ByteStream> stream,
                   const kube::table::Message& object, const StreamWatcherOptions& options = {});
  ~AnyStreamWatcher() override { AnyStreamWatcher::Stop(); }
  AnyStreamWatcher(const AnyStreamWatcher&) = delete;
  AnyStreamWatcher& operator=(const AnyStreamWatcher&) = delete;

  absl::StatusOr<std::optional<Event<void>>> Next(const Context& ctx) override;
  bool HasNext() const override { return Peek() != nullptr; }
  void Stop() override;

  // Returns the event that Next would return without blocking, or null. The pointer is valid until
  // Next is called. Only the thread that calls Next may call it.
  const Event<void>* Peek() const { return events_.empty() ? nullptr : &events_.front(); }

 private:
  // Decodes the result of a Read: adds its complete events to `events_`, or ends the watch.
  void Take(const absl::StatusOr<std::string>& bytes);
  absl::Status OnFrame(codec::AnyWatchFrame frame);
  void End(const absl::Status& error);

  const std::unique_ptr<ByteStream> stream_;
  codec::SharedDecoder decoder_;
  codec::AnyWatchReader reader_;
  std::deque<Event<void>> events_;  // decoded by the last Take; bounded by its bytes
  bool ended_ = false;
  std::atomic<bool> stopped_ = false;
};

}  // namespace kube::watch

#endif  // APIMACHINERY_WATCH_ANY_STREAM_WATCHER_H_

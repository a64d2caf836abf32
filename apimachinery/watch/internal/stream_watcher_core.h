#ifndef APIMACHINERY_WATCH_INTERNAL_STREAM_WATCHER_CORE_H_
#define APIMACHINERY_WATCH_INTERNAL_STREAM_WATCHER_CORE_H_

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
#include "apimachinery/codec/internal/watch_format.h"
#include "apimachinery/codec/shared_decoder.h"
#include "apimachinery/codec/watch_reader.h"
#include "apimachinery/types/internal/message.h"
#include "apimachinery/watch/byte_stream.h"
#include "apimachinery/watch/internal/any_event.h"

namespace kube::watch::internal {

// StreamWatcher of any type: what every kind that is watched would otherwise have a copy of.
class StreamWatcherCore {
 public:
  StreamWatcherCore(codec::ContentType content_type, std::unique_ptr<ByteStream> stream,
                    const codec::DecodeOptions& decode, codec::SharingStore* store,
                    const codec::WatchReaderOptions& reader, const kube::internal::Message& object);
  ~StreamWatcherCore() { Stop(); }
  StreamWatcherCore(const StreamWatcherCore&) = delete;
  StreamWatcherCore& operator=(const StreamWatcherCore&) = delete;

  absl::StatusOr<std::optional<AnyEvent>> Next(const Context& ctx);
  // What Next will return without waiting, or null.
  const AnyEvent* Peek() const { return events_.empty() ? nullptr : &events_.front(); }
  void Stop();

 private:
  // What is complete becomes events.
  void Take(const absl::StatusOr<std::string>& bytes);
  absl::Status OnFrame(codec::internal::AnyWatchFrame frame);
  void End(const absl::Status& error);

  const std::unique_ptr<ByteStream> stream_;
  codec::SharedDecoder decoder_;
  codec::internal::WatchReaderCore reader_;
  std::deque<AnyEvent> events_;  // of the last bytes; as many as they hold
  bool ended_ = false;
  std::atomic<bool> stopped_ = false;
};

}  // namespace kube::watch::internal

#endif  // APIMACHINERY_WATCH_INTERNAL_STREAM_WATCHER_CORE_H_

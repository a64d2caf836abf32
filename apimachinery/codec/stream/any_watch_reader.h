#ifndef APIMACHINERY_CODEC_STREAM_ANY_WATCH_READER_H_
#define APIMACHINERY_CODEC_STREAM_ANY_WATCH_READER_H_

#include <cstddef>
#include <memory>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/content_type.h"
#include "apimachinery/codec/sharing/shared_decoder.h"
#include "apimachinery/codec/stream/watch_frame.h"
#include "apimachinery/table/message.h"

namespace kube::codec {

namespace internal {
class WatchFormat;
}  // namespace internal

// The limit of a WatchReader or AnyWatchReader.
struct WatchReaderOptions {
  // Maximum size of one event. Default: 16 MiB, client-go's limit.
  size_t max_event_bytes = size_t{16} << 20;
};

// A WatchReader for objects whose type is known only at run time, for code that is generic over
// types. Its methods are those of WatchReader. Thread-compatible.
class AnyWatchReader {
 public:
  // `object` describes the type of the objects, and `status` the type of what an ERROR carries.
  // `decoder` must outlive the reader and must not be used for anything else meanwhile.
  AnyWatchReader(ContentType content_type, SharedDecoder& decoder,
                 const kube::table::Message& object, const kube::table::Message& status,
                 const WatchReaderOptions& options = {});
  ~AnyWatchReader();
  AnyWatchReader(const AnyWatchReader&) = delete;
  AnyWatchReader& operator=(const AnyWatchReader&) = delete;

  absl::Status Append(absl::string_view bytes,
                      absl::FunctionRef<absl::Status(AnyWatchFrame)> on_event);
  bool IsBetweenEvents() const;

 private:
  std::unique_ptr<internal::WatchFormat> format_;
  absl::Status status_;
};

}  // namespace kube::codec

#endif  // APIMACHINERY_CODEC_STREAM_ANY_WATCH_READER_H_

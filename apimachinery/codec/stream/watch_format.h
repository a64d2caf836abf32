#ifndef APIMACHINERY_CODEC_STREAM_WATCH_FORMAT_H_
#define APIMACHINERY_CODEC_STREAM_WATCH_FORMAT_H_

#include <cstddef>
#include <memory>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/sharing/shared_decoder.h"
#include "apimachinery/codec/stream/watch_frame.h"
#include "apimachinery/table/message.h"

namespace kube::codec::internal {

using OnWatchFrame = absl::FunctionRef<absl::Status(AnyWatchFrame frame)>;

// What a watch's decoder works with.
struct WatchTarget {
  SharedDecoder& decoder;
  const kube::table::Message& object;
  const kube::table::Message& status;
  size_t max_event_bytes;

  absl::Status Error(absl::string_view cause, size_t offset) const;
  // "decode watch of Pod: object (from byte 512): ...". Places in `cause` count from there.
  absl::Status ObjectError(const absl::Status& cause, size_t offset) const;
};

class WatchFormat {
 public:
  virtual ~WatchFormat() = default;
  virtual absl::Status Append(absl::string_view bytes, OnWatchFrame on_frame) = 0;
  virtual bool IsBetweenEvents() const = 0;
};

std::unique_ptr<WatchFormat> MakeJsonWatchFormat(const WatchTarget& target);
std::unique_ptr<WatchFormat> MakeProtobufWatchFormat(const WatchTarget& target);

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_STREAM_WATCH_FORMAT_H_

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

// What the decoder of a watch works with. The referenced objects must outlive the WatchFormat.
struct WatchTarget {
  SharedDecoder& decoder;
  const kube::table::Message& object;
  const kube::table::Message& status;
  size_t max_event_bytes;

  absl::Status Error(absl::string_view cause, size_t offset) const;
  // Returns "decode watch of Pod: object (from byte 512): ...", where positions in `cause` count
  // from that byte.
  absl::Status ObjectError(const absl::Status& cause, size_t offset) const;
};

// Decodes a watch in one encoding while it arrives. Thread-compatible.
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

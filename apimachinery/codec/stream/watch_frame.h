#ifndef APIMACHINERY_CODEC_STREAM_WATCH_FRAME_H_
#define APIMACHINERY_CODEC_STREAM_WATCH_FRAME_H_

#include <memory>
#include <string>

namespace kube::codec {

// One event of a watch, as it was sent (client-go: `watch.Event`).
template <typename T, typename StatusT>
struct WatchFrame {
  // "ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR", or a type that a newer server sends.
  std::string type = {};
  // The object; null for an ERROR. For a BOOKMARK it has only kind, apiVersion and metadata.
  std::shared_ptr<const T> object = {};
  // What an ERROR carries; null for other types.
  std::shared_ptr<const StatusT> status = {};
  // For an ERROR whose object says that it is of another kind than Status: that kind. `status` is
  // null then.
  std::string unexpected_kind = {};
};

// An event of objects whose type is known only at run time.
using AnyWatchFrame = WatchFrame<void, void>;

}  // namespace kube::codec

#endif  // APIMACHINERY_CODEC_STREAM_WATCH_FRAME_H_

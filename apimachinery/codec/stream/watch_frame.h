#ifndef APIMACHINERY_CODEC_STREAM_WATCH_FRAME_H_
#define APIMACHINERY_CODEC_STREAM_WATCH_FRAME_H_

#include <memory>
#include <string>

namespace kube::codec {

// An event of a watch, as it is on the wire. (watch.Event)
template <typename T, typename StatusT>
struct WatchFrame {
  // "ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR"; a server may know more.
  std::string type = {};
  // Of a BOOKMARK only kind, apiVersion and metadata are there. Null with an ERROR.
  std::shared_ptr<const T> object = {};
  // What an ERROR carries; else null.
  std::shared_ptr<const StatusT> status = {};
  // The kind of what an ERROR carries, where that says it is no "Status": `status` is null then.
  std::string unexpected_kind = {};
};

// An event whose types are known only at run time.
using AnyWatchFrame = WatchFrame<void, void>;

}  // namespace kube::codec

#endif  // APIMACHINERY_CODEC_STREAM_WATCH_FRAME_H_

#ifndef CLIENTSET_TYPED_OPTIONS_H_
#define CLIENTSET_TYPED_OPTIONS_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/backoff.h"
#include "apimachinery/base/metrics.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/codec/stream/list_reader.h"
#include "apimachinery/types/message_type.h"
#include "apimachinery/watch/stream_watcher.h"
#include "clientset/retry/retry.h"

// Options and results of client calls that the server does not see. The options that it sees are
// those of metav1.
namespace kube::codec {
class SharingStore;
}  // namespace kube::codec

namespace kube::typed {

// Options of ListPage.
struct PageOptions {
  // How each object is decoded. Default: as client-go's typed clients do it.
  codec::DecodeOptions decode = {};
  // Keeps equal parts of the objects only once. It must outlive the call; the objects may outlive
  // it. Default: null, objects share nothing.
  codec::SharingStore* store = nullptr;
  codec::ListReaderOptions reader = {};
  // If no byte of the list arrives for this long, the list fails with a transport error of kind
  // kLost. Default: zero, no limit.
  absl::Duration idle_timeout = absl::ZeroDuration();
  // Counts the uncompressed bytes of the list as they arrive. Default: not counted.
  base::Counter bytes = {};
};

// A list, or one page of it, with immutable objects that are shared with caches.
template <ApiStruct T, ApiStruct ListT>
struct Page {
  // The list's metadata: resource version and continue token. It has no items.
  ListT list = {};
  // Never null.
  std::vector<std::shared_ptr<const T>> items = {};
};

// Options of Watch.
struct WatchStreamOptions {
  // Decoding, sharing and limits, as for StreamWatcher.
  watch::StreamWatcherOptions stream = {};
  // If Next has waited this long and no byte has arrived, the watch ends with a transport error of
  // kind kLost. This finds servers that have vanished although the connection looks alive, for
  // example behind a proxy. Choose a time that is longer than the interval of bookmarks, about a
  // minute, and enable bookmarks. Default: zero, no limit.
  absl::Duration idle_timeout = absl::ZeroDuration();
  // Counts the uncompressed bytes of the watch as they arrive. Default: not counted.
  base::Counter bytes = {};
};

// Options of Edit.
struct EditOptions {
  // Dry run, field manager and field validation. `force` is not used.
  api::meta::v1::PatchOptions patch = {};
  // The subresource to which the change is sent: "status", or "scale" if its object is a T.
  // Default: the object itself.
  std::string subresource = {};
  // Limits the tries (backoff.steps) and determines the waits between them.
  base::Backoff backoff = retry::kDefaultRetry;
};

}  // namespace kube::typed

#endif  // CLIENTSET_TYPED_OPTIONS_H_
